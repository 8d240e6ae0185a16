extension ServiceLimits {
    /// The days since a device's last exchange after which it does not count in the uptake of content any more.
    public static let uptakeDays = 30
    /// The most releases that the uptake of content lists; the devices of all others are counted together.
    public static let uptakeReleasesMax = 20
    /// The devices whose last report a process remembers, so that it need not be stored again.
    public static let uptakeRemembered = 50_000
    /// The days for which an entry of the audit log is stored.
    public static let auditDays = 730
    /// The most entries of the audit log in one reply or listing.
    public static let auditPageMax = 1_000
    /// The longest text of an entry of the audit log, in bytes.
    public static let auditTextBytesMax = 300
    /// The requests for an operator's numbers that a user may make in a burst, and then each minute.
    public static let operationRequestsPerMinute = 60
}
