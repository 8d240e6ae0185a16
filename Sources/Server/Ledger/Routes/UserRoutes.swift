package import Accounts
package import ContentServer
package import Hummingbird
package import ServiceAPI
package import UserData

/// The routes of accounts and user data.
package enum UserRoutes {
    /// Adds the routes, and the rate limit of account routes by address.
    ///
    /// - Parameters:
    ///   - router: The router.
    ///   - users: The service.
    ///   - caller: The authenticator of requests.
    ///   - metrics: The metrics of exchanges; `nil` for none.
    ///   - noteContent: A function that stores the content that a user's device reports.
    package static func add(
        to router: Router<ServerContext>, users: UserBackend, caller: RequestAuthenticator,
        metrics: ServerMetrics?,
        noteContent: @escaping @Sendable (InstalledContent, String, ClientID) async -> Void
    ) {
        router.add(middleware: AccountLimitMiddleware(caller: caller))
        AccountController(users: users, caller: caller).addRoutes(to: router)
        ExchangeController(
            users: users, caller: caller, metrics: metrics, noteContent: noteContent
        ).addRoutes(to: router)
        DeviceController(users: users, caller: caller).addRoutes(to: router)
        CollectionController(users: users, caller: caller).addRoutes(to: router)
    }
}
