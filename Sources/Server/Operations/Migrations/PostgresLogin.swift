package import PostgresDriver

/// A login that row level security does not bind.
package struct PostgresLoginError: Error, Hashable, CustomStringConvertible {
    /// The login.
    package let name: String

    /// The reason, and the remedy.
    package var description: String {
        "The login \(name) is a superuser or bypasses row level security, which keeps users' rows apart."
            + " Let the server log in as underway_server."
    }
}

/// The program's login, as the database reports it.
package enum PostgresLogin {
    /// Checks that policies bind the login.
    ///
    /// - Throws: `PostgresLoginError` if they do not, or `PostgresError`.
    package static func check(_ connection: PostgresConnection) throws {
        let row = try connection.query(
            """
            SELECT rolname AS name, rolsuper OR rolbypassrls AS is_free
            FROM pg_catalog.pg_roles WHERE rolname = session_user
            """
        ).first
        guard let row, try row.value("is_free", as: Bool.self) else { return }
        throw PostgresLoginError(name: try row.value("name"))
    }
}
