import ContentModel
import Foundation
import OfflineStorage
import QuestionEngine
import ServiceAPI
import Testing
import UserData

/// Answers of a copied store, which lose their numbers until they were compared with the server's.
@Suite struct DetachedAnswerTests {
    private let bank = QuestionFilter.Bank.exam(region: "int", exam: "swift")
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let names = DeviceNames()

    private func store() throws -> UserStore {
        try UserStore.inMemory(makeID: { [names] in names.next() })
    }

    private func row(_ question: String, at milliseconds: Int64 = 1_790_000_000_000) -> AnswerRow {
        AnswerRow(
            bank: "int/swift", session: "s", question: question, version: "v", options: ["a"],
            isCorrect: true, takenMilliseconds: 1000, exposuresBefore: 0, mode: "study",
            milliseconds: milliseconds)
    }

    private func add(_ questions: [String], to store: UserStore) throws {
        try store.add(questions.map { row($0).record }, to: bank, now: now)
    }

    /// Lets a server find that the store is a copy of `d1`, of which it knows the first answers.
    private func becomeCopy(_ store: UserStore) throws {
        try store.exchange(now: now) {
            ExchangeResponse(number: $0.number, epoch: "e", isDeviceStale: true)
        }
        let asked = try #require(store.requestInFlight)
        #expect(asked.isCopied && asked.answers.isEmpty)
        try store.replyToPending(now: now) {
            ExchangeResponse(number: $0.number, epoch: "e", isDeviceStale: true)
        }
    }

    /// Lets the server send what it has of `d1`.
    private func pull(_ questions: [String], into store: UserStore) throws {
        let original = ClientID("d1")
        let span = AnswerSpan(client: original, first: 1, count: questions.count)
        try store.replyToPending(
            now: now, received: [AnswerColumns(span: span, rows: questions.map { row($0) })]
        ) {
            ExchangeResponse(
                number: $0.number, epoch: "e",
                knownAnswers: AnswerVector([original: UInt64(questions.count)]), answers: [span])
        }
    }

    private func export(_ store: UserStore, _ user: String) throws -> [String: Any] {
        let data = try store.export(user: user)
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private func count(_ columns: Any?) -> Int {
        (columns as? [[String: Any]] ?? []).reduce(0) { $0 + ($1["count"] as? Int ?? 0) }
    }

    @Test func aCopysAnswersWaitWithoutNumbers() throws {
        let store = try store()
        try add(["q1", "q2", "q3"], to: store)
        try becomeCopy(store)
        let state = try store.state()
        #expect(state.client == ClientID("d2"))
        #expect(state.answers.total == 0 && state.detachedCount == 3)
        #expect(try store.hasData())
        #expect(try store.status().waitingCount == 3)
        #expect(try store.answers(of: bank).map(\.questionID) == ["q1", "q2", "q3"])
        let json = try export(store, UserStore.localUser)
        #expect(count(json["answers"]) == 0 && count(json["unnumberedAnswers"]) == 3)
    }

    @Test func thoseThatTheServerHasAreDroppedAndTheOthersNumbered() throws {
        let store = try store()
        try add(["q1", "q2", "q3"], to: store)
        try becomeCopy(store)
        try pull(["q1", "q2"], into: store)
        let state = try store.state()
        #expect(state.client == ClientID("d2"))
        #expect(state.answers == AnswerVector([ClientID("d1"): 3]))
        #expect(state.detachedCount == 0)
        #expect(try store.answers(of: bank).map(\.questionID).sorted() == ["q1", "q2", "q3"])
        let own = try store.columns([AnswerSpan(client: ClientID("d1"), first: 3, count: 1)])
        #expect(own.map(\.rows) == [[row("q3")]])
        let check = try store.verifySchedules(
            of: bank, by: ReviewScheduler(.rightOrWrong), now: now)
        #expect(check.differences.isEmpty && check.answerCount == 3)
    }

    @Test func anotherMomentIsAnotherAnswer() throws {
        let store = try store()
        try store.add([row("q1", at: 1_790_000_000_001).record], to: bank, now: now)
        try becomeCopy(store)
        try pull(["q1"], into: store)
        #expect(try store.answers(of: bank).count == 2)
        let rest = row("q1", at: 1_790_000_000_001)
        let name = BranchName.ofAnswers(
            of: ClientID("d1"), first: 1, contentHash: EncodedAnswers([rest]).contentHashes[0])
        #expect(try store.state().answers[name] == 1)
    }

    /// The name of a rest that begins with an answer of `d1`.
    private func branch(_ question: String, first: UInt64) -> ClientID {
        BranchName.ofAnswers(
            of: ClientID("d1"), first: first,
            contentHash: EncodedAnswers([row(question)]).contentHashes[0])
    }

    /// The original may send the same under the name that it has.
    @Test func whatFollowsOnTheServersAnswersKeepsItsName() throws {
        let store = try store()
        try add(["q1", "q2", "q3", "q4"], to: store)
        try becomeCopy(store)
        try pull(["q1", "q2"], into: store)
        #expect(try store.state().answers == AnswerVector([ClientID("d1"): 4]))
        let rest = try #require(store.requestInFlight?.answers)
        #expect(rest == [AnswerSpan(client: ClientID("d1"), first: 3, count: 2)])
        #expect(try store.columns(rest).map(\.rows) == [[row("q3"), row("q4")]])
    }

    /// An undo of the copy takes back the copy's answer, and never the original's of the same number.
    @Test func aRetractionFollowsItsAnswerToANewName() throws {
        let store = try store()
        try add(["q1", "q2"], to: store)
        let session = try undone("q3", in: store)
        #expect(try store.answers(of: bank).map(\.questionID) == ["q1", "q2"])
        try becomeCopy(store)
        #expect(try store.answers(of: bank).map(\.questionID) == ["q1", "q2"])
        try pull(["q1", "other", "another"], into: store)
        let name = branch("q2", first: 2)
        let own = try store.columns([AnswerSpan(client: name, first: 1, count: 3)])
        let rows = try #require(own.first).rows
        #expect(rows.map { $0?.question } == ["q2", "q3", "q3"])
        #expect(rows[2]?.retracts == AnswerID(client: name, number: 2))
        let held = try store.answers(of: bank).map(\.questionID)
        #expect(Set(held) == ["q1", "q2", "other", "another"])
        let check = try store.verifySchedules(
            of: bank, by: ReviewScheduler(.rightOrWrong), now: now)
        #expect(check.differences.isEmpty)
        // Another save of the session adds nothing.
        try store.save(session, of: bank, now: now)
        #expect(try store.state().answers[name] == 3)
    }

    /// Answers a question in a session and takes the answer back.
    private func undone(_ id: String, in store: UserStore) throws -> StudySession {
        let question = Question(
            id: id, type: .singleChoice, difficulty: 1, stem: "?",
            options: [.init(id: "a", text: "A"), .init(id: "b", text: "B")], correct: [0])
        var random = SeededRandom(seed: 1)
        var session = StudySession(
            id: "undone", mode: .study,
            entries: [.init(question, contentVersion: "v", exposuresBefore: 0)], now: now,
            using: &random)
        try session.answer(["a"], to: question, now: now)
        try store.save(session, of: bank, now: now)
        try session.undo(now: now)
        try store.save(session, of: bank, now: now)
        return session
    }

    /// Two copies with the same rest make the same name, so the server has it once.
    @Test func copiesNameTheSameRestAlike() throws {
        let names = try (0..<2).map { _ in
            let store = try UserStore.inMemory(makeID: { [names = DeviceNames()] in names.next() })
            try add(["q1", "q2", "q3"], to: store)
            try becomeCopy(store)
            try pull(["q1", "other"], into: store)
            return try store.state().answers
        }
        #expect(names[0] == names[1] && names[0][branch("q2", first: 2)] == 2)
    }

    /// What was answered without an account keeps the names of its writers.
    @Test func answersOfTwoImportsKeepTheirWriters() throws {
        let store = try store()
        try store.switchUser(to: "ada", bringing: .nothing, now: now)
        for questions in [["q1"], ["q2", "q3", "q4"]] {
            try store.signOut(erasing: false)
            try add(questions, to: store)
            try store.switchUser(to: "ada", bringing: .everything, now: now)
        }
        #expect(try store.status().waitingCount == 4)
        #expect(count(try export(store, "ada")["unnumberedAnswers"]) == 0)
        try store.syncAll(now: now)
        let state = try store.state()
        #expect(state.isSynced && state.answers[state.client] == 0)
        let columns = try store.columns(state.answers.beyond(AnswerVector()))
        #expect(columns.map(\.rows) == [[row("q1")], (2...4).map { row("q\($0)") }])
        let json = try export(store, "ada")
        #expect(count(json["answers"]) == 4 && count(json["unnumberedAnswers"]) == 0)
    }

    // MARK: The mark

    @Test func theMarkIsThatOfTheLastSync() throws {
        let store = try store()
        #expect(try store.mark() == nil)
        try store.setMark("m1", isCopy: false, now: now)
        try store.setMark("m2", isCopy: false, now: now)
        #expect(try store.mark() == "m2")
        #expect(try !store.state().isCopied)
    }

    @Test func aCopyKeepsItsNameUntilItsChangesAreSettled() throws {
        let store = try store()
        try store.switchUser(to: "ada", bringing: .nothing, now: now)
        let former = try store.state().client
        try store.put(Favourite(bank: "es"), id: "q", now: now)
        try store.setMark("m", isCopy: true, now: now)
        #expect(try store.state().client == former)
        #expect(try store.outbox().map(\.operation.id.client) == [former])
        try store.syncAll(now: now)
        let state = try store.state()
        #expect(state.client != former && !state.isCopied)
        #expect(state.outbox.isEmpty)
        #expect(try store.records(Favourite.self).map(\.id) == ["q"])
    }

    @Test func eachUserOfACopyTakesAnotherName() throws {
        let store = try store()
        try store.switchUser(to: "ada", bringing: .nothing, now: now)
        let former = try store.state().client
        try store.setMark("m", isCopy: true, now: now)
        try store.syncAll(now: now)
        #expect(try store.state().client != former)
        try store.signOut(erasing: false)
        #expect(try !store.state().isCopied, "without an account there is no name to leave")
    }

    @Test func aUserWhoIsSignedOutLeavesTheNameOnComingBack() throws {
        let store = try store()
        try store.switchUser(to: "ada", bringing: .nothing, now: now)
        let former = try store.state().client
        try store.signOut(erasing: false)
        try store.setMark("m", isCopy: true, now: now)
        try store.switchUser(to: "ada", bringing: .nothing, now: now)
        #expect(try store.state().isCopied)
        try store.syncAll(now: now)
        #expect(try store.state().client != former)
    }
}
