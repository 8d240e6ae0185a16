/// The reply of a collector to a batch.
public enum TraceReply: Sendable, Hashable {
    /// A reply, with the status code and the seconds of `Retry-After`, if any.
    case status(Int, retryAfterSeconds: Int? = nil)
    /// No reply: no connection, a time limit, a cancellation.
    case noReply

    enum Outcome: Equatable {
        case exported
        case refused
        case retry(afterSeconds: Int?)
    }

    var outcome: Outcome {
        switch self {
        case .noReply: .retry(afterSeconds: nil)
        case .status(200..<300, _): .exported
        case .status(let code, let seconds) where [408, 429, 502, 503, 504].contains(code):
            .retry(afterSeconds: seconds)
        case .status: .refused
        }
    }
}
