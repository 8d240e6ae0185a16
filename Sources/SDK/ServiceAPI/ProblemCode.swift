/// The reason in a problem document (`code`), in addition to its HTTP status.
public enum ProblemCode: String, Sendable, CaseIterable {
    /// The request is malformed.
    case invalidRequest
    /// The token is missing, expired or revoked.
    case unauthorized
    /// A refresh token was used twice: all tokens of its family are revoked.
    case reusedToken
    /// Email and password, or the external token, are wrong.
    case wrongCredentials
    /// The token belongs to another user.
    case wrongUser
    /// A change of a sign-in method requires the password, or a sign-in a few minutes ago.
    case needsFreshSignIn
    /// The last sign-in method of an account cannot be removed: no other device could sign in.
    case lastSignInMethod = "lastWayIn"
    /// The account lacks the role that the route requires.
    case forbidden
    /// The account was deleted.
    case noAccount
    /// The account is moving into another one; retry after `Retry-After`.
    case moving
    /// The account was moved into another one, which has all its data.
    case movedAccount
    /// The account is moving, or was moved, into an account other than the one in the request.
    case movedElsewhere
    /// An account with a role cannot be moved.
    case hasRole
    /// Two accounts together exceed a limit of one; the reply has the numbers, and nothing was changed.
    case tooMuch
    /// The email already belongs to an account.
    case emailTaken
    /// The address, collection or record does not exist.
    case notFound
    /// The record's revision is not the one in the request; `current` is its present state.
    case conflict
    /// The request must include the revision that it replaces.
    case needsRevision
    /// The collection does not accept the record.
    case refused
    /// The body exceeds the limit.
    case tooLong
    /// The encoding or type of the body is not supported.
    case unsupportedMediaType
    /// The client sent too many requests; `Retry-After` states the wait.
    case tooManyRequests
    /// The user has reached the maximum number of devices.
    case tooManyDevices
    /// The server is overloaded; nothing was stored: retry after `Retry-After`.
    case busy
    /// The server's disk is full or fails, or its database is damaged; nothing was stored: retry after `Retry-After`.
    case unavailable
    /// The server's database is of another version of the program; its operator must act.
    case outdatedSchema
    /// The server's database rejects a statement of the program, for example because of a missing privilege; its
    /// operator must act, and nothing was stored.
    case serverError

    /// The HTTP status (RFC 9110, section 15; 428 and 429 of RFC 6585).
    public var status: Int {
        switch self {
        case .invalidRequest: 400
        case .unauthorized, .reusedToken, .wrongCredentials: 401
        case .wrongUser, .tooManyDevices, .needsFreshSignIn, .forbidden: 403
        case .notFound: 404
        case .conflict, .emailTaken, .lastSignInMethod, .moving, .movedElsewhere, .hasRole,
            .tooMuch:
            409
        case .noAccount, .movedAccount: 410
        case .tooLong: 413
        case .unsupportedMediaType: 415
        case .refused: 422
        case .needsRevision: 428
        case .tooManyRequests: 429
        case .serverError: 500
        case .busy, .unavailable, .outdatedSchema: 503
        }
    }

    /// The reason phrase of the status.
    public var title: String {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 409: "Conflict"
        case 410: "Gone"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 422: "Unprocessable Content"
        case 428: "Precondition Required"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        default: "Service Unavailable"
        }
    }
}
