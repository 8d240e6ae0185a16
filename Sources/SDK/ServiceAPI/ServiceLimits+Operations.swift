extension ServiceLimits {
    /// The days since a device's last exchange after which it no longer counts in the uptake of content.
    public static let uptakeDays = 30
    /// The maximum number of releases in the uptake of content; the devices of all others are counted together.
    public static let uptakeReleasesMax = 20
    /// The maximum number of devices whose last report a process caches, so that it is not stored again.
    public static let uptakeRemembered = 50_000
    /// The retention of an entry of the audit log, in days.
    public static let auditDays = 730
    /// The maximum number of entries of the audit log in one reply or listing.
    public static let auditPageMax = 1_000
    /// The maximum length of a text in an entry of the audit log, in bytes.
    public static let auditTextBytesMax = 300
    /// The requests for an operator's numbers that a user may make in a burst, and then each minute.
    public static let operationRequestsPerMinute = 60
}
