import Foundation
import Ledger
import Review
import Synchronization
import Tables

/// What the benchmark measured, in milliseconds and bytes.
struct ReviewFigures: Encodable {
    var answers = 0
    var questions = 0
    var wrongKeys = 0
    var flagged = 0
    /// The memory of the process before the answers were read, and with them.
    var bytesBefore = 0
    var bytesWith = 0
    /// A run of a new process: all answers are read, all banks reviewed.
    var fromNothing: [Double] = []
    /// All banks are reviewed again over the answers in memory.
    var allBanks: [Double] = []
    /// New answers to one bank of 200 questions, to the one of 5,000, and to all of them.
    var smallBank: [Double] = []
    var largeBank: [Double] = []
    var spread: [Double] = []
    /// A minute later the banks of the spread answers are due.
    var spreadLater: [Double] = []
    /// Nothing is new.
    var nothing: [Double] = []
}

/// The runs of a reviewer over a database that grows between them.
struct ReviewRun {
    private var school: SimulatedSchool
    private let file: AnswerFile
    private let storage: ReviewStorage
    private let newCount: Int
    private let sizes: [Int]
    private let time = TestTime()

    /// A clock that the benchmark moves.
    private final class TestTime: Sendable {
        private let seconds = Mutex(1_000_000.0)
        var now: Date { Date(timeIntervalSince1970: seconds.withLock { $0 }) }
        func pass(_ more: Double) { seconds.withLock { $0 += more } }
    }

    init(_ folder: URL, _ sizes: [Int], newCount: Int) throws {
        school = SimulatedSchool(sizes: sizes, seed: 28)
        file = try AnswerFile(folder)
        storage = ReviewStorage(try UserDatabase(path: file.path))
        self.newCount = newCount
        self.sizes = sizes
    }

    /// Writes answers to all banks.
    mutating func fill(_ count: Int) throws {
        var left = count
        while left > 0 {
            var learners: [[FirstAnswer]] = []
            while left > 0, learners.count < 1_000 {
                learners.append(school.answers(to: school.bank()))
                left -= SimulatedSchool.answersPerLearner
            }
            try file.add(learners)
        }
    }

    /// Writes the new answers of learners to one bank, or to the banks in turn.
    private mutating func addNew(to bank: Int?) throws {
        let each = bank == nil ? newCount / sizes.count : SimulatedSchool.answersPerLearner
        var learners: [[FirstAnswer]] = []
        var left = newCount
        while left > 0 {
            let count = min(each, left)
            learners.append(
                school.answers(to: bank ?? learners.count % sizes.count, count: count))
            left -= count
        }
        try file.add(learners)
    }

    private func reviewer() async throws -> KeyReviewer {
        let reviewer = KeyReviewer(storage) { [time] in time.now }
        _ = try await reviewer.follow(school.release)
        return reviewer
    }

    /// Takes all measurements.
    mutating func figures(rounds: Int) async throws -> ReviewFigures {
        var figures = ReviewFigures()
        figures.questions = sizes.reduce(0, +)
        figures.wrongKeys = school.wrongCount
        figures.bytesBefore = Self.residentBytes
        let reviewer = try await reviewer()
        let first = try await timed(reviewer, .always, into: &figures.fromNothing)
        figures.bytesWith = Self.residentBytes
        figures.answers = first.answers
        let open = try await storage.proposals(in: [.open], limit: .max)
        figures.flagged = open.count { $0.proposedKey != nil }
        for _ in 0..<rounds {
            try await round(reviewer, &figures)
            let other = try await self.reviewer()
            try await timed(other, .always, into: &figures.fromNothing)
        }
        return figures
    }

    private mutating func round(
        _ reviewer: KeyReviewer, _ figures: inout ReviewFigures
    ) async throws {
        try await timed(reviewer, KeyReviewer.Schedule(), into: &figures.nothing)
        for (bank, isLarge) in [(7, false), (sizes.count - 1, true)] {
            try addNew(to: bank)
            let report =
                isLarge
                ? try await timed(reviewer, KeyReviewer.Schedule(), into: &figures.largeBank)
                : try await timed(reviewer, KeyReviewer.Schedule(), into: &figures.smallBank)
            precondition(report.newAnswers == newCount && report.banks.count == 1)
        }
        try addNew(to: nil)
        let spread = try await timed(reviewer, KeyReviewer.Schedule(), into: &figures.spread)
        precondition(spread.newAnswers == newCount && spread.banks.isEmpty)
        time.pass(61)
        let later = try await timed(reviewer, KeyReviewer.Schedule(), into: &figures.spreadLater)
        precondition(later.banks.count == sizes.count)
        try addNew(to: nil)
        let all = try await timed(reviewer, .always, into: &figures.allBanks)
        precondition(all.banks.count == sizes.count)
    }

    @discardableResult
    private func timed(
        _ reviewer: KeyReviewer, _ schedule: KeyReviewer.Schedule, into times: inout [Double]
    ) async throws -> KeyReviewer.Report {
        let begin = ContinuousClock.now
        let report = try await reviewer.run(schedule)
        times.append((ContinuousClock.now - begin) / .milliseconds(1))
        return report
    }

    /// The memory of this process, in bytes.
    private static var residentBytes: Int {
        // A platform without the file has no figure.
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
