import ContentModel
import Foundation
import GRDB
import OfflineStorage
import QuestionEngine
import TestSupport
import Testing
import UserData

/// Answers that were undone: as if they were not there, but for the exposures that follow.
@Suite struct RetractionTests {
    private let folder: TemporaryFolder
    private let sessions = SavedSessions()
    private let bank = SavedSessions.bank
    private let clock = LearningClock(timeZone: .gmt)

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> UserStore { try UserStore(folder: folder.url) }

    private func at(_ seconds: Double) -> Date {
        SavedSessions.start.addingTimeInterval(seconds)
    }

    private func scheduler() throws -> ReviewScheduler { try ReviewScheduler(.rightOrWrong) }

    private func answer(
        _ session: inout StudySession, _ question: Int, _ isRight: Bool, at seconds: Double
    ) throws {
        try session.answer(
            [isRight ? "a" : "b"], to: sessions.questions[question], now: at(seconds),
            in: clock.timeZone)
    }

    private func expectAReplay(_ store: UserStore, _ comment: Comment? = nil) throws {
        let check = try store.verifySchedules(of: bank, by: scheduler(), now: at(9_999_999))
        #expect(check.differences.isEmpty, comment)
    }

    // MARK: One undo

    @Test func anUndoneAnswerIsAsIfItWereNotThere() throws {
        let store = try open()
        var session = sessions.session("s")
        try answer(&session, 0, false, at: 5)
        try store.save(session, of: bank, now: at(5))
        #expect(try store.progressByDay().count == 1)
        try session.undo(now: at(9), by: clock)
        // The same state may be saved again, as after a crash.
        for _ in 0..<2 { try store.save(session, of: bank, now: at(9)) }
        #expect(try store.status().waitingCount == 2)
        #expect(try store.answers(of: bank).isEmpty)
        #expect(try store.schedules(of: bank, by: scheduler(), now: at(10)).isEmpty)
        #expect(try store.progressByDay().isEmpty && store.progressByDomain().isEmpty)
        let today = clock.day(of: at(10))
        #expect(try store.usage(on: today, in: bank) == DueQueue.Usage(newCards: 0, reviews: 0))
        #expect(try store.exposures(of: bank) == ["q0": 1])
        #expect(try open().openSession(of: bank, mode: .study) == session)
        try expectAReplay(store)
    }

    /// Saves a session whose only answer is wrong and undone.
    private func undone(in store: UserStore) throws -> StudySession {
        var session = sessions.session("s")
        try answer(&session, 0, false, at: 5)
        try store.save(session, of: bank, now: at(5))
        try session.undo(now: at(9), by: clock)
        try store.save(session, of: bank, now: at(9))
        return session
    }

    @Test func theExportMarksAnUndoneAnswer() throws {
        let store = try open()
        _ = try undone(in: store)
        let json = try JSONSerialization.jsonObject(with: store.export(user: store.user))
        let runs = try #require((json as? [String: Any])?["answers"] as? [[String: Any]])
        let run = try #require(runs.first)
        let mark = try #require((run["retractedBy"] as? [String: [Any]])?["0"])
        #expect(runs.count == 1 && run["count"] as? Int == 2)
        #expect(mark.last as? Int == 2 && mark.first as? String == run["client"] as? String)
    }

    @Test func anotherSchedulerReplaysABankWithUndoneAnswersAlone() throws {
        let store = try open()
        var session = try undone(in: store)
        let lax = try ReviewScheduler(ReviewScheduler.Settings(retention: 0.6))
        #expect(try store.schedules(of: bank, by: lax, now: at(10)).isEmpty)
        try answer(&session, 0, true, at: 12)
        try store.save(session, of: bank, now: at(12))
        let check = try store.verifySchedules(of: bank, by: lax, now: at(13))
        #expect(check.differences.isEmpty && check.answerCount == 1)
    }

    @Test func theAnswerInItsPlaceCounts() throws {
        let store = try open()
        var session = try undone(in: store)
        try answer(&session, 0, true, at: 12)
        try store.save(session, of: bank, now: at(12))
        let answers = try store.answers(of: bank)
        #expect(answers.map(\.mode) == [.repeat] && answers.map(\.exposuresBefore) == [1])
        #expect(try store.schedules(of: bank, by: scheduler(), now: at(13))["q0"]?.answerCount == 1)
        #expect(try store.progressByDay().map(\.correct) == [1])
        #expect(try store.exposures(of: bank) == ["q0": 2])
        try expectAReplay(store)
    }

    @Test func anEarlierAnswerStays() throws {
        let store = try open()
        var first = sessions.session("s1")
        try answer(&first, 0, true, at: -90_000)
        try store.save(first, of: bank, now: at(-90_000))
        let before = try store.schedules(of: bank, by: scheduler(), now: at(0))
        var second = sessions.session("s2")
        try answer(&second, 0, false, at: 5)
        try store.save(second, of: bank, now: at(5))
        #expect(try store.schedules(of: bank, by: scheduler(), now: at(6)) != before)
        try second.undo(now: at(9), by: clock)
        try store.save(second, of: bank, now: at(9))
        #expect(try store.schedules(of: bank, by: scheduler(), now: at(10)) == before)
        #expect(try store.progressByDay().count == 1)
        try expectAReplay(store)
    }

    @Test func anAnswerThatAwaitedItsRatingIsSavedAndUndoneAtOnce() throws {
        let store = try open()
        var session = sessions.session("s", ratesAnswers: true)
        try answer(&session, 0, true, at: 5)
        try store.save(session, of: bank, now: at(5))
        #expect(try store.status().waitingCount == 0)
        try session.undo(now: at(9), by: clock)
        try store.save(session, of: bank, now: at(9))
        #expect(try store.status().waitingCount == 2 && store.answers(of: bank).isEmpty)
        #expect(try store.exposures(of: bank) == ["q0": 1])
        try expectAReplay(store)
    }

    // MARK: Two windows

    @Test func aFinishedSessionContinuesAfterAnUndo() throws {
        let (one, other) = (try open(), try open())
        var session = sessions.session("s")
        try answer(&session, 0, true, at: 5)
        session.finish(now: at(6))
        let finished = session
        try one.save(session, of: bank, now: at(6))
        try session.undo(now: at(9), by: clock)
        try other.save(session, of: bank, now: at(9))
        #expect(try one.openSessions().map(\.session) == [session])
        // The window that still shows the result lacks the undo.
        #expect(throws: StoreError.self) { try one.save(finished, of: bank, now: at(10)) }
        #expect(try one.openSessions().map(\.session) == [session])
    }

    @Test func anUndoInTwoWindowsIsStoredOnce() throws {
        let (one, other) = (try open(), try open())
        var session = sessions.session("s")
        try answer(&session, 0, true, at: 5)
        try one.save(session, of: bank, now: at(5))
        var second = session
        try session.undo(now: at(9), by: clock)
        try second.undo(now: at(8), by: clock)
        try one.save(session, of: bank, now: at(9))
        try other.save(second, of: bank, now: at(9))
        #expect(try one.status().waitingCount == 2)
    }

    @Test func anotherAnswerUnderItsKeyIsRefused() throws {
        let (one, other) = (try open(), try open())
        var (first, second) = (sessions.session("s"), sessions.session("s"))
        try answer(&first, 0, true, at: 5)
        try answer(&second, 0, false, at: 6)
        try one.save(first, of: bank, now: at(5))
        try one.dropSession(id: "s", now: at(6))
        let failure = #expect(throws: StoreError.self) {
            try other.save(second, of: bank, now: at(7))
        }
        #expect(failure?.code == .refused)
        #expect(failure?.message == "This question was answered in another window.")
    }

    // MARK: Any order

    /// Answers and retractions of three devices in a random order equal the answers that hold, but for exposures.
    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func answerAndRetractionAreNeither(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let logs = TakenBack(seed: seed)
        let (all, held) = (try UserStore.inMemory(), try UserStore.inMemory())
        for (store, rows) in [(all, logs.rows), (held, logs.heldRows)] {
            var devices = OtherDevices(logs.names, start: at(0), questions: 1)
            var left = rows
            while let name = left.keys.sorted().randomElement(using: &random) {
                let count = min(left[name]?.count ?? 0, Int.random(in: 1...9, using: &random))
                try devices.pull(
                    Array(left[name]?.prefix(count) ?? []), of: name, into: store, now: at(0))
                left[name]?.removeFirst(count)
                if left[name]?.isEmpty ?? true { left[name] = nil }
                if Bool.random(using: &random) { try expectAReplay(store, "seed \(seed)") }
            }
        }
        let comment: Comment = "seed \(seed)"
        try expectAReplay(all, comment)
        #expect(try all.answers(of: bank) == held.answers(of: bank), comment)
        #expect(
            try all.schedules(of: bank, by: scheduler(), now: at(0))
                == held.schedules(of: bank, by: scheduler(), now: at(0)), comment)
        #expect(try all.progressByDay() == held.progressByDay(), comment)
        #expect(try all.progressByDomain() == held.progressByDomain(), comment)
        for days in -3...0 {
            let day = clock.day(of: at(0)) + days
            #expect(
                try all.usage(on: day, in: bank) == held.usage(on: day, in: bank), comment)
        }
        #expect(try all.exposures(of: bank).values.reduce(0, +) > 0, comment)
    }

    // MARK: Cost

    /// An undo reads the rows of its session and card, and never all answers.
    @Test func anUndoCostsTheSameWithMoreAnswers() throws {
        func changes(_ count: Int) throws -> Double {
            let store = try UserStore.inMemory()
            var devices = OtherDevices(["zz"], start: at(0), questions: 400)
            var random = SeededGenerator(seed: 1)
            let rows = (0..<count).map { _ in devices.row(using: &random) }
            for start in stride(from: 0, to: count, by: 10_000) {
                try devices.pull(
                    Array(rows[start..<min(count, start + 10_000)]), of: "zz", into: store,
                    now: at(0))
            }
            _ = try store.progressByDay()
            var session = sessions.session("s")
            try answer(&session, 0, true, at: 5)
            try store.save(session, of: bank, now: at(5))
            try session.undo(now: at(9), by: clock)
            return try ProcessorTime.seconds { try store.save(session, of: bank, now: at(9)) }
        }
        let (small, large) = (try changes(2_000), try changes(32_000))
        // A walk over all answers would take some 10 ms here.
        #expect(large < max(4 * small, 0.005), "\(small) and \(large) s")
    }
}

/// Logs of three devices with valid and invalid retractions of each other's answers.
private struct TakenBack {
    let names = ["aa", "mm", "zz"]
    /// The rows of each device.
    private(set) var rows: [String: [AnswerRow?]] = [:]
    /// The same rows without retractions and without the answers that are taken back.
    private(set) var heldRows: [String: [AnswerRow?]] = [:]

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var given: [(id: AnswerID, row: AnswerRow)] = []
        var rows: [String: [AnswerRow?]] = [:]
        for step in 0..<90 {
            let name = names.randomElement(using: &random) ?? ""
            let id = AnswerID(
                client: ClientID(name), number: UInt64(rows[name]?.count ?? 0) + 1)
            var row = Self.row(step, using: &random)
            if Int.random(in: 0..<3, using: &random) == 0,
                let target = given.randomElement(using: &random)
            {
                row = target.row.retraction(
                    of: target.id,
                    at: target.row.milliseconds + Int64.random(in: 0...100_000_000, using: &random),
                    offsetMinutes: nil)
                if Int.random(in: 0..<8, using: &random) == 0 { row.session = "another" }
            }
            given.append((id, row))
            rows[name, default: []].append(row)
        }
        self.rows = rows
        let rule = Retractions(given)
        heldRows = rows
        for (id, row) in given where row.isRetraction || rule.isRetracted(id) {
            heldRows[id.client.text]?[Int(id.number) - 1] = nil
        }
    }

    private static func row(
        _ step: Int, using random: inout some RandomNumberGenerator
    ) -> AnswerRow {
        let question = Int.random(in: 0..<4, using: &random)
        return AnswerRow(
            bank: "int/swift", session: "s\(step)", question: "q\(question)",
            domain: question == 0 ? nil : "d\(question % 2)", options: ["a"],
            isCorrect: Bool.random(using: &random), takenMilliseconds: 1000,
            exposuresBefore: Int64(step),
            mode: ["study", "repeat", "exam"].randomElement(using: &random) ?? "study",
            milliseconds: 1_799_000_000_000
                + Int64.random(in: 0..<400, using: &random) * 2_400_000)
    }
}
