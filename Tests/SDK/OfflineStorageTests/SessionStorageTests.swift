import ContentModel
import Foundation
import OfflineStorage
import QuestionEngine
import ServiceAPI
import TestSupport
import Testing
import UserData

/// Open sessions, and the values that a store takes for an answer.
@Suite struct SessionStorageTests {
    private let bank = QuestionFilter.Bank.exam(region: "int", exam: "swift")
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let question = Question(
        id: "q", type: .singleChoice, difficulty: 1, stem: "?",
        options: [.init(id: "a", text: "A"), .init(id: "b", text: "B")], correct: [0])
    private let store: UserStore

    init() throws { store = try UserStore.inMemory() }

    private func session(_ id: String, _ mode: SessionMode = .study) -> StudySession {
        var random = SeededGenerator(seed: 1)
        return StudySession(
            id: id, mode: mode, entries: [.init(question, contentVersion: "v", exposuresBefore: 0)],
            now: now,
            using: &random)
    }

    private func openID(_ mode: SessionMode = .study) throws -> String? {
        try store.openSession(of: bank, mode: mode)?.id
    }

    private func record(
        _ question: String = "q", credit: Double = 1, time: TimeInterval = 1, date: Date? = nil
    ) -> AnswerRecord {
        AnswerRecord(
            sessionID: "s", questionID: question, contentVersion: "v", response: ["a"],
            isCorrect: true, credit: credit, timeTaken: time, exposuresBefore: 0, mode: .study,
            isRandomlySelected: false, date: date ?? now)
    }

    // MARK: Open sessions

    @Test func theSessionThatWasSavedLastIsOpen() throws {
        try store.save(session("one"), of: bank, now: now)
        try store.save(session("two"), of: bank, now: now.addingTimeInterval(1))
        #expect(try openID() == "two")
        try store.save(session("one"), of: bank, now: now.addingTimeInterval(2))
        #expect(try openID() == "one")
        var one = session("one")
        one.finish(now: now)
        try store.save(one, of: bank, now: now.addingTimeInterval(3))
        #expect(try openID() == "two")
    }

    @Test func sessionsOfOneModeAreDropped() throws {
        try store.save(session("study"), of: bank, now: now)
        try store.save(session("exam", .exam), of: bank, now: now)
        let other = QuestionFilter.Bank.placement(language: "es")
        try store.save(session("other"), of: other, now: now)
        try store.dropSessions(of: bank, mode: .study)
        #expect(try openID() == nil && openID(.exam) == "exam")
        #expect(try store.openSession(of: other, mode: .study)?.id == "other")
    }

    @Test func sessionsOfUsersAreApart() throws {
        try store.save(session("guest"), of: bank, now: now)
        try store.switchUser(to: "ada", bringing: .nothing, now: now)
        #expect(try openID() == nil)
        try store.save(session("ada"), of: bank, now: now)
        try store.dropSessions(of: bank, mode: .study)
        try store.signOut(erasing: false)
        #expect(try openID() == "guest")
    }

    @Test func aSessionIsBroughtAlong() throws {
        try store.switchUser(to: "ada", bringing: .nothing, now: now)
        try store.save(session("ada"), of: bank, now: now)
        try store.signOut(erasing: false)
        try store.save(session("guest"), of: bank, now: now.addingTimeInterval(1))
        try store.switchUser(to: "ada", bringing: .everything, now: now)
        #expect(try openID() == "guest")
        try store.dropSessions(of: bank, mode: .study)
        #expect(try openID() == nil)
    }

    /// A session of one name that both have stays as the account has it.
    @Test func theAccountsOwnSessionIsNotReplaced() throws {
        try store.switchUser(to: "ada", bringing: .nothing, now: now)
        try store.save(session("s", .exam), of: bank, now: now)
        try store.signOut(erasing: false)
        try store.save(session("s"), of: bank, now: now)
        try store.switchUser(to: "ada", bringing: .everything, now: now)
        #expect(try openID() == nil && openID(.exam) == "s")
    }

    // MARK: Values out of range

    @Test func aSessionWithAnAnswerOutOfRangeIsNotSaved() throws {
        let long = QuestionFilter.Bank.placement(language: String(repeating: "x", count: 300))
        var session = session("s")
        try session.answer(["a"], to: question, now: now)
        let failure = #expect(throws: StoreError.self) {
            try store.save(session, of: long, now: now)
        }
        #expect(failure?.code == .refused)
        #expect(
            try store.openSession(of: long, mode: .study) == nil && store.answers(of: long).isEmpty)
        #expect(try store.status().waitingCount == 0)
    }

    @Test func noAnswerOfARefusedListIsAdded() throws {
        let credits = [Double.nan, .infinity, 1_000_001]
        var bad = credits.map { record(credit: $0) }
        bad += [record(time: .nan), record(""), record("a\u{0}b")]
        bad.append(record(date: Date(timeIntervalSince1970: .nan)))
        bad.append(record(date: Date(timeIntervalSince1970: 1e300)))
        for answer in bad {
            let failure = #expect(throws: StoreError.self) {
                try store.add([record("fine"), answer], to: bank, now: now)
            }
            #expect(failure?.code == .refused, "\(answer)")
        }
        #expect(try store.answers(of: bank).isEmpty && !store.hasData())
    }

    @Test(arguments: [
        (-5, 0), (0.0004, 0), (1.2346, 1.235), (86_400, 86_400), (1e9, 86_400), (.infinity, 86_400),
        (-.infinity, 0),
    ])
    func aTimeIsOneOfADayInWholeMilliseconds(taken: TimeInterval, saved: TimeInterval) throws {
        try store.add([record(time: taken)], to: bank, now: now)
        #expect(try store.answers(of: bank).map(\.timeTaken) == [saved])
    }

    @Test func aClockThatWasNeverSetBeginsIn1970() throws {
        try store.add([record(date: .distantPast)], to: bank, now: now)
        #expect(try store.answers(of: bank).map(\.date) == [Date(timeIntervalSince1970: 0)])
        #expect(try store.add([record(date: .distantPast)], to: bank, now: now) == 0)
    }

    @Test func aModeAndARatingOfALaterVersionAreRead() throws {
        var devices = OtherDevices(["aa"], start: now, questions: 1)
        let rows = [("duel", nil), ("exam", 4)].map { mode, rating in
            AnswerRow(
                bank: "int/swift", session: mode, question: "q", isCorrect: false, credit: 0.25,
                rating: rating, takenMilliseconds: 1, exposuresBefore: 0, mode: mode,
                milliseconds: 5)
        }
        try devices.pull(rows, of: "aa", into: store, now: now)
        let answers = try store.answers(of: bank)
        #expect(answers.map(\.mode) == [.study, .exam])
        #expect(answers.map(\.rating) == [nil, .easy] && answers.map(\.credit) == [0.25, 0.25])
        // What the other device wrote is passed on as it is.
        let span = AnswerSpan(client: ClientID("aa"), first: 1, count: 2)
        #expect(try store.columns([span]).map(\.rows) == [rows])
    }

    @Test func answersThatAreMissingAreAnError() throws {
        try store.add([record()], to: bank, now: now)
        let client = try store.state().client
        for span in [
            AnswerSpan(client: client, first: 1, count: 2),
            AnswerSpan(client: client, first: 2, count: 1),
            AnswerSpan(client: ClientID("nobody"), first: 1, count: 1),
        ] {
            let failure = #expect(throws: StoreError.self) { try store.columns([span]) }
            #expect(failure?.code == .storage)
        }
    }
}
