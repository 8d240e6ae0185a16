/// The paths of accounts and user data.
public enum UserDataRoutes {
    /// Pushes and pulls in one round trip.
    public static let exchange = "/api/sync/v1/exchange"
    /// Single records, for tools and pages.
    public static let collections = "/api/v1/collections"
    /// Answers by day and by domain.
    public static let progress = "/api/v1/progress"
    /// Under which accounts are made, opened and closed.
    public static let accounts = "/api/accounts/v1"
    /// The devices of an account.
    public static let devices = "/api/accounts/v1/devices"
    /// The OpenAPI description.
    public static let description = "/api/openapi.json"
}
