import ContentModel
import Foundation
import GRDB
import OfflineStorage
import QuestionEngine
import TestSupport
import Testing

/// Sessions that ended: they remain for their result and review, and are not open.
@Suite struct FinishedSessionTests {
    private let folder: TemporaryFolder
    private let sessions = SavedSessions()
    private let store: UserStore
    private let bank = SavedSessions.bank
    private let now = SavedSessions.start

    init() throws {
        folder = try TemporaryFolder()
        store = try UserStore(folder: folder.url)
    }

    private func execute(_ sql: String) throws {
        try DatabaseQueue(path: folder.path + "/user.sqlite").write { try $0.execute(sql: sql) }
    }

    private func finishedIDs(limit: Int = 200) throws -> [String] {
        try store.finishedSessions(limit: limit).map(\.id)
    }

    @Test func aFinishedSessionRemainsWithItsAnswers() throws {
        var session = sessions.session("s")
        try store.save(session, of: bank, now: now)
        try session.answer(["a"], to: sessions.questions[0], now: now.addingTimeInterval(5))
        session.finish(now: now.addingTimeInterval(6))
        let end = now.addingTimeInterval(6)
        try store.save(session, of: bank, now: end)
        let saved = SavedSession(session, of: bank, savedAt: end)
        #expect(try store.finishedSessions(limit: 9) == [saved])
        #expect(try store.session(id: "s") == saved)
        #expect(try store.openSessions().isEmpty)
        #expect(try store.openSession(of: bank, mode: .study) == nil)
        #expect(try store.answers(of: bank) == session.records)
    }

    @Test func sessionsAreListedByTheirLastSave() throws {
        let other = QuestionFilter.Bank.placement(language: "es")
        for (second, id) in ["one", "two", "three"].enumerated() {
            let time = now.addingTimeInterval(Double(second))
            try store.save(sessions.session(id), of: id == "two" ? other : bank, now: time)
            try store.save(sessions.finished("\(id)-ended"), of: bank, now: time)
        }
        #expect(try store.openSessions().map(\.id) == ["three", "two", "one"])
        #expect(try store.openSessions().map(\.bank) == [bank, other, bank])
        #expect(try finishedIDs() == ["three-ended", "two-ended", "one-ended"])
        #expect(try finishedIDs(limit: 2) == ["three-ended", "two-ended"])
        #expect(try finishedIDs(limit: 0).isEmpty && finishedIDs(limit: -1).isEmpty)
        try store.save(sessions.session("one"), of: bank, now: now.addingTimeInterval(9))
        #expect(try store.openSessions().map(\.id) == ["one", "three", "two"])
        #expect(try store.session(id: "four") == nil)
    }

    @Test func theNewestHundredFinishedSessionsRemain() throws {
        let count = UserStore.finishedSessionsMax + 2
        try store.save(sessions.session("open"), of: bank, now: now.addingTimeInterval(-1))
        for number in 0..<count {
            let time = now.addingTimeInterval(Double(number))
            try store.save(sessions.finished("f\(number)"), of: bank, now: time)
        }
        let newest = (2..<count).reversed().map { "f\($0)" }
        #expect(try finishedIDs() == newest)
        #expect(try store.session(id: "f0") == nil && store.session(id: "f2") != nil)
        #expect(try store.openSessions().map(\.id) == ["open"])
        #expect(try store.answers(of: bank).count == count)
        // A clock that was set back does not delete the session that was just finished.
        try store.save(sessions.finished("back"), of: bank, now: now.addingTimeInterval(-60))
        #expect(try finishedIDs() == newest.dropLast() + ["back"])
    }

    @Test func atMostFiftyOpenSessionsAreListed() throws {
        let count = UserStore.openSessionsMax + 1
        for number in 0..<count {
            let time = now.addingTimeInterval(Double(number))
            try store.save(sessions.session("o\(number)"), of: bank, now: time)
        }
        let newest = (1..<count).reversed().map { "o\($0)" }
        #expect(try store.openSessions().map(\.id) == newest)
        #expect(try store.session(id: "o0") != nil)
    }

    @Test func aSessionOfAnotherFormatIsLeftOut() throws {
        for id in ["new", "old", "older"] {
            try store.save(sessions.session("\(id)-open"), of: bank, now: now)
            try store.save(sessions.finished(id), of: bank, now: now)
        }
        try execute("UPDATE session SET json = x'7b7d' WHERE id LIKE 'old%'")
        try execute("UPDATE session SET bank = 'a/b/c' WHERE id LIKE 'older%'")
        #expect(try store.openSessions().map(\.id) == ["new-open"])
        #expect(try finishedIDs() == ["new"])
        #expect(try store.session(id: "old") == nil)
        // It ended: this version's older state of it does not open it again.
        let failure = #expect(throws: StoreError.self) {
            try store.save(sessions.session("old"), of: bank, now: now)
        }
        #expect(failure?.code == .refused)
    }

    // MARK: Deleting

    @Test func droppingDeletesOneSessionButNotItsAnswers() throws {
        for id in ["one", "two"] { try store.save(sessions.finished(id), of: bank, now: now) }
        try store.save(sessions.session("open"), of: bank, now: now)
        try store.dropSession(id: "one", now: now)
        #expect(try finishedIDs() == ["two"])
        try store.dropSession(id: "open", now: now)
        try store.dropSession(id: "never", now: now)
        #expect(try store.openSessions().isEmpty && store.answers(of: bank).count == 2)
    }

    @Test func droppingOpenSessionsLeavesFinishedOnes() throws {
        try store.save(sessions.session("open"), of: bank, now: now)
        try store.save(sessions.finished("ended"), of: bank, now: now)
        try store.dropSessions(of: bank, mode: .study, now: now)
        #expect(try store.openSessions().isEmpty && finishedIDs() == ["ended"])
    }

    @Test(arguments: [true, false])
    func anUnratedAnswerIsSavedBeforeItsSessionIsDropped(isAlone: Bool) throws {
        var session = sessions.session("s", ratesAnswers: true)
        try session.answer(["a"], to: sessions.questions[0], now: now)
        try store.save(session, of: bank, now: now)
        #expect(try store.answers(of: bank).isEmpty)
        if isAlone {
            try store.dropSession(id: "s", now: now)
        } else {
            try store.dropSessions(of: bank, mode: .study, now: now)
        }
        #expect(try store.answers(of: bank).map(\.rating) == [.good])
        #expect(try store.session(id: "s") == nil)
    }

    // MARK: Users

    @Test func finishedSessionsAreOfOneUser() throws {
        try store.save(sessions.finished("guest"), of: bank, now: now)
        try store.switchUser(to: "ada", bringing: .nothing, now: now)
        #expect(try finishedIDs().isEmpty && store.session(id: "guest") == nil)
        try store.save(sessions.finished("ada"), of: bank, now: now)
        try store.signOut(erasing: false)
        #expect(try finishedIDs() == ["guest"])
        try store.erase(user: "ada", lossIsAccepted: true)
        let count = try DatabaseQueue(path: folder.path + "/user.sqlite").read { database in
            try Int.fetchOne(database, sql: "SELECT count(*) FROM session")
        }
        #expect(count == 1)
    }

    @Test func finishedSessionsAreBroughtAlongUpToTheLimit() throws {
        try store.switchUser(to: "ada", bringing: .nothing, now: now)
        for number in 0..<UserStore.finishedSessionsMax {
            let time = now.addingTimeInterval(Double(number))
            try store.save(sessions.finished("ada\(number)"), of: bank, now: time)
        }
        try store.signOut(erasing: false)
        try store.save(sessions.finished("guest"), of: bank, now: now.addingTimeInterval(999))
        try store.switchUser(to: "ada", bringing: .everything, now: now)
        #expect(try finishedIDs().first == "guest")
        #expect(try finishedIDs().count == UserStore.finishedSessionsMax)
        #expect(try store.session(id: "ada0") == nil && store.session(id: "ada1") != nil)
    }
}
