import Foundation
import TestSupport
import Testing
import UserData

@testable import OfflineStorage

/// What a store says when something is not possible.
@Suite struct StoreErrorTests {
    private let folder: TemporaryFolder
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws { folder = try TemporaryFolder() }

    @Test func aFileIsNoFolderForAStore() throws {
        let file = folder.url.appending(path: "notes.txt")
        try Data("text".utf8).write(to: file)
        let userData = try UserStore(folder: file)
        let error = #expect(throws: StoreError.self) {
            try userData.put(Favourite(bank: "es"), id: "q", now: now)
        }
        #expect(
            error?.message.hasSuffix("notes.txt is a file. Name a folder for the store.") == true)
        // Both open for reading, and have the reason why nothing is saved.
        #expect(error?.code == .storage && userData.access.error == error)
        #expect(try OfflineStore(folder: file).access.problem == error?.message)
        #expect(try Data(contentsOf: file) == Data("text".utf8))
    }

    @Test func aConflictIsResolvedOnce() throws {
        let store = try UserStore(folder: folder.url)
        let key = RecordKey("notes", "n")
        let error = #expect(throws: StoreError.self) {
            try store.resolve(key, .keepMine, shown: "1", now: now)
        }
        #expect(error?.code == .notFound)
        #expect(
            error?.message
                == "The conflict about notes/n is resolved already. Read the conflicts again.")
    }

    @Test func aVetoHasACodeOfTheApp() {
        let veto = ReleaseVetoError(
            "Update the app.", code: .needsNewerApp, cause: CocoaError(.coderInvalidValue))
        #expect(veto.code.rawValue == "needsNewerApp" && veto.cause is CocoaError)
        #expect(veto.localizedDescription == "Update the app." && "\(veto)" == veto.message)
        // The cause says nothing about equality.
        #expect(veto == ReleaseVetoError("Update the app.", code: .needsNewerApp))
        #expect(veto != ReleaseVetoError("Update the app."))
    }

    /// Codes key the translations of apps: they never change.
    @Test func codesAreStable() {
        let codes: [StoreError.Code: String] = [
            .notFound: "notFound", .incomplete: "incomplete", .vetoed: "vetoed",
            .banned: "banned", .badBundle: "badBundle", .damaged: "damaged", .unsent: "unsent",
            .refused: "refused", .outdated: "outdated", .storage: "storage",
        ]
        for (code, name) in codes { #expect(code.rawValue == name) }
    }

    @Test func theCodeOfTheLastTryIsThereUntilOneSucceeds() throws {
        let store = try UserStore(folder: folder.url)
        try store.note(problem: "offline", code: "offline", now: now)
        #expect(try store.status().lastTry?.code == "offline")
        try store.note(problem: nil, now: now)
        #expect(try store.status().lastTry?.code == nil)
    }
}
