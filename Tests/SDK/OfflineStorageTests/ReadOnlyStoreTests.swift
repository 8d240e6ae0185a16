import ContentModel
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import OfflineStorage

/// An obstacle to opening a database, which a test removes.
private final class Obstacle: Sendable {
    private let state: Mutex<StoreError.Code?>

    init(_ code: StoreError.Code?) { state = Mutex(code) }

    var code: StoreError.Code? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// Stores whose disk cannot be written or read.
@Suite struct ReadOnlyStoreTests {
    private let folder: TemporaryFolder
    private var file: URL { folder.url.appending(path: "content.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    /// Makes a database with a setting, without a log beside it.
    private func makeDatabase() throws {
        let queue = try DatabaseQueue(path: file.path)
        try Schema.migrator.migrate(queue)
        try queue.write { try OfflineStore.set("name", "value", in: $0) }
        try queue.close()
    }

    private func setting(_ database: any DatabaseWriter) throws -> String? {
        try database.read {
            try String.fetchOne($0, sql: "SELECT value FROM setting WHERE name = 'name'")
        }
    }

    // MARK: ReadOnlyDatabase

    @Test(arguments: [false, true])
    func withoutADatabaseAnEmptyOneIsRead(hasEmptyFile: Bool) throws {
        if hasEmptyFile { try folder.write([], to: "content.sqlite") }
        let database = try ReadOnlyDatabase.open(file, Schema.migrator)
        #expect(try setting(database) == nil)
        #expect(try database.read(Schema.migrator.isComplete))
        #expect(folder.exists("content.sqlite") == hasEmptyFile)
    }

    @Test func aWholeDatabaseIsReadInItsPlace() throws {
        try makeDatabase()
        let database = try ReadOnlyDatabase.open(file, Schema.migrator)
        #expect(try setting(database) == "value")
        #expect(throws: DatabaseError.self) {
            try database.write { try OfflineStore.set("name", "other", in: $0) }
        }
    }

    @Test func anOlderDatabaseIsBroughtUpToDateInMemoryAlone() throws {
        try makeDatabase()
        var later = Schema.migrator
        later.registerMigration("later") { database in
            try database.execute(sql: "UPDATE setting SET value = 'later' WHERE name = 'name'")
        }
        let before = try folder.read("content.sqlite")
        let database = try ReadOnlyDatabase.open(file, later)
        #expect(try setting(database) == "later")
        #expect(try database.read(later.isComplete))
        #expect(try folder.read("content.sqlite") == before)
    }

    // MARK: A version before the first release

    @Test func userDataOfAVersionBeforeTheReleaseIsRefusedAndStays() throws {
        let file = folder.path + "/user.sqlite"
        try DatabaseQueue(path: file).write {
            try $0.execute(
                sql: """
                    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                    INSERT INTO grdb_migrations VALUES ('v1 user data');
                    CREATE TABLE person (user TEXT PRIMARY KEY NOT NULL) STRICT;
                    INSERT INTO person VALUES ('ada');
                    """)
        }
        let error = #expect(throws: StoreError.self) { _ = try UserStore(folder: folder.url) }
        #expect(error?.code == .damaged)
        #expect(error?.message.contains("was made before 0.1.0 of Underway") == true)
        let users = try DatabaseQueue(path: file).read {
            try String.fetchAll($0, sql: "SELECT user FROM person")
        }
        #expect(users == ["ada"])
    }

    @Test func contentOfAVersionBeforeTheReleaseIsRebuilt() throws {
        try makeDatabase()
        try DatabaseQueue(path: file.path).write {
            try $0.execute(sql: "UPDATE grdb_migrations SET identifier = 'v1 content'")
        }
        let store = try OfflineStore(folder: folder.url, appVersion: "")
        #expect(try store.setting("name") == "value")
        #expect(try store.database.read(Schema.migrator.isComplete))
        #expect(folder.exists("content.2.sqlite"))
    }

    @Test func damageIsNoEmptyDatabase() throws {
        try folder.write([UInt8](repeating: 7, count: 8192), to: "content.sqlite")
        let error = #expect(throws: DatabaseError.self) {
            try ReadOnlyDatabase.open(file, Schema.migrator)
        }
        #expect(error?.isDamage == true)
    }

    @Test func aFolderInItsPlaceIsUnreadable() throws {
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        #expect(throws: ReadOnlyDatabase.Unreadable.self) {
            try ReadOnlyDatabase.open(file, Schema.migrator)
        }
    }

    // MARK: StoreDatabase

    /// A source that cannot be opened for writing while there is a problem.
    private func source(
        _ obstacle: Obstacle, kind: StoreDatabase.Kind = .content,
        damage: Recorded<Bool> = Recorded()
    ) -> StoreDatabase.Source {
        let file = file
        return StoreDatabase.Source(
            kind: kind, migrator: Schema.migrator, file: { file },
            open: {
                if let code = obstacle.code { throw StoreError(code, "Make room.") }
                return StoreDatabase.Opened(writer: try DatabaseQueue(path: file.path), file: file)
            },
            damageFound: { damage.append(true) })
    }

    @Test func eachWriteTriesAgainAndReadsGoOn() throws {
        try makeDatabase()
        let obstacle = Obstacle(.storage)
        let database = try StoreDatabase(source(obstacle))
        #expect(database.access == .readOnly(StoreError(.storage, "Make room.")))
        #expect(database.access.error?.code == .storage)
        #expect(database.access.problem == "Make room.")
        for _ in 1...2 {
            let error = #expect(throws: StoreError.self) {
                try database.write { try OfflineStore.set("name", "other", in: $0) }
            }
            #expect(error?.code == .storage)
            #expect(try database.read { try $0.hasRows("setting") })
        }
        obstacle.code = nil
        try database.write { try OfflineStore.set("name", "other", in: $0) }
        #expect(database.access == .readWrite && database.access.problem == nil)
        #expect(try setting(ReadOnlyDatabase.open(file, Schema.migrator)) == "other")
    }

    @Test func damagedContentIsEmptyAndDamagedUserDataIsAnError() throws {
        try folder.write([UInt8](repeating: 7, count: 8192), to: "content.sqlite")
        let found = Recorded<Bool>()
        let obstacle = Obstacle(.storage)
        let database = try StoreDatabase(source(obstacle, damage: found))
        #expect(try database.read { try !$0.hasRows("setting") })
        #expect(found.values.count == 1)
        let error = #expect(throws: StoreError.self) {
            try StoreDatabase(source(obstacle, kind: .userData, damage: found))
        }
        #expect(error?.code == .damaged && found.values.count == 2)
        #expect(error?.message.contains("move it away") == true)
    }

    @Test func aValueOfAnotherTypeIsDamageAndAnErrorOfTheCallerIsNot() throws {
        try makeDatabase()
        let found = Recorded<Bool>()
        let database = try StoreDatabase(source(Obstacle(nil), damage: found))
        #expect(throws: CancellationError.self) {
            try database.read { _ in throw CancellationError() }
        }
        #expect(found.values.isEmpty)
        let error = #expect(throws: StoreError.self) {
            try database.read { try Date.fetchOne($0, sql: "SELECT value FROM setting") }
        }
        #expect(error?.code == .damaged && found.values == [true])
    }

    // MARK: OfflineStore

    @Test func aStoreInAPlaceThatIsNoFolderSaysSoUntilThereIsOne() throws {
        try folder.write("in the way", to: "store")
        let store = try OfflineStore(folder: folder.url.appending(path: "store"))
        let problem = try #require(store.access.problem)
        #expect(problem.contains("Name a folder"))
        let missing = #expect(throws: StoreError.self) { try store.asset("a") }
        #expect(missing?.code == .storage && missing?.message.contains(problem) == true)
        #expect(throws: StoreError.self) { try store.set("name", "value") }
        // No start counts, and none fails.
        #expect(try store.beginStart() == nil)
        try store.willShowFirstScreen()
        try store.confirmStart()
        try folder.remove("store")
        try store.set("name", "value")
        #expect(store.access == .readWrite && store.access.problem == nil)
        #expect(throws: StoreError.self) { try store.asset("a") }
        #expect(
            try OfflineStore(folder: folder.url.appending(path: "store")).setting("name") == "value"
        )
    }

    @Test func aStoreOpensWithoutBlockingAndThrowsNothingForABadFolder() async throws {
        try folder.write("in the way", to: "store")
        let blocked = try await OfflineStore.open(at: folder.url.appending(path: "store"))
        #expect(blocked.access.problem != nil)
        let store = try await OfflineStore.open(
            at: folder.url.appending(path: "deep/down"), appVersion: "7")
        #expect(store.access == .readWrite && store.appVersion == "7")
    }

    // MARK: FileVerification

    private func confirm(_ queue: DatabaseQueue, _ identity: FileIdentity?) throws {
        let opened = StoreDatabase.Opened(writer: queue, file: file)
        try FileVerification(file, #require(identity)).confirm(opened) { try $0.hasRows("setting") }
    }

    @Test func aDatabaseThatIsStillThereIsConfirmed() throws {
        try makeDatabase()
        try confirm(DatabaseQueue(path: file.path), FileIdentity(file))
    }

    @Test(arguments: [false, true])
    func aDatabaseThatWasRemovedOrReplacedIsNot(isReplaced: Bool) throws {
        try makeDatabase()
        let (queue, identity) = (try DatabaseQueue(path: file.path), FileIdentity(file))
        try FileManager.default.moveItem(at: file, to: folder.url.appending(path: "away"))
        if isReplaced { try makeDatabase() }
        let error = #expect(throws: StoreError.self) { try confirm(queue, identity) }
        #expect(error?.code == .storage)
        #expect(error?.message.contains("removed or replaced") == true)
    }
}
