extension ServiceLimits {
    /// The newest reports of a learner that count; earlier ones stay with the learner alone.
    public static let reportsCountedMax = 50
    /// The first answers that are read from the database at once.
    public static let firstAnswersPerRead = 50_000
    /// The first answers that a process has in memory for the analysis of keys, the oldest; 8 bytes each.
    public static let firstAnswersMax = 5_000_000
    /// The earlier first answers that a consent adds, so that giving and taking it back costs others no time; later answers
    /// are added as they come.
    public static let firstAnswersPerConsent = 20_000
    /// The changes of consents and reports that one transaction applies.
    public static let reviewChangesMax = 100
    /// The proposals in one reply or listing.
    public static let proposalsMax = 1_000
    /// The longest reason for a decision, in bytes.
    public static let decisionReasonBytesMax = 1_000
    /// The releases whose way to the devices is listed.
    public static let releaseSpreadMax = 20
}
