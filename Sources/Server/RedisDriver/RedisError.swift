/// A failure of Redis or of its connection.
///
/// ```swift
/// do {
///     try await client.send(["ZADD", "board", "1", "ada"])
/// } catch let error as RedisError where error.code == .readOnly {
///     print("This is a replica.")
/// }
/// ```
public struct RedisError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; an open set.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name.
        public let rawValue: String

        /// Creates a code.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The kind of failure.
    public let code: Code
    /// The reason, without values or secrets.
    public let message: String

    /// Creates a failure.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The code and the reason.
    public var description: String { "\(code.rawValue): \(message)" }

    /// Names an error reply by its first word; its text may quote arguments, so the word alone remains.
    init(reply: String) {
        let word = String(reply.prefix { $0 != " " }.prefix(40))
        let code: Code =
            switch word {
            case "NOAUTH", "WRONGPASS", "NOPERM": .refused
            case "READONLY": .readOnly
            case "OOM": .outOfMemory
            case "LOADING", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN": .notReady
            case "NOSCRIPT": .noScript
            case "WRONGTYPE": .wrongType
            case "MISCONF", "BUSY": .notReady
            default: .serverError
            }
        self.init(code, "Redis replied with the error \(word).")
    }
}

extension RedisError.Code {
    /// The server is unreachable; the command was not sent.
    public static let unavailable = RedisError.Code(rawValue: "unavailable")
    /// The connection was lost after the command was sent: the command may have been executed.
    public static let connectionLost = RedisError.Code(rawValue: "connectionLost")
    /// The reply is overdue: the command may have been executed, or may still be.
    public static let timedOut = RedisError.Code(rawValue: "timedOut")
    /// Too many commands are in flight; this one was not sent.
    public static let busy = RedisError.Code(rawValue: "busy")
    /// The user or password is wrong, or the user lacks the permission.
    public static let refused = RedisError.Code(rawValue: "refused")
    /// The server is a replica that rejects writes.
    public static let readOnly = RedisError.Code(rawValue: "readOnly")
    /// The server's memory is full.
    public static let outOfMemory = RedisError.Code(rawValue: "outOfMemory")
    /// The server is starting or loading its data, or cannot write for now.
    public static let notReady = RedisError.Code(rawValue: "notReady")
    /// The key has a value of another type than the command needs.
    public static let wrongType = RedisError.Code(rawValue: "wrongType")
    /// The server does not have the script.
    public static let noScript = RedisError.Code(rawValue: "noScript")
    /// The server replied with another error: the command is wrong.
    public static let serverError = RedisError.Code(rawValue: "serverError")
    /// The peer violates RESP3, or exceeds the limits.
    public static let protocolViolation = RedisError.Code(rawValue: "protocolViolation")
    /// The client was closed.
    public static let closed = RedisError.Code(rawValue: "closed")
}
