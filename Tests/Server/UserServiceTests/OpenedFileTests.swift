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
            _ = try FileManager.default.replaceItemAt(
                URL(fileURLWithPath: path), withItemAt: URL(fileURLWithPath: path + ".new"))
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
        try await database.connections.writeWithoutTransaction {
            _ = try $0.checkpoint(.truncate)
        }
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.truncate(atOffset: 8_192)
        try handle.close()
        await #expect(throws: LedgerError.self) { try await write() }
        #expect(await database.obstacle() == .fileIsDamaged)
        await #expect(throws: LedgerError.damaged("database")) { try await write() }
    }
}
