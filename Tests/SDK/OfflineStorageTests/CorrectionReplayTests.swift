import ContentModel
import Foundation
import GRDB
import QuestionEngine
import TestSupport
import Testing
import UserData

@testable import OfflineStorage

/// Corrections and answers in random orders, against what the answers alone say.
@Suite struct CorrectionReplayTests {
    private let folder: TemporaryFolder
    private let bank = CorrectedBank.bank
    private let now = CorrectedBank.now

    init() throws { folder = try TemporaryFolder() }

    /// A random answer to the first release, or to one that came later.
    private func answer(
        _ content: CorrectedBank, _ releases: [Blueprint], using random: inout SeededGenerator
    ) -> AnswerRecord {
        let number = Int.random(in: 0..<content.questions.count, using: &random)
        let options = ["a", "b", "c"].filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
        let release = releases[Int.random(in: 0..<releases.count, using: &random)]
        return content.answer(
            number, .options(Array(options.prefix(1))), to: release,
            hours: Double(Int.random(in: 0..<720, using: &random)),
            rating: Bool.random(using: &random)
                ? nil : Rating(rawValue: Int.random(in: 1...4, using: &random)),
            session: "s\(UInt64.random(in: 0...UInt64.max, using: &random))")
    }

    /// The right grades of all answers: by the definition, and from nothing that the store keeps.
    private func expectTheRightGrades(
        _ store: UserStore, _ given: [AnswerRecord], _ release: Blueprint, _ comment: Comment
    ) throws {
        let corrections = GradeCorrections(release)
        let expected = given.map { corrections.regraded($0) ?? $0 }
        let stored = try store.answers(of: bank)
        #expect(stored.count == expected.count && Set(stored) == Set(expected), comment)
        let scheduler = try ReviewScheduler(.rightOrWrong)
        let check = try store.verifySchedules(of: bank, by: scheduler, now: now)
        #expect(check.differences.isEmpty, comment)
        let domains = Dictionary(grouping: expected) { $0.domain ?? "" }
            .mapValues { $0.count(where: \.isCorrect) }
        let counted = try store.progressByDomain()
        #expect(counted.reduce(into: [:]) { $0[$1.name] = $1.correct } == domains, comment)
        // Answers of one moment are in the order of their devices.
        for (question, answers) in Dictionary(grouping: stored, by: \.questionID) {
            let card = StudyPlan.Card(answers: answers, scheduler: scheduler, now: now)
            let schedule = try store.schedules(of: bank, by: scheduler, now: now)[question]
            #expect(schedule?.schedule == card.schedule, comment)
        }
    }

    @Test(arguments: 1...30)
    func gradesAreThoseOfTheReleaseWhateverTheOrder(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let content = CorrectedBank(questions: 3)
        var devices = OtherDevices(["aa", "zz"], start: now, questions: 3)
        let store = try UserStore(folder: folder.url)
        var releases = [content.former]
        var given: [AnswerRecord] = []
        for _ in 0..<30 {
            let new = (0..<Int.random(in: 1...9, using: &random)).map { _ in
                answer(content, releases, using: &random)
            }
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<3:
                try store.add(new, to: bank, now: now)
                given += new
            case 3..<5:
                let rows = new.map { AnswerRow($0, bank: bank.name) }
                let name = Bool.random(using: &random) ? "aa" : "zz"
                try devices.pull(rows, of: name, into: store, now: now)
                given += new
            case 5..<7:
                // Some corrections are new, some change, some are taken back.
                var keys: [Int: String] = [:]
                for number in 0..<3 where Bool.random(using: &random) {
                    keys[number] = ["a", "b", "c"].randomElement(using: &random)
                }
                releases.append(try content.corrected(keys))
                try store.applyCorrections(of: releases[releases.count - 1], now: now)
            default:
                try expectTheRightGrades(
                    store, given, releases[releases.count - 1], "seed \(seed), in between")
            }
        }
        try expectTheRightGrades(store, given, releases[releases.count - 1], "seed \(seed)")
        let reopened = try UserStore(folder: folder.url)
        try expectTheRightGrades(
            reopened, given, releases[releases.count - 1], "seed \(seed), opened again")
    }

    /// What was moved or removed is counted anew, by the corrections that are known.
    @Test func countingAnewIsByTheCorrections() throws {
        var random = SeededGenerator(seed: 77)
        let content = CorrectedBank(questions: 3)
        let store = try UserStore(folder: folder.url)
        let given = (0..<60).map { _ in answer(content, [content.former], using: &random) }
        try store.add(given, to: bank, now: now)
        let corrected = try content.corrected([0: "b", 2: "c"])
        try store.applyCorrections(of: corrected, now: now)
        let (days, domains) = (try store.progressByDay(), try store.progressByDomain())
        let user = store.user
        try store.database.write {
            try $0.execute(sql: "INSERT INTO uncounted VALUES (?)", arguments: [user])
        }
        // Corrections that change before the answers are counted anew count then.
        try store.applyCorrections(of: content.corrected([0: "b"]), now: now)
        try store.applyCorrections(of: corrected, now: now)
        #expect(try store.progressByDay() == days && store.progressByDomain() == domains)
        try expectTheRightGrades(store, given, corrected, "counted anew")
    }
}
