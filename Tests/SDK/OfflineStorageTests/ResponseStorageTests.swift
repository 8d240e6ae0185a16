import ContentModel
import Foundation
import GRDB
import OfflineStorage
import QuestionEngine
import ServiceAPI
import TestSupport
import Testing
import UserData

/// Responses of every kind in a device's store.
@Suite struct ResponseStorageTests {
    private let folder: TemporaryFolder
    private let bank = QuestionFilter.Bank.exam(region: "int", exam: "swift")
    private let start = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        folder = try TemporaryFolder()
    }

    private func record(_ question: String, _ response: QuestionResponse) -> AnswerRecord {
        AnswerRecord(
            sessionID: "s", questionID: question, contentVersion: "v", response: response,
            isCorrect: true, credit: 1, timeTaken: 1, exposuresBefore: 0, mode: .study,
            isRandomlySelected: false, date: start)
    }

    @Test func responsesOfEveryKindAreKeptAndSent() throws {
        let number = QuestionResponse.number(try #require(DecimalNumber("6.62607015e-34")))
        let responses = [["a"], ["c", "a"], [], number, .unknown(["#drawing", "M \"0\" 0"])]
        let store = try UserStore(folder: folder.url)
        let records = responses.enumerated().map { record("q\($0)", $1) }
        #expect(try store.add(records, to: bank, now: start) == 5)
        #expect(try store.answers(of: bank).map(\.response) == responses)
        let again = try UserStore(folder: folder.url)
        #expect(try again.answers(of: bank) == records)
        #expect(try again.add(records, to: bank, now: start) == 0)
    }

    @Test func anOpenSessionWithANumberGoesOn() throws {
        let question = Question(
            id: "n", type: .numericEntry, difficulty: 1, stem: "?",
            key: .number(NumericKey(.value(10, .absolute(1)), unit: "V")))
        let more = Question(
            id: "m", type: .numericEntry, difficulty: 1, stem: "?",
            key: .number(NumericKey(.range(from: 1, to: 2))))
        var random = SeededGenerator(seed: 1)
        var session = StudySession(
            id: "s", mode: .exam,
            entries: [
                .init(question, contentVersion: "v", exposuresBefore: 0),
                .init(more, contentVersion: "v", exposuresBefore: 0),
            ],
            now: start, using: &random)
        try session.answer(.number(11), to: question, now: start)
        let store = try UserStore(folder: folder.url)
        try store.save(session, of: bank, now: start)
        var again = try #require(try store.openSession(of: bank, mode: .exam))
        #expect(again == session)
        try again.answer(.number(3), to: more, now: start)
        again.finish(now: start)
        try store.save(again, of: bank, now: start)
        #expect(try store.answers(of: bank).map(\.isCorrect) == [true, false])
    }

    /// What another device of a later version responded, on its way through this one.
    @Test func aKindOfALaterVersionIsKeptAsItCame() throws {
        let store = try UserStore(folder: folder.url)
        let rows = [["#drawing", "", "é\u{1}"], ["#number", "1e400"]].map {
            AnswerRow(
                bank: "int/swift", session: "s", question: "q", options: $0, isCorrect: false,
                takenMilliseconds: 1, exposuresBefore: 0, mode: "study", milliseconds: 5)
        }
        var others = OtherDevices(["tablet"], start: start, questions: 1)
        try others.pull(rows, of: "tablet", into: store, now: start)
        #expect(
            try store.answers(of: bank).map(\.response)
                == [.unknown(["#drawing", "", "é\u{1}"]), .unknown(["#number", "1e400"])])
        let span = AnswerSpan(client: ClientID("tablet"), first: 1, count: 2)
        #expect(try store.columns([span]).map(\.rows) == [rows])
    }
}
