import Foundation
import GRDB
import OfflineStorage
import TestSupport
import Testing
import UserData

/// Signing out, and what may be erased with it.
@Suite struct SignOutTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let store: UserStore

    init() throws { store = try UserStore.inMemory() }

    /// An account whose data is all on the server.
    private func signIn(_ user: String) throws {
        try store.switchUser(to: user, bringing: .nothing, now: now)
        try store.put(Favourite(bank: "es"), id: user, now: now)
        try store.syncAll(now: now)
    }

    private func expectLoss(_ words: String) throws {
        let user = store.user
        let failure = #expect(throws: StoreError.self) { try store.signOut(erasing: true) }
        #expect(failure?.code == .unsent && failure?.message.contains(words) == true)
        #expect(store.user == user)
    }

    @Test func anAccountWithAWayInIsErased() throws {
        try signIn("ada")
        try expectLoss("no email")
        try store.noteSignInMethod()
        try store.signOut(erasing: true)
        #expect(store.user == UserStore.localUser)
        #expect(try store.otherUsers().isEmpty && !store.hasData())
    }

    @Test func aWayInIsThatOfOneUser() throws {
        try signIn("ada")
        try store.noteSignInMethod()
        try signIn("bob")
        try expectLoss("no email")
        try store.switchUser(to: "ada", bringing: .nothing, now: now)
        try store.signOut(erasing: true)
        #expect(try store.otherUsers().map(\.user) == ["bob"])
    }

    @Test func anAccountWithoutDataIsErasedAtOnce() throws {
        try store.switchUser(to: "ada", bringing: .nothing, now: now)
        try store.signOut(erasing: true)
        #expect(store.user == UserStore.localUser)
    }

    @Test(arguments: [false, true])
    func nothingNamesAnErasedUser(isShown: Bool) throws {
        let folder = try TemporaryFolder()
        let store = try UserStore(folder: folder.url)
        try store.switchUser(to: "ada", bringing: .nothing, now: now)
        try store.put(Favourite(bank: "es"), id: "q", now: now)
        try store.noteSignInMethod()
        try store.signOut(erasing: isShown, lossIsAccepted: true)
        if !isShown { try store.erase(user: "ada", lossIsAccepted: true) }
        let names = try DatabaseQueue(path: folder.path + "/user.sqlite").read {
            try String.fetchAll($0, sql: "SELECT name FROM setting UNION SELECT user FROM person")
        }
        #expect(!names.isEmpty && !names.contains { $0.contains("ada") }, "\(names)")
    }

    @Test(arguments: [false, true])
    func whatTheUserHasToDecideIsALoss(isConflict: Bool) throws {
        try store.switchUser(to: "ada", bringing: .nothing, now: now)
        try store.noteSignInMethod()
        try store.put(Reservation(exam: "int/swift", date: "2026-12-24"), id: "r", now: now)
        try store.sync(now: now) { operation in
            guard isConflict else { return .refused(.quota) }
            var theirs = UserRecord(accepting: operation)
            theirs.isDeleted = true
            return .conflict(theirs: theirs)
        }
        try expectLoss(isConflict ? "1 conflicts" : "1 changes were refused")
        try store.signOut(erasing: true, lossIsAccepted: true)
        #expect(try store.otherUsers().isEmpty)
    }

    @Test func whatStaysIsThereAtTheNextSignIn() throws {
        try signIn("ada")
        try store.put(Favourite(bank: "de"), id: "pending", now: now)
        try store.signOut(erasing: false)
        let other = try #require(try store.otherUsers().first)
        #expect(other.user == "ada" && other.recordCount == 2 && other.waitingCount == 1)
        try store.switchUser(to: "ada", bringing: .nothing, now: now)
        #expect(try store.records(Favourite.self).map(\.id) == ["ada", "pending"])
        #expect(try store.outbox().map(\.operation.key.id) == ["pending"])
    }

    // MARK: What others hear

    @Test func theSyncHearsOfEachChangeOfTheUser() async throws {
        var effects = store.appEffects().makeAsyncIterator()
        try store.switchUser(to: "ada", bringing: .nothing, now: now)
        #expect(await effects.next() == [])
        try store.signOut(erasing: false)
        #expect(await effects.next() == [])
        try store.put(Favourite(bank: "es"), id: "q", now: now)
        #expect(await effects.next() == [.changed([RecordKey("favourites", "q")])])
    }

    @Test func theSameUserAgainChangesNothing() throws {
        try signIn("ada")
        let before = try store.state()
        try store.switchUser(to: "ada", bringing: .everything, now: now)
        #expect(try store.state() == before && store.user == "ada")
    }

    @Test func recordsOfTheNextUserAreObserved() async throws {
        try signIn("ada")
        var records = store.observe(Favourite.self).makeAsyncIterator()
        #expect(await records.next()?.map(\.id) == ["ada"])
        try store.signOut(erasing: false)
        #expect(await records.next()?.isEmpty == true)
    }

    // MARK: Bringing

    @Test func contradictionsThatAreBroughtBecomeConflicts() throws {
        let (early, late): (ExamDate, ExamDate) = ("2026-12-24", "2027-01-15")
        try store.switchUser(to: "ada", bringing: .nothing, now: now)
        try store.put(Reservation(exam: "int/swift", date: early), id: "r", now: now)
        try store.syncAll(now: now)
        try store.signOut(erasing: false)
        try store.put(Reservation(exam: "int/swift", date: late), id: "r", now: now)
        try store.switchUser(to: "ada", bringing: .everything, now: now)
        let pending = try #require(try store.outbox().first).operation
        // Its author had not seen what the account has.
        #expect(pending.seenRevision == 0)
        var theirs = UserRecord(accepting: pending)
        theirs.fields["date"]?.value = .text(early.text)
        try store.sync(now: now) { _ in .conflict(theirs: theirs) }
        let conflict = try #require(try store.conflicts(of: Reservation.self).first)
        #expect(conflict.mine?.date == late && conflict.theirs?.date == early)
        #expect(conflict.differingFields == ["date"])
        #expect(try store.otherUsers().isEmpty)
    }

    @Test func equalRecordsAreNotBroughtAgain() throws {
        try signIn("ada")
        try store.signOut(erasing: false)
        try store.put(Favourite(bank: "es"), id: "ada", now: now)
        try store.switchUser(to: "ada", bringing: .everything, now: now)
        #expect(try store.outbox().isEmpty)
        #expect(try store.records(Favourite.self).map(\.id) == ["ada"])
    }
}
