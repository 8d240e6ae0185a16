import NIOHTTP1
import ServiceAPI

/// The accepted host names of a server; requests for others are rejected, so that a foreign name that resolves to this
/// machine (DNS rebinding) reads nothing.
package struct HostPolicy: Sendable {
    private let names: Set<String>

    /// Creates a policy that allows names in addition to the loopback's and the address of the connection.
    ///
    /// - Parameter names: Names or addresses, without a port.
    package init(names: [String] = []) {
        self.names = Set((names + ["localhost", "127.0.0.1", "[::1]"]).map { $0.lowercased() })
    }

    /// Returns whether requests for a host are accepted.
    ///
    /// - Parameters:
    ///   - host: The field `Host`.
    ///   - local: The address that the client connected to. A request for an address has no name
    ///     that another party could have pointed here.
    /// - Returns: True for a name that was allowed, or that address.
    func allows(_ host: String, local: String?) -> Bool {
        var name = host.lowercased()
        if let colon = name.lastIndex(of: ":"), !name.hasSuffix("]") {
            name = String(name[..<colon])
        }
        if name.hasSuffix(".") { name.removeLast() }
        if names.contains(name) { return true }
        guard let local, let address = ClientAddress(name) else { return false }
        return address == ClientAddress(local)
    }
}

/// The reason to reject a request by its head alone.
struct Refusal: Hashable {
    var status: HTTPResponseStatus
    var detail: String

    init(_ status: HTTPResponseStatus, _ detail: String) {
        self.status = status
        self.detail = detail
    }
}

/// The header fields that say whom a request is for and where it ends, found in one pass.
struct RequestFraming {
    private(set) var hosts = 0
    private(set) var host: String?
    private(set) var codings = 0
    private(set) var coding: String?
    private(set) var lengths = 0
    private(set) var length: String?
    private(set) var expectation: String?

    init(_ headers: HTTPHeaders) {
        for (name, value) in headers {
            // Comparing lengths first leaves most fields unread.
            switch name.utf8.count {
            case 4 where name.isField("host"):
                hosts += 1
                host = value
            case 6 where name.isField("expect"): expectation = value
            case 14 where name.isField("content-length"):
                lengths += 1
                length = value
            case 17 where name.isField("transfer-encoding"):
                codings += 1
                coding = value
            default: break
            }
        }
    }
}

/// The rules of HTTP for the head of a request (RFC 9110 and 9112).
struct RequestRules: Sendable {
    /// The accepted hosts; `nil` for all.
    var hosts: HostPolicy?

    /// Checks a request.
    ///
    /// - Parameters:
    ///   - head: The request.
    ///   - framing: Its framing fields.
    ///   - local: The address that the client connected to.
    /// - Returns: The reason to reject it; `nil` for a valid request.
    func refusal(
        _ head: HTTPRequestHead, _ framing: RequestFraming, local: @autoclosure () -> String?
    ) -> Refusal? {
        hostRefusal(head, framing, local) ?? bodyRefusal(head, framing)
    }

    private func hostRefusal(
        _ head: HTTPRequestHead, _ framing: RequestFraming, _ local: () -> String?
    ) -> Refusal? {
        guard framing.hosts == 1 || (framing.hosts == 0 && head.version == .http1_0) else {
            return Refusal(.badRequest, "A request has exactly one Host.")
        }
        guard let host = framing.host else {
            return hosts == nil ? nil : Refusal(.misdirectedRequest, "A request needs a Host here.")
        }
        guard host.utf8.allSatisfy(Self.isHostByte) else {
            return Refusal(.badRequest, "The Host is not a name and a port.")
        }
        if !head.uri.hasPrefix("/"), let start = head.uri.firstRange(of: "://")?.upperBound {
            let authority = head.uri[start...].prefix { $0 != "/" && $0 != "?" }
            guard authority.lowercased() == host.lowercased() else {
                return Refusal(.badRequest, "Host and the target's host differ.")
            }
        }
        guard hosts?.allows(host, local: local()) ?? true else {
            return Refusal(
                .misdirectedRequest, "This server was not told that it is this host (--allow-host)."
            )
        }
        return nil
    }

    /// Returns whether a byte is a letter, a digit or one of `- . _ : [ ] %`.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x25, 0x2D, 0x2E, 0x3A, 0x5B, 0x5D, 0x5F: true
        default: false
        }
    }

    private func bodyRefusal(_ head: HTTPRequestHead, _ framing: RequestFraming) -> Refusal? {
        if framing.codings > 0 {
            guard head.version == .http1_1, framing.codings == 1, framing.lengths == 0 else {
                return Refusal(.badRequest, "A body has one length.")
            }
            guard framing.coding?.lowercased() == "chunked" else {
                return Refusal(.notImplemented, "The only transfer coding is chunked.")
            }
        }
        if head.version == .http1_1, let expected = framing.expectation,
            expected.lowercased() != "100-continue"
        {
            return Refusal(.expectationFailed, "The only expectation is 100-continue.")
        }
        guard let text = framing.length else { return nil }
        guard framing.lengths == 1, let length = Int(text) else {
            return Refusal(.badRequest, "A body has one length.")
        }
        guard length <= ServiceLimits.bodyBytesMax else {
            return Refusal(.payloadTooLarge, "The body is longer than the limit.")
        }
        return nil
    }
}

/// The state of a request whose body is arriving.
struct IncomingRequest {
    /// The most remaining bytes of a body that are read after the reply to preserve the connection.
    private static let drainedBytesMax = 64 * 1024

    let head: HTTPRequestHead
    /// The declared length of the body; `nil` for chunked transfer.
    private let length: Int?
    private(set) var bodyBytes = 0
    /// True while the client waits for 100 (Continue) before it sends the body.
    var expectsContinue: Bool

    init(_ head: HTTPRequestHead, _ framing: RequestFraming) {
        self.head = head
        length = framing.codings > 0 ? nil : framing.length.map { Int($0) } ?? 0
        expectsContinue =
            head.version == .http1_1 && framing.expectation != nil && length != 0
    }

    mutating func received(_ count: Int) {
        bodyBytes += count
        expectsContinue = false
    }

    /// True when more of the body arrived than any route accepts.
    var isTooLong: Bool {
        bodyBytes > ServiceLimits.bodyBytesMax + Self.drainedBytesMax
    }

    /// True when the rest of the body is not worth reading once there is a reply: closing is
    /// cheaper.
    var isNotWorthDraining: Bool {
        guard let length, !expectsContinue else { return true }
        return length - bodyBytes > Self.drainedBytesMax
    }
}
