package import Accounts
import Boards
import Crypto
package import Foundation
package import Ledger
package import LiveEvents
import Operations
package import PostgresDriver
import Review
import Tables

extension UserBackend {
    /// Opens the service on PostgreSQL, for any number of processes.
    ///
    /// - Parameters:
    ///   - pool: Connections of the login `underway_server`, to a database of this version.
    ///   - options: The configuration. Each process has its own keys folder, but the same `token-key` in it.
    ///   - ranking: The places of running live events.
    ///   - clock: The wall clock.
    /// - Throws: `SetupError` for an unusable file or a key that differs from the other processes', `StorageError`,
    ///   or an error of the file system.
    package init(
        _ pool: PostgresPool, _ options: UserServiceOptions,
        ranking: any LiveRanking = MemoryRanking(),
        clock: @escaping @Sendable () -> Date = { Date() }
    ) async throws {
        let folder = options.keysFolder ?? options.folder
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let key = try ServerKey.read(in: folder)
        let accounts = try PostgresAccounts.withRooms(pool, folder: folder)
        guard try await accounts.hasKey(ServerKey.print(of: key)) else {
            throw SetupError(
                path: folder.path,
                "\(folder.path)/token-key is not the key that the other processes on this database use: tokens"
                    + " of one would be refused by another. Copy that file from one of them. If none has it"
                    + " any more, delete the row 'keyPrint' of underway.setting: then devices renew their tokens"
                    + " once, but a session that a restored backup lacks has to sign in again.")
        }
        var options = options
        let limits = PostgresRateLimits(pool)
        options.rateLimits = options.sharesRates?(limits) ?? limits
        await self.init(pool, accounts, options, ranking: ranking, clock: clock, key: key)
        try await prepare()
    }

    private init(
        _ pool: PostgresPool, _ accounts: PostgresAccounts, _ options: UserServiceOptions,
        ranking: any LiveRanking = MemoryRanking(), clock: @escaping @Sendable () -> Date,
        key: SymmetricKey
    ) async {
        await self.init(
            accounts: accounts, ledger: PostgresLedger(pool), options, clock: clock, key: key,
            administration: AdministrationStorage(pool))
        add(BoardService(BoardStorage(pool, changesMax: 10_000), clock: clock))
        add(EventService(EventStorage(pool), ranking: ranking, clock: clock))
        add(UptakeService(UptakeStorage(pool), clock: clock))
        add(review: ReviewStorage(pool), regrading: RegradeStorage(pool, accountsMax: 10_000))
    }

    /// Opens the service for an operator's command beside running servers; it cannot sign users in.
    ///
    /// - Parameter pool: Connections of the login `underway_server`, to a database of this version.
    /// - Returns: A service whose tokens no server accepts.
    /// - Throws: An error of the file system.
    package static func reader(_ pool: PostgresPool) async throws -> UserBackend {
        await UserBackend(
            pool,
            try PostgresAccounts.withRooms(pool),
            UserServiceOptions(folder: FileManager.default.temporaryDirectory), clock: { Date() },
            key: SymmetricKey(size: .bits256))
    }
}

extension MovedRows {
    /// The steps of all features when an account moves.
    package static let rooms = MovedRows([boards, events, regrades])
}

extension PostgresAccounts {
    /// Returns the accounts of a server, whose moves include the rows of all features.
    ///
    /// - Throws: An error of the file system.
    package static func withRooms(
        _ pool: PostgresPool, folder: URL? = nil
    ) throws -> PostgresAccounts {
        try PostgresAccounts(
            pool, folder: folder, moving: .rooms, schemaObstacle: PostgresMigrator.obstacle)
    }
}
