import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#endif

/// A host on the loopback that sends what a test tells it, byte for byte.
final class TinyHost: Sendable {
    /// What is sent for a path; the last piece is repeated until the peer hangs up.
    struct Reply: Sendable {
        var bytes: [UInt8]
        var endless: [UInt8] = []

        init(_ text: String, endless: [UInt8] = []) {
            bytes = Array(text.utf8)
            self.endless = endless
        }

        static func ok(_ body: String, _ fields: String = "") -> Reply {
            Reply(
                "HTTP/1.1 200 OK\r\nConnection: close\r\n\(fields)"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }
    }

    let port: Int
    private let descriptor: Int32
    private let requests = Mutex<[String]>([])
    private let sentBytes = Mutex(0)
    private let peers = Mutex(0)

    /// The paths that were asked for.
    var paths: [String] { requests.withLock { $0 } }
    var sent: Int { sentBytes.withLock { $0 } }
    /// How many peers have not hung up yet.
    var openCount: Int { peers.withLock { $0 } }

    init(_ reply: @escaping @Sendable (_ path: String) -> Reply) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, size) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, pointer, &size) == 0
            }
        }
        guard isBound else { throw CancellationError() }
        self.descriptor = descriptor
        port = Int(UInt16(bigEndian: address.sin_port))
        let threads = DispatchQueue(label: "tiny host", attributes: .concurrent)
        threads.async { [weak self] in
            while true {
                let peer = accept(descriptor, nil, nil)
                guard peer >= 0 else { return }
                threads.async { [weak self] in
                    self?.peers.withLock { $0 += 1 }
                    self?.answer(peer, reply)
                    close(peer)
                    self?.peers.withLock { $0 -= 1 }
                }
            }
        }
    }

    func url(_ path: String) -> URL {
        URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(fileURLWithPath: "/")
    }

    func stop() {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    private func answer(_ peer: Int32, _ reply: (String) -> Reply) {
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        let count = recv(peer, &buffer, buffer.count, 0)
        guard count > 0 else { return }
        let words = String(decoding: buffer[..<count], as: UTF8.self).split(separator: " ")
        let path = words.count > 1 ? String(words[1]) : ""
        requests.withLock { $0.append(path) }
        let reply = reply(path)
        var isOpen = send(reply.bytes, peer)
        while isOpen, !reply.endless.isEmpty { isOpen = send(reply.endless, peer) }
    }

    private func send(_ bytes: [UInt8], _ peer: Int32) -> Bool {
        let count = Glibc.send(peer, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        if count > 0 { sentBytes.withLock { $0 += count } }
        return count == bytes.count
    }
}
