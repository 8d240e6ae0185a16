/// The limits of a client on replies and on commands in flight.
public struct RedisLimits: Sendable, Hashable {
    /// The maximum depth of nested replies.
    public var depthMax = 8
    /// The maximum size of one text, in bytes.
    public var textBytesMax = 1024 * 1024
    /// The maximum number of elements in one list, set or map, and in one reply.
    public var elementsMax = 100_000
    /// The maximum size of one reply, in bytes.
    public var replyBytesMax = 8 * 1024 * 1024
    /// The maximum number of commands in flight.
    public var inFlightMax = 10_000
    /// The maximum size of the commands in flight, in bytes.
    public var inFlightBytesMax = 16 * 1024 * 1024
    /// The time limit of a command, and of connecting.
    public var timeout = Duration.seconds(1)
    /// The time without any reply after which a connection with commands in flight is closed.
    public var silenceMax = Duration.seconds(5)

    /// Creates the limits above.
    public init() {}
}
