import Foundation
import Synchronization

/// A server on a free port of the loopback that answers with whatever bytes a test wants.
public final class RawServer: Sendable {
    /// One connection; used in its own thread.
    public struct Connection: Sendable {
        let descriptor: Int32
        let sent: CounterTotals

        /// Reads the head of the next request; `nil` when the client is gone.
        public func head() -> String? {
            var bytes: [UInt8] = []
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, 0) == 1 {
                bytes.append(byte)
                if bytes.suffix(4) == [13, 10, 13, 10] {
                    return String(decoding: bytes, as: UTF8.self)
                }
            }
            return nil
        }

        /// Waits for the client.
        ///
        /// - Returns: True when it said nothing for so long; false when it spoke or is gone.
        public func isSilent(milliseconds: Int32) -> Bool {
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&watched, 1, milliseconds) == 0
        }

        /// Reads bytes of a body; fewer when the client is gone.
        public func read(_ count: Int) -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: count) { bytes, read in
                while read < count, let start = bytes.baseAddress {
                    let more = recv(descriptor, start + read, count - read, 0)
                    guard more > 0 else { return }
                    read += more
                }
            }
        }

        /// Sends bytes.
        ///
        /// - Parameters:
        ///   - bytes: What is sent.
        ///   - whenStalled: Called when the client took nothing for a second, and then goes on; without
        ///     it, that is the end.
        /// - Returns: False when the client is gone, or has taken nothing for a second.
        @discardableResult
        public func send(_ bytes: [UInt8], whenStalled: (() -> Void)? = nil) -> Bool {
            var offset = 0
            while offset < bytes.count {
                let count = bytes.withUnsafeBytes {
                    Foundation.send(
                        descriptor, $0.baseAddress.map { $0 + offset }, bytes.count - offset,
                        Int32(MSG_NOSIGNAL))
                }
                if count < 0, errno == EAGAIN, let whenStalled {
                    whenStalled()
                    continue
                }
                guard count > 0 else { return false }
                offset += count
                sent.add(count)
            }
            return true
        }

        /// Sends text.
        @discardableResult
        public func send(_ text: String) -> Bool { send(Array(text.utf8)) }
    }

    /// The bytes that clients' sockets took.
    final class CounterTotals: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func add(_ bytes: Int) { count.withLock { $0 += bytes } }
    }

    private let descriptor: Int32
    private let tally = CounterTotals()
    /// The server's port.
    public let port: Int

    private let host: String

    /// Listens; each connection runs `answer` in a thread and is closed after it.
    ///
    /// - Parameters:
    ///   - isSixthVersion: True to listen on `::1`.
    ///   - answer: Speaks to one client.
    public init(
        isSixthVersion: Bool = false, _ answer: @escaping @Sendable (Connection) -> Void
    ) throws {
        let listening = isSixthVersion ? Self.listenOnSixth() : Self.listenOnFourth()
        guard let (descriptor, port) = listening else { throw CocoaError(.fileReadUnknown) }
        self.descriptor = descriptor
        self.port = port
        host = isSixthVersion ? "[::1]" : "127.0.0.1"
        let tally = tally
        Thread.detachNewThread {
            while true {
                let client = accept(descriptor, nil, nil)
                guard client >= 0 else { return }
                Self.bound(client)
                Thread.detachNewThread {
                    answer(Connection(descriptor: client, sent: tally))
                    close(client)
                }
            }
        }
    }

    private static func listenOnFourth() -> (descriptor: Int32, port: Int)? {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return listening(AF_INET, &address).map { ($0, Int(UInt16(bigEndian: address.sin_port))) }
    }

    private static func listenOnSixth() -> (descriptor: Int32, port: Int)? {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        return listening(AF_INET6, &address).map { ($0, Int(UInt16(bigEndian: address.sin6_port))) }
    }

    /// Listens on a free port of an address, and notes it there.
    private static func listening<Address>(_ family: Int32, _ address: inout Address) -> Int32? {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        var length = socklen_t(MemoryLayout<Address>.size)
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 128) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        return isListening ? descriptor : nil
    }

    /// A small buffer, and a second at most for each write and ten for each read.
    private static func bound(_ client: Int32) {
        var bytes: Int32 = 1 << 16
        setsockopt(client, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        let size = socklen_t(MemoryLayout<timeval>.size)
        var sending = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &sending, size)
        var receiving = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &receiving, size)
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    /// The server's address, without a slash at its end.
    public var url: String { "http://\(host):\(port)" }

    /// The bytes that all clients' sockets took so far.
    public var sentBytes: Int { tally.value }
}
