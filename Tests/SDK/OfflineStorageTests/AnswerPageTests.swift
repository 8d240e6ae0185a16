import Foundation
import OfflineStorage
import QuestionEngine
import Testing

/// Answers in pages, which together are all of them.
@Suite struct AnswerPageTests {
    private static let banks = [
        QuestionFilter.Bank.placement(language: "es"), .exam(region: "int", exam: "sums"),
    ]

    private func record(_ number: Int) -> AnswerRecord {
        AnswerRecord(
            sessionID: "s\(number % 3)", questionID: "q\(number)", contentVersion: "1",
            response: ["a"], isCorrect: number % 2 == 0, credit: 1, timeTaken: 1,
            exposuresBefore: 0, mode: .study, isRandomlySelected: false,
            date: Date(timeIntervalSince1970: 1_800_000_000 + Double(number)))
    }

    private func store(_ count: Int) throws -> UserStore {
        let store = try UserStore.inMemory()
        for number in 0..<count { try store.add([record(number)], to: Self.banks[number % 2]) }
        return store
    }

    @Test(arguments: [0, 1, 6, 7, 8], [1, 2, 3, 7, 100])
    func pagesTogetherAreEveryAnswerOnce(count: Int, limit: Int) throws {
        let store = try store(count)
        var (found, next): ([AnswerPage.Answer], AnswerCursor?) = ([], AnswerCursor())
        var pageCount = 0
        while let cursor = next {
            let page = try store.answers(after: cursor, limit: limit)
            #expect(page.answers.count <= limit)
            found += page.answers
            (next, pageCount) = (page.next, pageCount + 1)
        }
        #expect(found.map(\.record) == (0..<count).map(record))
        #expect(found.map(\.bank) == (0..<count).map { Self.banks[$0 % 2] })
        #expect(pageCount == count / limit + 1)
    }

    /// What was given meanwhile follows.
    @Test func anAnswerBetweenTwoPagesIsRead() throws {
        let store = try store(2)
        let first = try store.answers(limit: 2)
        try store.add([record(2)], to: Self.banks[0])
        let cursor = try #require(first.next)
        #expect(try store.answers(after: cursor).answers.map(\.record) == [record(2)])
    }
}
