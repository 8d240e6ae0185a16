import Foundation
import Underway

/// The reason why a screen of boards or live events does not have the server's present state.
public enum StandingsObstacle: Error, Sendable, Hashable {
    /// The device works without a server.
    case noServer
    /// The device has no account yet.
    case noAccount
    /// The server asks the learner to sign in again.
    case signInAgain
    /// The server did not reply.
    case offline
    /// The server has no boards and no live events.
    case unavailable
    /// The server has no such board or event.
    case missing
    /// The server rejected the learner's choice, such as a name.
    case refused
    /// The server asks for a later request.
    case busy
    /// Another failure, with its details.
    case failed(String)

    /// Creates the reason of an error of a request.
    public init(_ error: any Error) {
        switch error {
        case let obstacle as StandingsObstacle: self = obstacle
        case let error as ServiceError:
            self = Self.known[error.code] ?? (error.status >= 500 ? .busy : .failed(error.message))
        default: self = .failed(error.localizedDescription)
        }
    }

    private static let known: [ServiceErrorCode: StandingsObstacle] = [
        .offline: .offline, .captivePortal: .offline, .timedOut: .offline, .transport: .offline,
        .noService: .noServer, .unspecified: .unavailable, .notFound: .missing,
        .unauthorized: .signInAgain, .reusedToken: .signInAgain, .wrongUser: .signInAgain,
        .noAccount: .signInAgain, .movedAccount: .signInAgain, .movedElsewhere: .signInAgain,
        .refused: .refused, .busy: .busy, .tooManyRequests: .busy, .postponed: .busy,
        .full: .busy, .moving: .busy,
    ]

    /// The steps with the account that resolve it, the first one first.
    public var steps: [AccountStep] {
        switch self {
        case .noAccount: [.signIn, .create]
        case .signInAgain: [.signIn]
        default: []
        }
    }

    /// True if the same request may succeed later, without another step of the learner.
    public var isPassing: Bool { self == .offline || self == .busy }

    /// The details for finding the cause; `nil` for a reason that needs none.
    public var details: String? {
        guard case .failed(let details) = self, !details.isEmpty else { return nil }
        return details
    }

    /// The key of the sentence that says the reason and what to do.
    public var key: String {
        switch self {
        case .noServer: "standing.noServer"
        case .noAccount: "standing.noAccount"
        case .signInAgain: "standing.signInAgain"
        case .offline: "freshness.offline"
        case .unavailable: "board.unavailable"
        case .missing: "standing.missing"
        case .refused: "board.nameRefused"
        case .busy: "standing.busy"
        case .failed: "standing.failed"
        }
    }
}
