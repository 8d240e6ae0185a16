import Accounts
import Boards
package import Crypto
package import Foundation
import GRDB
package import Ledger
package import LiveEvents
import Operations
import Review
package import Tables

extension UserBackend {
    /// Opens the service.
    ///
    /// - Parameters:
    ///   - options: The configuration.
    ///   - ranking: The places of running live events.
    ///   - clock: The wall clock.
    /// - Throws: `SetupError` for an unusable file, or an error of the file system.
    package init(
        _ options: UserServiceOptions, ranking: any LiveRanking = MemoryRanking(),
        clock: @escaping @Sendable () -> Date = { Date() }
    ) async throws {
        try FileManager.default.createDirectory(
            at: options.folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let keys = options.keysFolder ?? options.folder
        try FileManager.default.createDirectory(
            at: keys, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let path = options.folder.appending(path: UserServiceOptions.databaseName).path
        try await self.init(
            UserDatabase(path: path), options, clock: clock, key: ServerKey.read(in: keys),
            keysFolder: keys, ranking: ranking)
        try await prepare()
    }

    /// Opens the service on a database of SQLite.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - options: The configuration, whose folders are ignored.
    ///   - clock: The wall clock.
    ///   - key: The server's secret.
    ///   - keysFolder: The folder of the journal and the mark; `nil` for a service in memory.
    ///   - ranking: The places of running live events.
    /// - Throws: An error of the file system.
    package init(
        _ database: UserDatabase, _ options: UserServiceOptions,
        clock: @escaping @Sendable () -> Date, key: SymmetricKey, keysFolder: URL? = nil,
        ranking: any LiveRanking = MemoryRanking()
    ) async throws {
        await self.init(
            accounts: try SQLiteAccounts(database, folder: keysFolder, moving: .rooms),
            ledger: SQLiteLedger(database: database), options, clock: clock, key: key,
            difficulties: QuestionDifficulties(database),
            administration: AdministrationStorage(database))
        add(BoardService(BoardStorage(database, changesMax: 1_000), clock: clock))
        add(EventService(EventStorage(database), ranking: ranking, clock: clock))
        add(UptakeService(UptakeStorage(database), clock: clock))
        add(
            review: ReviewStorage(database), regrading: RegradeStorage(database, accountsMax: 1_000)
        )
    }

    /// Opens the service on SQLite for an operator's command beside a running server; it cannot sign users in.
    ///
    /// - Parameter database: The server's database.
    /// - Returns: A service whose tokens no server accepts.
    /// - Throws: An error of the file system.
    package static func reader(_ database: UserDatabase) async throws -> UserBackend {
        try await UserBackend(
            database, UserServiceOptions(folder: FileManager.default.temporaryDirectory),
            clock: { Date() }, key: SymmetricKey(size: .bits256))
    }
}
