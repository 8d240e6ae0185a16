extension ServiceLimits {
    /// The maximum number of a learner's newest reports that count; earlier ones remain visible to the learner alone.
    public static let reportsCountedMax = 50
    /// The maximum number of first answers that one read of the database returns.
    public static let firstAnswersPerRead = 50_000
    /// The maximum number of first answers in a process's memory for the analysis of keys, the oldest; 8 bytes each.
    public static let firstAnswersMax = 5_000_000
    /// The maximum number of earlier first answers that a consent adds, so that giving and revoking it does not delay
    /// others; later answers are added as they arrive.
    public static let firstAnswersPerConsent = 20_000
    /// The maximum number of changes of consents and reports that one transaction applies.
    public static let reviewChangesMax = 100
    /// The maximum number of proposals in one reply or listing.
    public static let proposalsMax = 1_000
    /// The maximum length of the reason for a decision, in bytes.
    public static let decisionReasonBytesMax = 1_000
    /// The maximum number of releases whose spread to the devices is listed.
    public static let releaseSpreadMax = 20
}
