import Foundation
import GRDB
import TestSupport
import Testing

@testable import Accounts
@testable import Tables

/// The file of a database that goes, or breaks, under the server.
@Suite struct OpenedFileTests {
    private let folder: TemporaryFolder
    private let database: UserDatabase
    private var path: String { folder.path + "/users.sqlite" }

    init() throws {
        folder = try TemporaryFolder()
        database = try UserDatabase(path: folder.path + "/users.sqlite")
    }

    private func write() async throws {
        let service = AdministrationService(AdministrationStorage(database)) { Date() }
        try await service.note(.boardDefined, "b", by: "operator:a")
    }

    @Test(arguments: ["remove", "move", "replace"])
    func nothingIsWrittenIntoAFileThatNobodyFindsAgain(how: String) async throws {
        try await write()
        #expect(await database.obstacle() == nil)
        switch how {
        case "remove": try FileManager.default.removeItem(atPath: path)
        case "move": try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        default:
            try FileManager.default.copyItem(atPath: path, toPath: path + ".new")
            try #require(rename(path + ".new", path) == 0)
        }
        #expect(await database.obstacle() == .fileIsGone)
        await #expect(throws: StorageError.unavailable) { try await write() }
        // A move back makes it the file again.
        guard how == "move" else { return }
        try FileManager.default.moveItem(atPath: path + ".old", toPath: path)
        try await write()
        #expect(await database.obstacle() == nil)
    }

    /// What is acknowledged is in the log first: without its name the next process would not find it.
    @Test func nothingIsWrittenIntoALogThatNobodyFindsAgain() async throws {
        try await write()
        for ending in ["-wal", "-shm"] {
            try FileManager.default.removeItem(atPath: path + ending)
        }
        #expect(await database.obstacle() == .fileIsGone)
        await #expect(throws: StorageError.unavailable) { try await write() }
        // Another program that opens the file makes a log of its own.
        try FileManager.default.copyItem(atPath: path, toPath: path + "-wal")
        await #expect(throws: StorageError.unavailable) { try await write() }
    }

    /// SQLite would begin an empty database, and remove the log of the one that is missing.
    @Test(arguments: [true, false])
    func aLogWithoutItsFileIsNotRemoved(isEmpty: Bool) async throws {
        try await write()
        let other = folder.path + "/other.sqlite"
        try FileManager.default.copyItem(atPath: path + "-wal", toPath: other + "-wal")
        if isEmpty { try Data().write(to: URL(fileURLWithPath: other)) }
        let before = try Data(contentsOf: URL(fileURLWithPath: other + "-wal"))
        let error = #expect(throws: SetupError.self) { try UserDatabase(path: other) }
        #expect(error?.message.contains("-wal") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: other + "-wal")) == before)
    }

    @Test func aLogThatOthersUseTooStaysTheSame() async throws {
        try await write()
        let other = try UserDatabase(path: path)
        let service = AdministrationService(AdministrationStorage(other)) { Date() }
        try await service.note(.boardDefined, "c", by: "operator:b")
        try await other.connections.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try await write()
        #expect(await database.obstacle() == nil)
    }

    @Test func aDamagedFileIsNotWrittenAnyMore() async throws {
        try await write()
        await #expect(throws: StorageError.damaged("database")) {
            try await database.read { _ in throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        }
        #expect(await database.obstacle() == .fileIsDamaged)
        await #expect(throws: StorageError.damaged("database")) { try await write() }
    }
}
