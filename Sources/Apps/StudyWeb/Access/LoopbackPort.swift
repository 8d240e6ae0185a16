import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A port of this machine at which no other program can serve a loopback name.
///
/// Browsers try both `::1` and 127.0.0.1 for a name below `localhost`. This type binds the port of `::1` without
/// listening, so that no other user of the machine can serve it.
public final class LoopbackPort: Sendable {
    /// The error for a port in use.
    public struct Taken: Error, CustomStringConvertible {
        /// The error of the system.
        public var code: Int32
        /// The error in the form of the server's own listening errors.
        public var description: String { "bind (errno: \(code))" }
    }

    /// The attempts to find a port that is free at both addresses.
    private static let attemptsMax = 32

    /// The port.
    public let number: Int
    /// The socket at `::1`; `nil` on a machine without that address.
    private let held: Int32?

    /// Binds a port.
    ///
    /// - Parameters:
    ///   - wanted: The port; 0 for any free port, `nil` for the port of the last run, if it is free.
    ///   - last: The port of the last run.
    /// - Throws: ``Taken``.
    public init(_ wanted: Int?, last: Int? = nil) throws {
        if let wanted, wanted > 0 {
            (number, held) = try Self.take(wanted)
        } else if let taken = Self.free(wanted == nil ? last : nil) {
            (number, held) = taken
        } else {
            throw Taken(code: EADDRINUSE)
        }
    }

    deinit {
        if let held { close(held) }
    }

    private static func free(_ last: Int?) -> (Int, Int32?)? {
        for port in [last].compactMap({ $0 }) + Array(repeating: 0, count: attemptsMax) {
            if let taken = try? take(port) { return taken }
        }
        return nil
    }

    private static func take(_ wanted: Int) throws -> (Int, Int32?) {
        // Found free at 127.0.0.1 and let go: the server listens there at once.
        let descriptor = try bound(AF_INET, wanted, reuses: true)
        let number = port(of: descriptor)
        close(descriptor)
        do {
            return (number, try bound(AF_INET6, number, reuses: false))
        } catch let error as Taken where [EADDRNOTAVAIL, EAFNOSUPPORT].contains(error.code) {
            return (number, nil)
        }
    }

    /// Returns a socket that is bound to a port of the loopback, and does not listen.
    ///
    /// - Parameters:
    ///   - family: The family of the address.
    ///   - port: The port; 0 for any.
    ///   - reuses: True to take a port on which connections of before linger, as servers do.
    /// - Returns: The socket.
    /// - Throws: ``Taken``.
    private static func bound(_ family: Int32, _ port: Int, reuses: Bool) throws -> Int32 {
        #if canImport(Glibc)
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(family, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw Taken(code: errno) }
        var isOn: Int32 = 1
        if reuses {
            setsockopt(
                descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        }
        let result =
            family == AF_INET ? bindIPv4(descriptor, port) : bindIPv6(descriptor, port)
        guard result == 0 else {
            let code = errno
            close(descriptor)
            throw Taken(code: code)
        }
        return descriptor
    }

    private static func bindIPv4(_ descriptor: Int32, _ port: Int) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return attach(descriptor, &address)
    }

    private static func bindIPv6(_ descriptor: Int32, _ port: Int) -> Int32 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = in_port_t(port).bigEndian
        address.sin6_addr = in6addr_loopback
        return attach(descriptor, &address)
    }

    private static func attach<Address>(_ descriptor: Int32, _ address: inout Address) -> Int32 {
        let length = socklen_t(MemoryLayout<Address>.size)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length)
            }
        }
    }

    private static func port(of descriptor: Int32) -> Int {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &length)
            }
        }
        return Int(in_port_t(bigEndian: address.sin_port))
    }
}
