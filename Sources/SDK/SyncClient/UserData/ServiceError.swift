public import ContentModel
import ServiceAPI

/// A refusal of the service, or a failure to reach it.
///
/// ```swift
/// func field(_ error: ServiceError) -> String? {
///     switch error.code {
///     case .emailTaken: "email"
///     case .wrongCredentials, .needsFreshSignIn: "password"
///     default: nil
///     }
/// }
/// print(field(ServiceError(.emailTaken, "The email belongs to an account.", status: 409)) ?? "")
/// ```
public typealias ServiceError = CodedError<ServiceErrorCode>

/// The kind of a failure: an open set, so a `switch` over it needs a `default`.
///
/// A code that only a newer server defines has the server's name for it.
public struct ServiceErrorCode: ErrorCode {
    /// The name of the kind, stable between versions; the server's own for its refusals.
    public let rawValue: String

    /// Creates a kind with a name; use the static members where one exists.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The additional values of a failure.
    public struct Details: Hashable, Sendable {
        /// The HTTP status; 0 when there was no reply.
        public var status: Int
        /// The wait that the server requested, in whole seconds.
        public var retryAfter: Duration?
    }
}

extension ServiceError {
    /// Creates a failure.
    public init(
        _ code: Code, _ message: String, status: Int = 0, retryAfter: Duration? = nil,
        cause: (any Error)? = nil
    ) {
        let details = Code.Details(status: status, retryAfter: retryAfter)
        self.init(code, message, details: details, cause: cause)
    }

    static func answersDiffer(_ count: Int) -> ServiceError {
        ServiceError(
            .answersDiffer,
            count > 0
                ? "This device and the server differ in \(count) answers. Export this device's data, and"
                    + " tell the operator of the server."
                : "The server did not confirm the answers of this device. Sync again later."
        )
    }

    /// Creates the error of an account that was joined with another one while changes of this device are pending.
    static func joinedElsewhere(_ waitingCount: Int) -> ServiceError {
        let words = "This account was joined with another one. Sign in to that one"
        let changes = waitingCount == 1 ? "1 change" : "\(waitingCount) changes"
        let verb = waitingCount == 1 ? "waits" : "wait"
        return ServiceError(
            .movedAccount,
            waitingCount == 0 ? words + "." : words + "; \(changes) of this device \(verb) for it.",
            status: 410)
    }

    static var deletedElsewhere: ServiceError {
        ServiceError(
            .noAccount,
            "This account was deleted on another device. Delete the copy here, or go on with a new account.",
            status: 410)
    }

    /// Creates the error of an account without a sign-in method whose session has ended.
    static func unreachableAccount(_ code: Code) -> ServiceError {
        ServiceError(
            code,
            "This device cannot reach its account. Everything on it is safe; go on with a new account.",
            status: 401)
    }

    static var signInAgain: ServiceError {
        ServiceError(.unauthorized, "Sign in again.", status: 401)
    }
}

extension ServiceErrorCode {
    // MARK: Without a reply

    /// No reply from the server: no network, or a broken connection; retry later.
    public static let offline = Self(rawValue: "offline")
    /// A web page instead of the server's reply, as from a network that requires a sign-in; nothing was done.
    public static let captivePortal = Self(rawValue: "captivePortal")
    /// A reply that did not arrive in time.
    public static let timedOut = Self(rawValue: "timedOut")
    /// A plain HTTP address of another device, which the transport does not allow.
    public static let insecureAddress = Self(rawValue: "insecureAddress")
    /// A URL that is not the address of a web server.
    public static let badAddress = Self(rawValue: "badAddress")
    /// Tokens that another server issued; nothing was sent.
    public static let otherServer = Self(rawValue: "otherServer")
    /// A failure of the app's own transport.
    public static let transport = Self(rawValue: "transport")
    /// A cancelled task; nothing is lost.
    public static let cancelled = Self(rawValue: "cancelled")
    /// A device that cannot store or read user data; the cause is a `StoreError`.
    public static let storage = Self(rawValue: "storage")
    /// Another user signed in on this device during the sync.
    public static let userChanged = Self(rawValue: "userChanged")
    /// A deletion to which the server did not reply; each sync retries it.
    public static let deletionUnknown = Self(rawValue: "deletionUnknown")
    /// An account deleted on the server while this device still has a copy, which the next sync removes.
    public static let deletedThere = Self(rawValue: "deletedThere")
    /// An address at which no server offers user data.
    public static let noService = Self(rawValue: "noService")
    /// An error of the keychain, or of the app's own secret store; see the error's cause.
    public static let unexpected = Self(rawValue: "unexpected")

    // MARK: Replies that do not end a sync well

    /// A server that requests a later retry.
    public static let postponed = Self(rawValue: "postponed")
    /// A server that accepts no more data for now.
    public static let full = Self(rawValue: "full")
    /// Answers that differ between server and device, even after a comparison one by one.
    public static let answersDiffer = Self(rawValue: "answersDiffer")
    /// Changes of collections that the server does not know.
    public static let unknownCollection = Self(rawValue: "unknownCollection")
    /// A reply that cannot be read.
    public static let unreadableReply = Self(rawValue: "unreadableReply")

    // MARK: Refusals

    /// A reply without a readable reason, as from a host that offers no user data.
    public static let unspecified = Self(rawValue: "unspecified")
    /// A request that is invalid in itself.
    public static let invalidRequest = Self(.invalidRequest)
    /// A missing, invalid or expired token: the user must sign in again.
    public static let unauthorized = Self(.unauthorized)
    /// A refresh token that was used twice: the user must sign in again.
    public static let reusedToken = Self(.reusedToken)
    /// A wrong password, code or external token.
    public static let wrongCredentials = Self(.wrongCredentials)
    /// A token of another user.
    public static let wrongUser = Self(.wrongUser)
    /// A change that requires the account's password, or a sign-in a few minutes ago.
    public static let needsFreshSignIn = Self(.needsFreshSignIn)
    /// A route that requires a role which the account lacks.
    public static let forbidden = Self(.forbidden)
    /// The last sign-in method, without which no other device could open the account.
    public static let lastSignInMethod = Self(.lastSignInMethod)
    /// An account that was deleted.
    public static let noAccount = Self(.noAccount)
    /// An account that is being joined with another one: nothing is lost, and the next sync resumes the move.
    public static let moving = Self(.moving)
    /// An account that was joined with another one: the user signs in to that one.
    public static let movedAccount = Self(.movedAccount)
    /// An account that was, or is being, joined with a third one.
    public static let movedElsewhere = Self(.movedElsewhere)
    /// An account with a role, which cannot be joined with another one.
    public static let hasRole = Self(.hasRole)
    /// Two accounts whose data together exceeds the limits of one.
    public static let tooMuch = Self(.tooMuch)
    /// An email that already belongs to an account.
    public static let emailTaken = Self(.emailTaken)
    /// An address, collection or record that does not exist.
    public static let notFound = Self(.notFound)
    /// A record whose revision is not the one in the request.
    public static let conflict = Self(.conflict)
    /// A record that its collection does not accept.
    public static let refused = Self(.refused)
    /// A body that is longer than the limit.
    public static let tooLong = Self(.tooLong)
    /// Too many requests; wait for the error's `retryAfter`.
    public static let tooManyRequests = Self(.tooManyRequests)
    /// More devices than an account may have.
    public static let tooManyDevices = Self(.tooManyDevices)
    /// A server that is overloaded, or whose disk fails; nothing was stored: retry later.
    public static let busy = Self(.busy)

    private init(_ code: ProblemCode) { self.init(rawValue: code.rawValue) }
}
