import Foundation
import OfflineStorage
import QuestionEngine
import TestSupport
import Testing
import UserData

/// How long the learner's newest answers took, wherever they were given.
@Suite struct PaceTests {
    private let store: UserStore
    private let start = SavedSessions.start

    init() throws { store = try UserStore.inMemory() }

    private func answer(_ number: Int, seconds: Double, at offset: Double) throws {
        let record = AnswerRecord(
            sessionID: "s", questionID: "q\(number)", contentVersion: "v", response: ["a"],
            isCorrect: true, credit: 1, timeTaken: seconds, exposuresBefore: 0, mode: .study,
            isRandomlySelected: false, date: start + offset)
        try store.add([record], to: SavedSessions.bank, now: start + offset)
    }

    @Test func itIsUnknownBeforeTheFirstAnswer() throws {
        #expect(try store.meanSeconds(ofNewest: 100) == nil)
    }

    @Test func itIsThatOfTheNewestAnswers() throws {
        for number in 0..<10 { try answer(number, seconds: 30, at: Double(number)) }
        for number in 0..<4 { try answer(number, seconds: 6, at: 100 + Double(number)) }
        #expect(try store.meanSeconds(ofNewest: 4) == 6)
        #expect(try store.meanSeconds(ofNewest: 8) == 18)
    }

    /// A device that gave no answer itself knows the pace from those of the others.
    @Test func answersOfOtherDevicesCount() throws {
        var devices = OtherDevices(["zz"], start: start, questions: 10)
        var random = SeededGenerator(seed: 1)
        let rows = (0..<20).map { _ in devices.row(using: &random) }
        try devices.pull(rows, of: "zz", into: store, now: start)
        #expect(try store.meanSeconds(ofNewest: 100) == 1)
        try answer(1, seconds: 22, at: 1_000_000)
        #expect(try store.meanSeconds(ofNewest: 100) == 2)
        #expect(try store.meanSeconds(ofNewest: 1) == 22)
    }
}
