/// A failure of Redis, or of the way to it.
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

        /// Names a code.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The kind of failure.
    public let code: Code
    /// The reason, without a value or a secret.
    public let message: String

    /// Describes a failure.
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
    /// There is no connection, and none could be made; the command was not sent.
    public static let unavailable = RedisError.Code(rawValue: "unavailable")
    /// The connection was lost after the command was sent: it may have been executed.
    public static let connectionLost = RedisError.Code(rawValue: "connectionLost")
    /// No reply came in time: the command may have been executed, or may be.
    public static let timedOut = RedisError.Code(rawValue: "timedOut")
    /// Too many commands are in flight; this one was not sent.
    public static let busy = RedisError.Code(rawValue: "busy")
    /// User or password are wrong, or the user may not do that.
    public static let refused = RedisError.Code(rawValue: "refused")
    /// The server is a replica that takes no writes.
    public static let readOnly = RedisError.Code(rawValue: "readOnly")
    /// The server's memory is full.
    public static let outOfMemory = RedisError.Code(rawValue: "outOfMemory")
    /// The server starts, loads its data, or cannot write for now.
    public static let notReady = RedisError.Code(rawValue: "notReady")
    /// A key holds another kind of value than the command is for.
    public static let wrongType = RedisError.Code(rawValue: "wrongType")
    /// The server does not know the script.
    public static let noScript = RedisError.Code(rawValue: "noScript")
    /// The server replied with another error: the command is wrong.
    public static let serverError = RedisError.Code(rawValue: "serverError")
    /// The peer does not speak RESP3, or beyond the limits.
    public static let protocolViolation = RedisError.Code(rawValue: "protocolViolation")
    /// The client was closed.
    public static let closed = RedisError.Code(rawValue: "closed")
}
