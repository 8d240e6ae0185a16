/// The limits of a client: of what it reads, and of what waits.
public struct RedisLimits: Sendable, Hashable {
    /// The levels of nested replies.
    public var depthMax = 8
    /// The bytes of one text.
    public var textBytesMax = 1024 * 1024
    /// The elements of one list, set or map, and of all in one reply.
    public var elementsMax = 100_000
    /// The bytes of one reply.
    public var replyBytesMax = 8 * 1024 * 1024
    /// The commands whose reply has not arrived.
    public var inFlightMax = 10_000
    /// The bytes of those.
    public var inFlightBytesMax = 16 * 1024 * 1024
    /// The time limit of a command, and of connecting.
    public var timeout = Duration.seconds(1)
    /// The time without any reply after which a connection with commands in flight is closed.
    public var silenceMax = Duration.seconds(5)

    /// Takes the limits above.
    public init() {}
}
