import Foundation
import GRDB
import OfflineStorage
import TestSupport
import Testing

/// The verification that saved data is in the file that the next start opens.
@Suite struct ConfirmSavedTests {
    private let folder: TemporaryFolder
    private let store: UserStore
    private var file: String { folder.path + "/user.sqlite" }

    init() throws {
        folder = try TemporaryFolder()
        store = try UserStore(folder: folder.url)
        try store.put(Favourite(bank: "es"), id: "q")
    }

    private func expectLoss(_ codes: [StoreError.Code]) {
        let failure = #expect(throws: StoreError.self) { try store.confirmSaved() }
        #expect(codes.contains { $0 == failure?.code }, "\(failure?.message ?? "")")
        #expect(failure?.message.contains(file) == true)
    }

    @Test func whatIsSavedIsConfirmedAfterEachWrite() throws {
        for number in 0..<3 {
            try store.put(Favourite(bank: "es"), id: "q\(number)")
            try store.confirmSaved()
        }
        // Also while another process has it open, and has written.
        let other = try UserStore(folder: folder.url)
        try other.put(Favourite(bank: "es"), id: "other")
        try store.confirmSaved()
        try other.confirmSaved()
    }

    @Test func aRemovedFileIsFound() throws {
        try FileManager.default.removeItem(atPath: file)
        expectLoss([.storage])
    }

    @Test func aReplacedFileIsFound() throws {
        try store.confirmSaved()
        try FileManager.default.copyItem(atPath: file, toPath: file + ".copy")
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.moveItem(atPath: file + ".copy", toPath: file)
        expectLoss([.storage])
    }

    /// SQLite would write to the file that no next start opens.
    @Test(arguments: [true, false])
    func nothingIsWrittenToAFileThatIsGone(isReplaced: Bool) throws {
        if isReplaced { try FileManager.default.copyItem(atPath: file, toPath: file + ".copy") }
        try FileManager.default.removeItem(atPath: file)
        if isReplaced { try FileManager.default.moveItem(atPath: file + ".copy", toPath: file) }
        let failure = #expect(throws: StoreError.self) {
            try store.put(Favourite(bank: "es"), id: "later")
        }
        #expect(failure?.code == .storage)
        #expect(failure?.message.contains(file) == true)
        #expect(try store.record(Favourite.self, id: "later") == nil)
        #expect(try store.record(Favourite.self, id: "q") != nil)
    }

    @Test func anOverwrittenFileIsFound() throws {
        // After this everything is in the file, and nothing in the log.
        try store.confirmSaved()
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
        try handle.write(contentsOf: Data(repeating: 7, count: 8192))
        try handle.close()
        expectLoss([.damaged, .storage])
    }

    @Test func aStoreInMemoryHasNothingToConfirm() throws {
        let store = try UserStore.inMemory()
        try store.put(Favourite(bank: "es"), id: "q")
        try store.confirmSaved()
    }
}
