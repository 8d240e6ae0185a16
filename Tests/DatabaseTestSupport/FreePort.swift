import Foundation

/// Returns a TCP port of the loopback that nobody uses.
///
/// It is none of those that the system gives to connections (from 32768 on Linux): such a one may be taken before a
/// server listens there, or while it is down.
public func freePort() throws -> Int {
    for _ in 0..<100 {
        guard let (descriptor, port) = try? Loopback.bound(port: .random(in: 20_000..<32_000))
        else {
            continue
        }
        close(descriptor)
        return port
    }
    throw ProgramFailure(description: "There is no free port.")
}

/// Sockets of the loopback.
enum Loopback {
    /// Opens a socket on a port; 0 chooses a free one.
    static func bound(port: Int = 0) throws -> (descriptor: Int32, port: Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = address(port: port)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isBound else {
            close(descriptor)
            throw ProgramFailure(description: "There is no free port.")
        }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// Waits until somebody listens on a port.
    static func awaitListener(_ port: Int) throws {
        let end = ContinuousClock.now + .seconds(20)
        while !accepts(port) {
            guard ContinuousClock.now < end else {
                throw ProgramFailure(description: "Nobody listens on port \(port).")
            }
            usleep(2_000)
        }
    }

    private static func accepts(_ port: Int) -> Bool {
        guard let descriptor = connected(port) else { return false }
        close(descriptor)
        return true
    }

    /// Opens a connection to a port; `nil` when nobody listens there.
    static func connected(_ port: Int) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = address(port: port)
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if isConnected { return descriptor }
        close(descriptor)
        return nil
    }

    private static func address(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        return address
    }
}
