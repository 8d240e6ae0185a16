import Foundation

/// Returns a TCP port of the loopback that nobody uses.
public func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
        }
    }
    guard bound else { throw ProgramFailure(description: "There is no free port.") }
    return Int(UInt16(bigEndian: address.sin_port))
}
