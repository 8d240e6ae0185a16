import ContentModel
import Foundation
import OfflineStorage
import QuestionEngine
import Testing
import UserData

/// Records that determine study, and what they leave out.
@Suite struct LearningStoreTests {
    private let bank = QuestionFilter.Bank.exam(region: "int", exam: "swift")
    private let other = QuestionFilter.Bank.placement(language: "es")
    private let start = Date(timeIntervalSince1970: 1_790_000_000)
    private let store: UserStore

    init() throws { store = try UserStore.inMemory() }

    private var today: LearningDay { LearningClock().day(of: start) }

    private func answer(
        _ question: String, isCorrect: Bool = true, day: Int = 0, second: Double = 0,
        mode: AnswerMode = .study
    ) throws {
        let record = AnswerRecord(
            sessionID: "\(mode)", questionID: question, contentVersion: "v", response: ["a"],
            isCorrect: isCorrect, credit: 1, timeTaken: 1, exposuresBefore: 0, mode: mode,
            isRandomlySelected: false, date: start + Double(day) * 86_400 + second)
        try store.add([record], to: bank, now: start + 400 * 86_400)
    }

    private func studied() throws -> [String: StudiedQuestion] {
        try store.schedules(of: bank, by: store.scheduler(of: bank), now: start + 400 * 86_400)
    }

    // MARK: Settings

    @Test func aBankReplacesTheSettingsOfAllBanks() throws {
        #expect(try store.learningSettings(of: bank) == .standard)
        var all = LearningFields()
        (all.newPerDay, all.retention, all.rolloverHour) = (5, 0.8, 3)
        try store.put(all, id: LearningFields.allBanks)
        var own = LearningFields()
        (own.newPerDay, own.retention) = (7, 2)
        try store.put(own, id: bank.name)
        #expect(try store.learningSettings(of: other).newPerDay == 5)
        let settings = try store.learningSettings(of: bank)
        #expect(settings.newPerDay == 7 && settings.retention == 0.9)
        #expect(try store.scheduler(of: other).settings.retention == 0.8)
        #expect(try store.scheduler(of: bank).settings.rolloverHour == 3)
    }

    @Test func anotherRetentionMovesTheDueDays() throws {
        try answer("q")
        let before = try #require(try studied()["q"]?.schedule.dueDay)
        var fields = LearningFields()
        fields.retention = 0.7
        try store.put(fields, id: LearningFields.allBanks)
        let after = try #require(try studied()["q"]?.schedule.dueDay)
        #expect(after > before)
        try store.delete(LearningFields.self, id: LearningFields.allBanks)
        #expect(try studied()["q"]?.schedule.dueDay == before)
    }

    @Test func tunedParametersComeBackBitForBit() throws {
        var values = FSRSParameters.standard.values.map { $0 * 0.999_999_7 }
        values[7] = 0.001
        var record = MemoryRecord(
            candidate: try FSRSParameters(values), through: start, reviewCount: 2_310)
        (record.parameters, record.share) = (values, 0.75)
        try store.put(record, id: MemoryRecord.recordID)
        #expect(try store.record(MemoryRecord.self, id: MemoryRecord.recordID) == record)
        #expect(try store.scheduler(of: bank).memory.parameters.values == values)
        record.model = "fsrs-7"
        try store.put(record, id: MemoryRecord.recordID)
        #expect(try store.scheduler(of: bank).memory.parameters == .standard)
    }

    @Test func anotherRolloverHourGivesAllAnswersOtherDays() throws {
        for second in [0.0, 43_200] { try answer("q\(second)", second: second) }
        func days() throws -> [String] { try store.progressByDay().map(\.name) }
        func expected(_ hour: Int) -> [String] {
            let clock = LearningClock(rolloverHour: hour)
            return Set([start, start + 43_200].map { clock.day(of: $0).date }).sorted(by: >)
        }
        #expect(try days() == expected(4))
        for hour in [0, 12, 23, 4] {
            var fields = LearningFields()
            fields.rolloverHour = hour
            try store.put(fields, id: LearningFields.allBanks)
            #expect(try days() == expected(hour), "\(hour)")
            let day = LearningClock(rolloverHour: hour).day(of: start)
            #expect(try store.usage(on: day, in: bank).newCards >= 1)
            #expect(try studied()["q0.0"]?.schedule.lastDay == day)
        }
        let check = try store.verifySchedules(
            of: bank, by: store.scheduler(of: bank), now: start + 400 * 86_400)
        #expect(check.differences == [])
    }

    // MARK: Limits

    @Test func examsAndPlacementTestsUseUpNothing() throws {
        try answer("exam", mode: .exam)
        try answer("placed", mode: .placement)
        try answer("studied")
        // Its first answer was of an exam.
        try answer("both", mode: .exam)
        try answer("both", second: 9)
        #expect(try store.usage(on: today, in: bank) == DueQueue.Usage(newCards: 1))
        #expect(try store.studiedQuestions(on: today, in: bank) == ["studied", "both"])
        try answer("exam", day: 1, mode: .exam)
        try answer("both", day: 1, second: 5)
        #expect(try store.usage(on: today + 1, in: bank) == DueQueue.Usage(reviews: 1))
    }

    private func extra(of bank: QuestionFilter.Bank) throws -> Int {
        let used = try store.usage(on: today, in: bank).newCards
        let limit = try store.learningSettings(of: bank).newPerDay
        return try #require(try store.extraQuestions(of: bank, on: today))
            .count(limit: limit, used: used)
    }

    @Test func moreNewQuestionsAreOfOneDay() throws {
        for number in 0..<23 { try answer("q\(number)", second: Double(number)) }
        try store.addExtraQuestions(10, of: bank, on: today, now: start)
        #expect(try extra(of: bank) == 13)
        let allowance = DailyAllowance(
            due: 0, limits: try store.learningSettings(of: bank).limits(extraNew: 13),
            used: try store.usage(on: today, in: bank))
        #expect(allowance.new == 10)
        for number in 23..<27 { try answer("q\(number)", second: Double(number)) }
        #expect(try extra(of: bank) == 13, "of which 7 were begun")
        #expect(try store.extraQuestions(of: bank, on: today + 1) == nil)
        #expect(try store.extraQuestions(of: other, on: today) == nil)
    }

    /// A backlog left no room for the usual ones: those that the learner asked for end all the same.
    @Test func moreNewQuestionsEndWithABacklog() throws {
        try answer("q0")
        try store.addExtraQuestions(3, of: bank, on: today, now: start)
        let settings = try store.learningSettings(of: bank)
        for (number, left) in [3, 2, 1, 0, 0].enumerated() {
            if number > 0 { try answer("q\(number)", second: Double(number)) }
            let extra = try extra(of: bank)
            let allowance = DailyAllowance(
                due: 300, limits: settings.limits(extraNew: extra),
                used: try store.usage(on: today, in: bank))
            #expect(allowance.new == left)
        }
    }

    @Test func missedQuestionsAreThoseOfTheLastDays() throws {
        try answer("old", isCorrect: false)
        try answer("first", isCorrect: false, day: 1)
        try answer("right", day: 3)
        try answer("last", isCorrect: false, day: 7)
        try answer("first", day: 6, second: 5)
        let day = today + 7
        #expect(
            try store.missedQuestions(until: day, days: 7, in: bank, limit: 9)
                == ["last", "first"])
        #expect(
            try store.missedQuestions(until: day, days: 7, in: bank, limit: 1) == ["last"])
        #expect(
            try store.missedQuestions(until: day, days: 8, in: bank, limit: 9).last == "old")
        // What was right since, on the day itself, is missed no more; on the next day it is.
        try answer("last", day: 7, second: 9)
        #expect(
            try store.missedQuestions(until: day, days: 7, in: bank, limit: 9) == ["first"])
        #expect(
            try store.missedQuestions(until: day + 1, days: 7, in: bank, limit: 9) == ["last"])
    }

    // MARK: Lapses

    @Test func lapsesAreThoseOfAReplay() throws {
        for day in 0..<6 {
            try answer("q", isCorrect: day == 3, day: day)
            try answer("q", isCorrect: false, day: day, second: 60)
        }
        #expect(try studied()["q"]?.schedule.lapses == 4)
        // A late answer of an earlier day is replayed.
        try answer("q", isCorrect: false, day: 3, second: -60)
        #expect(try studied()["q"]?.schedule.lapses == 5)
        let check = try store.verifySchedules(
            of: bank, by: store.scheduler(of: bank), now: start + 400 * 86_400)
        #expect(check.differences == [])
    }

    @Test func whatWasMissedOnManyDaysIsSetAsideOnceForEachStep() throws {
        func miss(_ days: Range<Int>) throws {
            for day in days { try answer("q", isCorrect: false, day: day) }
            try store.setAsideMissed(studied(), of: bank, now: start)
        }
        try miss(0..<8)
        #expect(try store.setAsideQuestions(of: bank).isEmpty)
        try miss(8..<9)
        let question = try #require(try store.setAsideQuestions(of: bank).first)
        #expect(question.reason == .lapses && question.lapses == 8)
        try store.askAgain(question, now: start)
        try miss(9..<12)
        #expect(try store.setAsideQuestions(of: bank).isEmpty, "asked again until 12 lapses")
        try miss(12..<13)
        #expect(try store.setAsideQuestions(of: bank).map(\.lapses) == [12])
        #expect(try store.setAsideQuestions(of: other).isEmpty)
        var fields = LearningFields()
        fields.lapseLimit = 0
        try store.put(fields, id: bank.name)
        try store.askAgain(question, now: start)
        try miss(13..<30)
        #expect(try store.setAsideQuestions(of: bank).isEmpty)
    }
}
