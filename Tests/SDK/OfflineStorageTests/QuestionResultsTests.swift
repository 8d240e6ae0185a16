import Foundation
import QuestionEngine
import TestSupport
import Testing

@testable import OfflineStorage

/// What a list of questions shows about the answers, and the pages of a bank's sessions.
@Suite struct QuestionResultsTests {
    private let store: UserStore
    private let bank = SavedSessions.bank
    private let start = SavedSessions.start
    private let sessions = SavedSessions()

    init() throws { store = try UserStore.inMemory() }

    private func answer(
        _ question: String, isRight: Bool, after seconds: TimeInterval,
        bank: QuestionFilter.Bank = SavedSessions.bank
    ) throws {
        let record = AnswerRecord(
            sessionID: "s\(seconds)", questionID: question, contentVersion: "v",
            response: [isRight ? "a" : "b"], isCorrect: isRight, credit: isRight ? 1 : 0,
            timeTaken: 1, exposuresBefore: 0, mode: .study, isRandomlySelected: false,
            date: start + seconds)
        try store.add([record], to: bank, now: start + 1e6)
    }

    @Test func theLastAnswerDecidesEvenIfItArrivesFirst() throws {
        try answer("one", isRight: true, after: 200)
        try answer("one", isRight: false, after: 100)
        try answer("two", isRight: true, after: 100)
        try answer("two", isRight: false, after: 300)
        try answer("one", isRight: false, after: 400, bank: .placement(language: "eo"))

        let answered = try store.answered(["one", "two", "three"], in: bank)

        #expect(
            Set(answered) == [
                AnsweredQuestion(id: "one", isLastRight: true),
                AnsweredQuestion(id: "two", isLastRight: false),
            ])
        #expect(try store.missedQuestions(of: bank) == ["two"])
        #expect(try store.answered([], in: bank).isEmpty)
    }

    @Test func idsWithQuotationMarksAreIds() throws {
        for id in ["a\"b", "a'b", "a\\b", "%"] {
            try answer(id, isRight: true, after: 1)
            #expect(try store.answered([id], in: bank).map(\.id) == [id])
        }
    }

    @Test func resultsCountTheAnswersSinceATime() throws {
        try answer("one", isRight: false, after: 99)
        try answer("one", isRight: false, after: 100)
        try answer("one", isRight: true, after: 101)
        try answer("two", isRight: true, after: 50)

        let results = try store.results(of: bank, since: start + 100)

        #expect(results == [QuestionResults(id: "one", answerCount: 2, correctCount: 1)])
    }

    @Test func sessionsOfABankComeInPagesOpenAndFinished() throws {
        for number in 0..<5 {
            let id = "s\(number)"
            let session = number == 3 ? sessions.session(id) : try sessions.finished(id)
            try store.save(session, of: bank, now: start + Double(number))
        }
        try store.save(
            sessions.session("other"), of: .placement(language: "eo"), now: start + 9)

        #expect(try store.sessionCount(of: bank) == 5)
        let pages = try [0, 2, 4, 6].map {
            try store.sessions(of: bank, limit: 2, offset: $0).map(\.id)
        }
        #expect(pages == [["s4", "s3"], ["s2", "s1"], ["s0"], []])
        #expect(try store.sessions(of: bank, limit: -1, offset: -1).isEmpty)
    }

    @Test func aSessionOfTheListEqualsTheSingleOne() throws {
        try store.save(try sessions.finished("s"), of: bank, now: start)
        let single = try #require(try store.session(id: "s"))
        #expect(try store.sessions(of: bank, limit: 1, offset: 0) == [single])
    }
}
