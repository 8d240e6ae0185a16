import Foundation
public import PostgresDriver
import Synchronization

/// A line to a PostgreSQL server that can lose the reply to a COMMIT: the server has committed, and nobody is told.
public final class ForgetfulProxy: Sendable {
    /// The port on 127.0.0.1.
    public let port: Int
    private let server: Int
    private let listener: Int32
    private let state = Mutex(State())

    private struct State {
        var commits = 0
        /// The COMMIT whose reply is lost, counted from the first.
        var lost: Int?
        var hasLost = false
    }

    /// Listens on a free port, until the value is gone.
    public init(to server: PostgresServer) throws {
        self.server = server.port
        (listener, port) = try Loopback.bound()
        guard listen(listener, 64) == 0 else {
            throw ProgramFailure(description: "The proxy cannot listen.")
        }
        let listener = listener
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                guard let self else {
                    close(client)
                    return
                }
                self.forward(client)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// Returns an address with the server's port replaced by this one.
    public func address(_ address: PostgresAddress) -> PostgresAddress {
        var address = address
        address.hosts = [PostgresAddress.Host("127.0.0.1", port: port)]
        // The proxy reads what the server says.
        address.tlsMode = .disable
        return address
    }

    /// Loses the reply to a COMMIT, counted from 1 for the next; `nil` for none any more.
    public func lose(_ number: Int?) {
        state.withLock { state in
            state.lost = number.map { $0 + state.commits }
            state.hasLost = false
        }
    }

    /// True when the reply was lost.
    public var hasLost: Bool { state.withLock { $0.hasLost } }

    /// Notes replies to COMMIT; false when one of them is to be lost.
    private func passes(_ count: Int) -> Bool {
        state.withLock { state in
            state.commits += count
            guard let lost = state.lost, lost <= state.commits else { return true }
            state.lost = nil
            state.hasLost = true
            return false
        }
    }

    private func forward(_ client: Int32) {
        guard let server = Loopback.connected(server) else {
            close(client)
            return
        }
        let ends = Ends(client, server)
        Thread.detachNewThread { ends.copy(from: client, to: server) { _ in true } }
        Thread.detachNewThread { [weak self] in
            var reader = CommitReader()
            ends.copy(from: server, to: client) { bytes in
                let count = reader.count(in: bytes)
                return count == 0 || self?.passes(count) ?? true
            }
        }
    }
}

/// Finds the server's replies to COMMIT in what it sends, wherever that is divided.
private struct CommitReader {
    /// CommandComplete with its length and tag.
    private static let reply = [UInt8(ascii: "C"), 0, 0, 0, 11] + Array("COMMIT".utf8) + [0]
    private var rest: [UInt8] = []

    mutating func count(in bytes: ArraySlice<UInt8>) -> Int {
        let all = rest + bytes
        let size = Self.reply.count
        rest = Array(all.suffix(size - 1))
        guard all.count >= size else { return 0 }
        return (0...(all.count - size)).reduce(0) { count, start in
            all[start] == Self.reply[0] && all[start..<start + size].elementsEqual(Self.reply)
                ? count + 1 : count
        }
    }
}

/// The two sockets of a connection, which end together.
private final class Ends: Sendable {
    private let client: Int32
    private let server: Int32

    init(_ client: Int32, _ server: Int32) { (self.client, self.server) = (client, server) }

    deinit {
        close(client)
        close(server)
    }

    /// Copies until one side ends, or until `passes` returns false.
    func copy(from: Int32, to: Int32, _ passes: (ArraySlice<UInt8>) -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(from, &buffer, buffer.count, 0)
            guard count > 0, passes(buffer[..<count]), send(buffer[..<count], to) else { break }
        }
        shutdown(client, Int32(SHUT_RDWR))
        shutdown(server, Int32(SHUT_RDWR))
    }

    private func send(_ bytes: ArraySlice<UInt8>, _ to: Int32) -> Bool {
        var bytes = bytes
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                Foundation.send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }
}
