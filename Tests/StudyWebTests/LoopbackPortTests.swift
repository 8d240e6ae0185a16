import Foundation
import Testing

@testable import StudyWeb

/// The port of the study app, which nobody else may answer at.
@Suite struct LoopbackPortTests {
    @Test func thePortIsTheOneOfTheLastRunWhereItIsFree() throws {
        let last = try LoopbackPort(0).number
        #expect(try LoopbackPort(nil, last: last).number == last)
    }

    @Test func aPortThatIsTakenIsReplacedOrRefused() throws {
        let first = try LoopbackPort(0)
        try #require(Self.hasIPv6, "this machine has no ::1, so nothing is held")
        let second = try LoopbackPort(nil, last: first.number)
        #expect(second.number != first.number && second.number > 0)
        let refusal = #expect(throws: LoopbackPort.Taken.self) { try LoopbackPort(first.number) }
        #expect(refusal?.code == EADDRINUSE)
    }

    @Test func theOtherAddressOfThePortIsHeldAsLongAsThePort() throws {
        try #require(Self.hasIPv6, "this machine has no ::1, so nothing is held")
        var port: LoopbackPort? = try LoopbackPort(0)
        let number = try #require(port).number
        #expect(!Self.canListen(atPort: number))
        port = nil
        #expect(Self.canListen(atPort: number))
    }

    private static var hasIPv6: Bool { canListen(atPort: 0) }

    /// Tries to listen at `::1` as another user would, willing to share the port.
    private static func canListen(atPort port: Int) -> Bool {
        let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var isOn: Int32 = 1
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = in_port_t(port).bigEndian
        address.sin6_addr = in6addr_loopback
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
            }
        }
        return isBound && listen(descriptor, 1) == 0
    }
}
