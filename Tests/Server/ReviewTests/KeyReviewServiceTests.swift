import Foundation
import Ledger
import Logging
import Publishing
import ServerApplication
import Synchronization
import Tables
import TestSupport
import Testing

@testable import Review

/// The steps of the service that reviews keys.
@Suite struct KeyReviewServiceTests {
    /// A database of which nothing can be read outside of a transaction that writes.
    private final class SilentTables: TableDatabase {
        let tables: UserDatabase
        let reads = Mutex(0)

        init() throws { tables = try .inMemory() }

        func read<Value: Sendable>(
            as role: TableRole, _ body: @escaping @Sendable (TableTransaction) throws -> Value
        ) async throws -> Value {
            reads.withLock { $0 += 1 }
            throw StorageError.busy
        }

        func write<Value: Sendable>(
            as role: TableRole, together: Bool,
            _ body: @escaping @Sendable (TableTransaction) throws -> Value
        ) async throws -> Value {
            try await tables.write(as: role, together: together, body)
        }
    }

    /// What the service tells of served releases.
    private final class Told: Sendable {
        let releases = Mutex<[Int]>([])
    }

    private let folder: TemporaryFolder
    private let tables: SilentTables
    private let told = Told()

    init() throws {
        (folder, tables) = (try TemporaryFolder(), try SilentTables())
        try folder.writeContent()
        _ = try Publisher(
            folder: folder.path + "/content", releaseDirectory: folder.path + "/release"
        ).publish(nowSeconds: 1_700_000_000, generatedAt: "2023-11-14T22:13:20Z")
    }

    /// Takes two steps of a service.
    private func stepTwice(failing error: (any Error)? = nil) async throws {
        var users = try await UserBackend(
            UserServiceOptions(folder: folder.url.appending(path: "users")))
        users.add(
            review: ReviewStorage(tables),
            regrading: RegradeStorage(tables.tables, accountsMax: 9))
        let made = KeyReviewService(
            users, release: folder.path + "/release", shares: ItemFacilities(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            watch: { [told] release in
                told.releases.withLock { $0.append(release) }
                if let error { throw error }
            })
        let service = try #require(made)
        var followed = KeyReviewService.Followed()
        for _ in 0..<2 { await service.step(&followed) }
    }

    @Test func aReleaseIsKnownAsServedWhileNothingCanBeReviewed() async throws {
        try await stepTwice()
        #expect(told.releases.withLock { $0 } == [1, 1])
    }

    @Test func keysAreReviewedWhileTheUptakeCannotBeCounted() async throws {
        try await stepTwice(failing: StorageError.busy)
        #expect(tables.reads.withLock { $0 } == 2)
    }
}
