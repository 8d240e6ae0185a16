/// A fault of a network, which ``TestNetwork`` applies to requests.
///
/// ```swift
/// network.fail("manifest.json", with: .unavailable(retryAfter: .seconds(30)), times: 1)
/// ```
public enum NetworkFault: Sendable, Hashable {
    /// A missing network; the host never receives the request.
    case offline
    /// An expired deadline; the host never receives the request.
    case timedOut
    /// A connection that breaks after the host has processed the request, before its reply arrives.
    case replyLost
    /// A web page that requires a sign-in to the network, in place of the reply.
    case captivePortal
    /// Status 503 in place of the reply.
    case unavailable(retryAfter: Duration? = nil)
    /// Another reply in place of the host's.
    case reply(TestReply)
    /// A flipped bit in the middle of the body.
    case damagedBody
    /// A connection that breaks after that many bytes of the body.
    case brokenBody(afterBytes: Int)

    /// Returns the reply that a device gets instead of a host's.
    ///
    /// - Parameter reply: Returns the host's reply; not called if the host never receives the request.
    /// - Returns: The reply with the fault.
    func applied(to reply: () -> TestReply) -> TestReply {
        switch self {
        case .offline: return .offline
        case .timedOut: return .timedOut
        case .captivePortal: return .captivePortal
        case .unavailable(let retryAfter): return .unavailable(retryAfter: retryAfter)
        case .reply(let other): return other
        case .replyLost:
            _ = reply()
            return .offline
        case .damagedBody:
            var reply = reply()
            if !reply.body.isEmpty { reply.body[reply.body.count / 2] ^= 1 }
            return reply
        case .brokenBody(let count):
            var reply = reply()
            reply.breaksAfterBytes = count
            return reply
        }
    }
}
