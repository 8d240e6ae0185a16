extension ServiceLimits {
    /// The maximum number of places in the top list of a board.
    public static let boardTopMax = 100
    /// The default number of places in the top list of a board.
    public static let boardTopDefault = 10
    /// The number of places before and after the learner's own.
    public static let boardNeighbours = 5
    /// The maximum number of friends in one request.
    public static let boardFriendsMax = 50
    /// The requests for boards that a user may make in a burst, and then each minute.
    public static let boardRequestsPerMinute = 60
    /// The maximum length of a display name, in characters as a reader sees them.
    public static let displayNameCharactersMax = 30
    /// The maximum length of a display name, in bytes of UTF-8.
    public static let displayNameBytesMax = 120
    /// The maximum number of boards of a server.
    public static let boardsMax = 100
    /// The number of a learner's newest sessions of an exam that boards count.
    public static let boardSessionsMax = 8_000
    /// The maximum number of values in a reply about boards.
    public static let boardNodesMax = 10_000
    /// The interval between two refreshes of the boards, in seconds.
    public static let boardRefreshSeconds = 60
}
