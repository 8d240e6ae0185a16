/// What a problem document calls its reason (`code`), beside the HTTP status that comes with it.
public enum ProblemCode: String, Sendable, CaseIterable {
    /// The request itself is not right.
    case invalidRequest
    /// No token, or one that is not valid any more.
    case unauthorized
    /// A refresh token was used twice: all of its family are void.
    case reusedToken
    /// Email and password, or the external token, are not right.
    case wrongCredentials
    /// The token is another user's.
    case wrongUser
    /// Changing how an account is opened needs its password, or a sign-in a few minutes ago.
    case needsFreshSignIn
    /// Without this way in nobody could open the account from another device.
    case lastWayIn
    /// There is no such account any more.
    case noAccount
    /// The email belongs to an account already.
    case emailTaken
    /// There is no such address, collection or record.
    case notFound
    /// The record is not as the request says; `current` is what it is.
    case conflict
    /// The request must say which revision it replaces.
    case needsRevision
    /// The collection does not take such a record.
    case refused
    /// The body is longer than the limit.
    case tooLong
    /// The body is in an encoding or of a type that is not known.
    case unsupportedMediaType
    /// Too many requests; `Retry-After` says how long to wait.
    case tooManyRequests
    /// The user has had as many devices as allowed.
    case tooManyDevices
    /// Too much to do at the moment; nothing was stored, and `Retry-After` says when to try again.
    case busy
    /// The server's disk is full or fails, or its database is damaged; nothing was stored, and
    /// `Retry-After` says when to try again.
    case unavailable
    /// The server's database is of another version of the program; its operator must act.
    case outdatedSchema

    /// The HTTP status (RFC 9110, section 15; 428 and 429 of RFC 6585).
    public var status: Int {
        switch self {
        case .invalidRequest: 400
        case .unauthorized, .reusedToken, .wrongCredentials: 401
        case .wrongUser, .tooManyDevices, .needsFreshSignIn: 403
        case .notFound: 404
        case .conflict, .emailTaken, .lastWayIn: 409
        case .noAccount: 410
        case .tooLong: 413
        case .unsupportedMediaType: 415
        case .refused: 422
        case .needsRevision: 428
        case .tooManyRequests: 429
        case .busy, .unavailable, .outdatedSchema: 503
        }
    }

    /// The phrase that goes with the status.
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
        default: "Service Unavailable"
        }
    }
}
