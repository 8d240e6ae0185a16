import Foundation
package import PostgresDriver

/// The move of all users between the folder of a single server and the PostgreSQL database of several servers.
///
/// ```swift
/// let address = try PostgresAddress("postgres://postgres@db/underway")
/// let copy = UserCopy(UserFolder(URL(fileURLWithPath: "/var/lib/underway/users")), address)
/// let report = try await copy.toDatabase()
/// print(report.revocations)
/// ```
package struct UserCopy: Sendable {
    private let folder: UserFolder
    private let address: PostgresAddress

    /// Creates a move between a folder and a database.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - address: The address, with a login that is a member of `underway_owner`.
    package init(_ folder: UserFolder, _ address: PostgresAddress) {
        self.folder = folder
        self.address = address
    }

    /// Copies from the folder into the database, in one transaction.
    ///
    /// - Throws: `CopyError`, `SetupError` for the folder's files, or `PostgresError`.
    package func toDatabase() async throws -> CopyReport {
        let (folder, place) = (folder, address.description)
        return try await use { connection in
            try folder.read { source in
                try PostgresCopySession(connection, place: place).write { target in
                    let report = try DatabaseCopy(from: source, to: target).run()
                    try Self.takeKey(of: folder, connection)
                    return report
                }
            }
        }
    }

    /// Copies from the database into the folder, whose file appears when it is complete.
    ///
    /// - Throws: `CopyError`, `SetupError` for the folder's files, or `PostgresError`.
    package func toFolder() async throws -> CopyReport {
        let (folder, place) = (folder, address.description)
        return try await use { connection in
            try PostgresCopySession(connection, place: place).read { source in
                try Self.compareKeys(folder, connection)
                return try folder.make { target in
                    try DatabaseCopy(from: source, to: target).run()
                }
            }
        }
    }

    private func use(
        _ body: @Sendable (PostgresConnection) throws -> CopyReport
    ) async throws -> CopyReport {
        var settings = PoolSettings(address)
        settings.connectionsMax = 1
        // A statement that sorts all answers may take long, and a copy waits for it.
        settings.replyTimeout = .seconds(24 * 60 * 60)
        let pool = PostgresPool(settings)
        do {
            let report = try await pool.use(body)
            await pool.close()
            return report
        } catch {
            await pool.close()
            throw Self.named(error, address.description)
        }
    }

    /// Names a row that the target refuses.
    private static func named(_ error: any Error, _ place: String) -> any Error {
        guard let error = error as? PostgresError else { return error }
        let isOfRow =
            ["22", "23"].contains(error.code.conditionClass) && error.phase != .connecting
        guard isOfRow else { return error }
        return CopyError(
            .refusedRow, "\(place) refuses a row (\(error)). Nothing was copied.", place: place)
    }

    /// Lets servers start with the folder's key alone, whatever key one had that was tried on the empty database.
    private static func takeKey(of folder: UserFolder, _ connection: PostgresConnection) throws {
        guard let print = try folder.keyPrint() else {
            throw CopyError(
                .wrongCredentials,
                "\(folder.keys.path) has no token-key, by which sessions prove themselves. Name its folder with"
                    + " --keys. Nothing was copied.", place: folder.keys.path)
        }
        try connection.query(
            """
            INSERT INTO underway.setting (name, value) VALUES ('keyPrint', \(print))
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """)
    }

    /// Compares the folder's key with that of the processes which used the database, as far as both are there.
    private static func compareKeys(_ folder: UserFolder, _ connection: PostgresConnection) throws {
        let print = try connection.query(
            "SELECT value FROM underway.setting WHERE name = 'keyPrint'"
        ).column("value", as: String.self).first
        guard let print, let known = try folder.keyPrint(), known != print else { return }
        throw CopyError(
            .wrongCredentials,
            "\(folder.keys.path)/token-key is not the key of the servers on this database: restored sessions could"
                + " not prove themselves. Copy that file from one of them. Nothing was copied.",
            place: folder.keys.path)
    }
}
