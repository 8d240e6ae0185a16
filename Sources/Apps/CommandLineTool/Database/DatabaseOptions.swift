import ArgumentParser
import Foundation
import PostgresDriver

/// The database of a server, by its address.
struct DatabaseOptions: ParsableArguments {
    /// The variable of the environment that has the address, which others could read on a command line.
    static let variable = "UNDERWAY_DATABASE"

    @Option(
        help: """
            The PostgreSQL database, for example postgres://user:password@host:port/database?sslmode=verify-full \
            (default: the variable UNDERWAY_DATABASE). Without a password in it, PGPASSWORD or ~/.pgpass is used.
            """)
    var database: String?

    /// The address as it was given; `nil` when there is none.
    private var text: String? {
        if let database { return database }
        let text = ProcessInfo.processInfo.environment[Self.variable]
        return text?.isEmpty == true ? nil : text
    }

    /// True when an address was given.
    var isGiven: Bool { text != nil }

    /// Parses the address.
    ///
    /// - Returns: `nil` when none was given.
    /// - Throws: `ValidationError` for one that cannot be read.
    func address() throws -> PostgresAddress? {
        guard let text else { return nil }
        do {
            var address = try PostgresAddress(text)
            if address.applicationName == nil { address.applicationName = "underway" }
            return address
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// Parses the address of a command that cannot do without.
    ///
    /// - Throws: `ValidationError` for one that cannot be read, and when none was given.
    func neededAddress() throws -> PostgresAddress {
        guard let address = try address() else {
            throw ValidationError("Name the database: --database ADDRESS, or UNDERWAY_DATABASE.")
        }
        return address
    }
}
