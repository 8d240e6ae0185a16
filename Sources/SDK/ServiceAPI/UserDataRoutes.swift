/// The paths of accounts and user data.
public enum UserDataRoutes {
    /// The path that pushes and pulls in one round trip.
    public static let exchange = "/api/sync/v1/exchange"
    /// The path of single records, for tools and pages.
    public static let collections = "/api/v1/collections"
    /// The path of answer counts by day and by domain.
    public static let progress = "/api/v1/progress"
    /// The path of leaderboards.
    public static let boards = "/api/v1/boards"
    /// The path of live events.
    public static let events = "/api/v1/events"
    /// The path of the uptake of releases, for accounts with a role.
    public static let uptake = "/api/operations/v1/uptake"
    /// The path of the audit log, for administrators.
    public static let audit = "/api/operations/v1/audit"
    /// The path of the learner's own profile on leaderboards.
    public static let profile = "/api/v1/profile"
    /// The path below which accounts are created, opened and deleted.
    public static let accounts = "/api/accounts/v1"
    /// The path that moves an account into the signed-in one.
    public static let move = "/api/accounts/v1/move"
    /// The path of an account's devices.
    public static let devices = "/api/accounts/v1/devices"
    /// The path of the OpenAPI description.
    public static let description = "/api/openapi.json"
}
