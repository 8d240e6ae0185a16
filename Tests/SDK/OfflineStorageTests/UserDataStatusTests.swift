import Foundation
import GRDB
import OfflineStorage
import QuestionEngine
import ServiceAPI
import TestSupport
import Testing
import UserData

/// The status that a screen shows: the last try, what waits, and what only the user can decide.
@Suite struct UserDataStatusTests {
    private let folder: TemporaryFolder
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let bank = QuestionFilter.Bank.exam(region: "int", exam: "swift")

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> UserStore { try UserStore(folder: folder.url) }

    @Test func aFailureLeavesTheLastSuccess() throws {
        let store = try open()
        try store.note(problem: nil, now: now)
        let later = now.addingTimeInterval(60)
        try store.note(problem: "offline", now: now.addingTimeInterval(30))
        try store.note(problem: "offline", now: later)
        let last = try #require(try open().status().lastTry)
        #expect(last.date == later && last.problem == "offline" && last.lastSuccess == now)
        let again = later.addingTimeInterval(60)
        try store.note(problem: nil, now: again)
        let success = try #require(try store.status().lastTry)
        #expect(success.problem == nil && success.lastSuccess == again)
    }

    @Test func aUserWhoHasToSignInIsNotSynced() throws {
        let store = try open()
        #expect(try !store.status().isSynced)
        try store.note(problem: nil, now: now)
        #expect(try store.status().isSynced)
        try store.note(problem: "Sign in again.", needsSignIn: true, now: now)
        let status = try open().status()
        #expect(status.needsSignIn && !status.isSynced && status.lastTry?.lastSuccess == now)
        try store.note(problem: "offline", now: now)
        let offline = try store.status()
        // Everything is on the server, whatever became of the last try.
        #expect(!offline.needsSignIn && offline.isSynced)
    }

    /// Nobody knows whether the server still has anything.
    @Test func aUserWhoMayBeDeletedIsNotSynced() throws {
        let store = try open()
        try store.switchUser(to: "ada", bringing: .everything, now: now)
        try store.note(problem: nil, now: now)
        #expect(try store.status().isSynced)
        try store.intendDeletion(of: "ada")
        let status = try open().status()
        #expect(status.isDeleting && !status.isSynced)
        try store.forgetDeletion(of: "ada")
        #expect(try store.status().isSynced)
    }

    @Test func theLastTryIsThatOfTheUser() throws {
        let store = try open()
        try store.note(problem: nil, now: now)
        try store.switchUser(to: "ada", bringing: .nothing, now: now)
        #expect(try store.status().lastTry == nil)
        try store.note(problem: "offline", now: now)
        try store.signOut(erasing: false)
        let last = try #require(try store.status().lastTry)
        #expect(last.problem == nil)
    }

    @Test func aNoteOfAnotherShapeIsNone() throws {
        let store = try open()
        try store.note(problem: nil, now: now)
        try DatabaseQueue(path: folder.path + "/user.sqlite").write {
            try $0.execute(sql: "UPDATE person SET lastTry = x'7b7d'")
        }
        #expect(try store.status().lastTry == nil)
        try store.note(problem: "offline", now: now)
        let last = try #require(try store.status().lastTry)
        #expect(last.problem == "offline" && last.lastSuccess == nil)
    }

    @Test func aNoteWakesWhoeverShowsTheStatus() async throws {
        let store = try open()
        var changes = store.changedRecords().makeAsyncIterator()
        try store.note(problem: "offline", now: now)
        #expect(await changes.next() == [])
    }

    @Test func pendingAnswersHaveNoTime() throws {
        let store = try open()
        let row = AnswerRow(
            bank: "int/swift", session: "s", question: "q", isCorrect: true,
            takenMilliseconds: 1, exposuresBefore: 0, mode: "study", milliseconds: 5)
        try store.add([row.record], to: bank, now: now)
        let pending = try store.status()
        #expect(pending.waitingCount == 1 && pending.waitingSince == nil)
        try store.syncAll(now: now)
        #expect(try store.status().waitingCount == 0)
    }

    @Test func aDeviceThatSleptTooLongReadsAnewUntilTheLogEnds() throws {
        let store = try open()
        try store.note(problem: nil, now: now)
        try store.syncAll(now: now)
        try store.exchange(now: now) {
            ExchangeResponse(number: $0.number, epoch: "e", isTooOld: true)
        }
        let reading = try store.status()
        #expect(reading.isRecovering && !reading.isSynced)
        try store.exchange(now: now) { ExchangeResponse(number: $0.number, epoch: "e") }
        #expect(try open().status().isSynced)
    }

    /// What the server knew before is shown until the log was read again, also in the next process.
    @Test func recordsAreShownWhileTheLogIsReadAnew() throws {
        let store = try open()
        try store.put(Favourite(bank: "es"), id: "q", now: now)
        try store.syncAll(now: now)
        try store.exchange(now: now) {
            ExchangeResponse(number: $0.number, epoch: "e", isTooOld: true)
        }
        let again = try open()
        #expect(try again.status().isRecovering)
        #expect(try again.records(Favourite.self).map(\.id) == ["q"])
        // The log ends without the record: it was deleted meanwhile.
        try again.exchange(now: now) { ExchangeResponse(number: $0.number, epoch: "e") }
        #expect(try open().records(Favourite.self).isEmpty)
    }

    @Test func conflictsAndRefusedChangesAreCounted() throws {
        let store = try open()
        try store.put(Favourite(bank: "es"), id: "q", now: now)
        try store.put(Reservation(exam: "int/swift", date: "2026-12-24"), id: "r", now: now)
        try store.sync(now: now) { operation in
            guard operation.key.id == "r" else { return .refused(.quota) }
            var theirs = UserRecord(accepting: operation)
            theirs.fields["date"]?.value = "2027-01-15"
            return .conflict(theirs: theirs)
        }
        try store.note(problem: nil, now: now)
        let status = try open().status()
        #expect(status.conflictCount == 1 && status.rejectedCount == 1)
        #expect(status.waitingCount == 0 && !status.isSynced)
    }
}
