import Foundation
import GRDB
import OfflineStorage
import QuestionEngine
import ServiceAPI
import TestSupport
import Testing
import UserData

/// One store in two processes, and transactions that fail halfway.
@Suite struct SharedStoreTests {
    private let folder: TemporaryFolder
    private let bank = QuestionFilter.Bank.exam(region: "int", exam: "swift")
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> UserStore { try UserStore(folder: folder.url) }

    private func row(_ question: String) -> AnswerRow {
        AnswerRow(
            bank: "int/swift", session: "s", question: question, isCorrect: true,
            takenMilliseconds: 1, exposuresBefore: 0, mode: "study", milliseconds: 5)
    }

    // MARK: Copies

    /// Copies of a store whose clock is behind the latest time that it knows: an operation of one with the same time, number
    /// and content would pass for an operation of another.
    @Test func copiesBehindTheLatestTimeGiveTimesOfTheirOwn() throws {
        let image = folder.url.appending(path: "image")
        do { try UserStore(folder: image).put(Favourite(bank: "es"), id: "first", now: now) }
        let times = try (0..<4).map { number in
            let copy = folder.url.appending(path: "copy\(number)")
            try FileManager.default.copyItem(at: image, to: copy)
            let store = try UserStore(folder: copy)
            try store.put(Favourite(bank: "fr"), id: "second", now: now - 60)
            return try #require(store.outbox().last?.operation.time)
        }
        #expect(times.allSatisfy { $0.milliseconds == 1_800_000_000_000 && $0.counter > 0 })
        #expect(Set(times).count > 1, "\(times)")
    }

    // MARK: Two processes

    @Test func theOtherProcessFollowsASignIn() throws {
        let (one, other) = (try open(), try open())
        try one.put(Favourite(bank: "es"), id: "guest", now: now)
        try one.switchUser(to: "ada", bringing: .nothing, now: now)
        #expect(other.user == "ada")
        #expect(try other.records(Favourite.self).isEmpty)
        try other.put(Favourite(bank: "es"), id: "ada", now: now)
        #expect(try one.records(Favourite.self).map(\.id) == ["ada"])
        #expect(try one.otherUsers().map(\.recordCount) == [1])
    }

    /// The first to write after the sign-out is a process that has not heard of it.
    @Test func aWriteAfterASignOutElsewhereIsTheGuests() throws {
        let (one, other) = (try open(), try open())
        try one.switchUser(to: "ada", bringing: .everything, now: now)
        #expect(try other.status().waitingCount == 0)
        try one.signOut(erasing: true)
        try other.put(Favourite(bank: "es"), id: "q", now: now)
        #expect(other.user == UserStore.localUser)
        #expect(try one.records(Favourite.self).map(\.id) == ["q"])
        try other.add([row("q").record], to: bank, now: now)
        #expect(try one.answers(of: bank).map(\.questionID) == ["q"])
    }

    /// Copies of a store share what a process wrote before the copy, and no name after it.
    @Test func withoutAnAccountEachProcessHasANameOfItsOwn() throws {
        let (one, other) = (try open(), try open())
        for number in 0..<6 {
            let store = number % 2 == 0 ? one : other
            try store.add([row("q\(number)").record], to: bank, now: now)
        }
        let answers = try one.state().answers
        #expect(answers.lasts.values.sorted() == [3, 3])
        #expect(try other.state().answers == answers)
    }

    @Test func answersOfTwoProcessesHaveNumbersWithoutGaps() throws {
        let (one, other) = (try open(), try open())
        try one.switchUser(to: "ada", bringing: .nothing, now: now)
        for number in 0..<6 {
            let store = number % 2 == 0 ? one : other
            try store.add([row("q\(number)").record], to: bank, now: now)
        }
        let client = try one.state().client
        #expect(try other.state().answers == AnswerVector([client: 6]))
        let columns = try other.columns([AnswerSpan(client: client, first: 1, count: 6)])
        #expect(columns.map(\.rows) == [(0..<6).map { row("q\($0)") }])
        // What one saved, the other does not save again.
        #expect(try other.add([row("q0").record], to: bank, now: now) == 0)
    }

    @Test func aConflictIsResolvedOnceByWhoeverIsFirst() throws {
        let (one, other) = (try open(), try open())
        try one.put(Reservation(exam: "int/swift", date: "2026-12-24"), id: "r", now: now)
        try one.sync(now: now) { operation in
            var theirs = UserRecord(accepting: operation)
            theirs.isDeleted = true
            return .conflict(theirs: theirs)
        }
        let shown = try #require(try other.conflicts(of: Reservation.self).first)
        try one.resolve(shown, with: .mine, now: now)
        let failure = #expect(throws: StoreError.self) {
            try other.resolve(shown, with: .theirs, now: now)
        }
        #expect(failure?.code == .notFound)
        #expect(try other.outbox().map(\.operation.key.id) == ["r"])
    }

    /// One process notes a failure while another's transaction, in which it notes a success, is open.
    @Test func aFailureInOneProcessHidesNoSuccessOfTheOther() async throws {
        let (one, other, now) = (try open(), try open(), now)
        let third = try DatabaseQueue(path: folder.path + "/user.sqlite")
        let later = now.addingTimeInterval(60)
        try one.note(problem: nil, now: later)
        let success = try await third.read {
            try Data.fetchOne($0, sql: "SELECT lastTry FROM person")
        }
        try one.note(problem: nil, now: now)
        let (results, continuation) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
        try third.inTransaction(.immediate) { database in
            Thread.detachNewThread {
                continuation.yield(Result { try other.note(problem: "offline", now: now) })
                continuation.finish()
            }
            // Time for the thread to read what it reads outside of its transaction, if anything.
            for _ in 0..<200 { _ = try one.status() }
            try database.execute(sql: "UPDATE person SET lastTry = ?", arguments: [success])
            return .commit
        }
        for await result in results { try result.get() }
        let last = try #require(try one.status().lastTry)
        #expect(last.problem == "offline" && last.lastSuccess == later)
    }

    // MARK: Transactions that fail

    @Test func aFailedTransactionLeavesNeitherAnswersNorState() throws {
        struct Failure: Error {}
        let store = try open()
        try store.add([row("q1").record], to: bank, now: now)
        let before = try store.state()
        #expect(throws: Failure.self) {
            try store.post(
                .answered(count: 1), now: now, extras: UserStore.Extras(answers: [row("q2")])
            ) { _, _ in throw Failure() }
        }
        #expect(try store.state() == before)
        try store.add([row("q3").record], to: bank, now: now)
        #expect(try open().answers(of: bank).map(\.questionID) == ["q1", "q3"])
        #expect(try open().state().answers == AnswerVector([before.client: 2]))
    }

    @Test func aReplyWithoutItsAnswersChangesNothing() throws {
        let store = try open()
        let client = ClientID("aa")
        let span = AnswerSpan(client: client, first: 1, count: 2)
        func reply(_ received: [AnswerColumns]) throws {
            try store.exchange(now: now, received: received) {
                ExchangeResponse(
                    number: $0.number, epoch: "e", knownAnswers: AnswerVector([client: 2]),
                    answers: [span])
            }
        }
        let failure = #expect(throws: StoreError.self) { try reply([]) }
        #expect(failure?.code == .storage)
        #expect(try store.state().answers.total == 0 && store.state().epoch == nil)
        try reply([AnswerColumns(span: span, rows: [row("q1"), nil])])
        #expect(try store.answers(of: bank).map(\.questionID) == ["q1"])
        #expect(try open().state().answers == AnswerVector([client: 2]))
    }

    /// A reply may repeat what was stored: only what is new is added.
    @Test func answersThatComeTwiceAreStoredOnce() throws {
        let store = try open()
        let client = ClientID("aa")
        for (first, questions) in [(1, ["q1", "q2"]), (1, ["q1", "q2", "q3"]), (2, ["q2"])] {
            let span = AnswerSpan(client: client, first: UInt64(first), count: questions.count)
            try store.exchange(
                now: now, received: [AnswerColumns(span: span, rows: questions.map(row))]
            ) {
                ExchangeResponse(
                    number: $0.number, epoch: "e", knownAnswers: AnswerVector([client: 3]),
                    answers: [span])
            }
        }
        #expect(try store.answers(of: bank).map(\.questionID) == ["q1", "q2", "q3"])
        let check = try store.verifySchedules(
            of: bank, by: ReviewScheduler(.rightOrWrong), now: now)
        #expect(check.differences.isEmpty && check.questionCount == 3)
    }
}
