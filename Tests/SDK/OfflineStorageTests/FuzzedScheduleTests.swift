import ContentModel
import Foundation
import OfflineStorage
import QuestionEngine
import Testing

/// Spread due dates of stored schedules.
@Suite struct FuzzedScheduleTests {
    private let bank = QuestionFilter.Bank.exam(region: "int", exam: "harbour")
    private let morning = Date(timeIntervalSince1970: 1_790_000_000)

    @Test func aFuzzedScheduleIsTheSameOnEachReading() throws {
        let store = try UserStore.inMemory()
        for turn in 0..<4 {
            let records = (1...8).map { number in
                AnswerRecord(
                    sessionID: "s\(turn)", questionID: "q\(number)", contentVersion: "v",
                    response: ["a"], isCorrect: true, credit: 1, timeTaken: 3,
                    exposuresBefore: turn, mode: .study, isRandomlySelected: false,
                    date: morning + Double(turn * turn * 12) * 86_400)
            }
            _ = try store.add(records, to: bank, now: morning + 200 * 86_400)
        }
        let fuzzy = try ReviewScheduler(
            .init(learningSteps: [], relearningSteps: [], hasFuzz: true))
        let now = morning + 200 * 86_400
        let first = try store.schedules(of: bank, by: fuzzy, now: now)
        let plain = try store.schedules(of: bank, by: try ReviewScheduler(.rightOrWrong), now: now)
        #expect(try store.schedules(of: bank, by: fuzzy, now: now) == first)
        #expect(Set(plain.values.map(\.schedule.dueDay)).count == 1)
        #expect(Set(first.values.map(\.schedule.dueDay)).count > 3)
        #expect(try store.verifySchedules(of: bank, by: fuzzy, now: now).differences == [])
    }
}
