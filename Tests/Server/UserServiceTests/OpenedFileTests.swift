import Foundation
import GRDB
import ServiceAPI
import TestSupport
import Testing
import UserData

@testable import UserService

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
        let service = AdministrationService(SQLiteAdministration(database)) { Date() }
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
        await #expect(throws: LedgerError.unavailable) { try await write() }
        // A move back makes it the file again.
        guard how == "move" else { return }
        try FileManager.default.moveItem(atPath: path + ".old", toPath: path)
        try await write()
        #expect(await database.obstacle() == nil)
    }

    @Test func aDamagedFileIsNotWrittenAnyMore() async throws {
        try await write()
        await #expect(throws: LedgerError.damaged("database")) {
            try await database.read { _ in throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        }
        #expect(await database.obstacle() == .fileIsDamaged)
        await #expect(throws: LedgerError.damaged("database")) { try await write() }
    }
}
