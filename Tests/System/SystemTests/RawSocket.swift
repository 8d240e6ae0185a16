import Foundation
import Glibc

/// A TCP connection to the loopback that sends whatever bytes it is told to, well formed or not.
///
/// It blocks, so that it belongs inside `Tool.blocking`.
final class RawSocket {
    private let descriptor: Int32
    private var received: [UInt8] = []
    /// True when the other side has ended the connection.
    private(set) var isEnded = false

    /// Connects.
    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard result == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    deinit { close(descriptor) }

    /// Sends bytes; false when the other side takes no more for a while, or has ended.
    @discardableResult
    func send(_ bytes: [UInt8], within seconds: Int = 5) -> Bool {
        var done = 0
        while done < bytes.count {
            var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&event, 1, Int32(seconds * 1000)) == 1 else { return false }
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            let count = bytes[done...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, flags)
            }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Ends our side.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// True when the other side has broken the connection off, whatever is still to be read.
    var isReset: Bool {
        var event = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&event, 1, 0) == 1 && event.revents & Int16(POLLERR | POLLHUP) != 0
    }

    /// Reads what is there within some milliseconds.
    func read(within milliseconds: Int) {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard !isEnded, poll(&event, 1, Int32(milliseconds)) == 1 else { return }
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 { received += buffer[..<count] } else { isEnded = true }
    }

    /// Everything until the other side ends, for at most some seconds.
    func readToEnd(within seconds: Int = 20) -> String {
        let end = ContinuousClock.now + .seconds(seconds)
        while !isEnded, ContinuousClock.now < end { read(within: 100) }
        return String(decoding: received, as: UTF8.self)
    }

    /// The next reply, of a known length, without an interim one.
    func reply(within seconds: Int = 20) -> Reply? {
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            if let (reply, length) = Reply.parse(received) {
                received.removeFirst(length)
                return reply
            }
            if isEnded { return nil }
            read(within: 100)
        }
        return nil
    }

    struct Reply {
        var status: Int
        var head: String
        var body: [UInt8]

        static func parse(_ bytes: [UInt8]) -> (Reply, Int)? {
            guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
            let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
            let length =
                head.lowercased().firstMatch(of: /content-length: (\d+)/).flatMap { Int($0.1) } ?? 0
            guard bytes.count >= end.upperBound + length else { return nil }
            let reply = Reply(
                status: Int(head.dropFirst(9).prefix(3)) ?? 0, head: head,
                body: Array(bytes[end.upperBound..<(end.upperBound + length)]))
            return (reply, end.upperBound + length)
        }
    }
}
