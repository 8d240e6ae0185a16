extension ServiceLimits {
    /// The maximum number of events of a server.
    public static let eventsMax = 100
    /// The maximum length of an event, in seconds: the second of a score has 20 bits in the ranking's order.
    public static let eventSecondsMax = 1 << 20 - 1
    /// The maximum number of points of a submission, by any rule.
    public static let eventPointsMax = 10_000
    /// The maximum number of submissions of a learner, by any rule.
    public static let eventSubmissionsMax = 10_000
    /// The maximum length of a submission's id, in bytes.
    public static let submissionIDBytesMax = 64
    /// The requests about events that a user may make in a burst, and then each minute.
    public static let eventRequestsPerMinute = 120
    /// The minimum interval between two frames of an event's stream, in milliseconds.
    public static let eventFrameMilliseconds = 500
    /// The interval of heartbeats on a silent stream of an event, in seconds.
    public static let eventHeartbeatSeconds = 10
    /// The interval at which a stream of an event checks if its session has ended, in seconds.
    public static let eventSessionSeconds = 10
    /// The maximum duration of a stream of an event, in seconds; a client then reconnects.
    public static let eventStreamSecondsMax = 600
    /// The maximum number of streams of events of a process.
    public static let eventWatchersMax = 10_000
    /// The maximum number of streams of events of a user in a process.
    public static let eventWatchersPerUser = 5
    /// The time after the end of an event at which its final places are stored, in seconds.
    public static let eventFreezeSeconds = 5
}
