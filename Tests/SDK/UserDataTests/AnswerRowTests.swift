import Testing
import UserData

@Suite struct AnswerRowTests {
    private func row(_ change: (inout AnswerRow) -> Void = { _ in }) -> AnswerRow {
        var row = AnswerRow(
            bank: "ca/az", session: "s", question: "q", domain: "d", version: "v",
            options: ["a", "b"], isCorrect: true, rating: 3, takenMilliseconds: 1_500,
            exposuresBefore: 2, mode: "study", milliseconds: 1_800_000_000_000)
        change(&row)
        return row
    }

    @Test func aRightAnswerIsWorthOneUnlessItSaysOtherwise() {
        func credit(_ isCorrect: Bool, _ credit: Double? = nil) -> Double {
            AnswerRow(
                bank: "b", session: "s", question: "q", isCorrect: isCorrect, credit: credit,
                takenMilliseconds: 0, exposuresBefore: 0, mode: "m", milliseconds: 0
            ).credit
        }
        #expect(credit(true) == 1 && credit(false) == 0)
        #expect(credit(true, 0.5) == 0.5 && credit(false, -0.25) == -0.25)
    }

    @Test func valuesWithinTheBoundsAreValid() {
        #expect(row().isValid)
        #expect(row { $0.rating = nil }.isValid)
        #expect(row { $0.domain = nil }.isValid)
        #expect(row { $0.options = [] }.isValid)
        #expect(row { $0.version = "" }.isValid)
        #expect(row { $0.takenMilliseconds = AnswerRow.takenMillisecondsMax }.isValid)
        #expect(row { $0.question = String(repeating: "q", count: 256) }.isValid)
    }

    @Test func valuesOutsideAreNot() {
        let invalid: [(inout AnswerRow) -> Void] = [
            { $0.bank = "" }, { $0.session = "" }, { $0.question = "" }, { $0.mode = "" },
            { $0.question = String(repeating: "q", count: 257) },
            { $0.version = "a\0b" }, { $0.options = ["a\0"] },
            { $0.options = Array(repeating: "a", count: AnswerRow.optionsMax + 1) },
            { $0.options = Array(repeating: String(repeating: "a", count: 200), count: 25) },
            { $0.credit = .nan }, { $0.credit = .infinity }, { $0.credit = 1_000_001 },
            { $0.rating = 0 }, { $0.rating = 5 },
            { $0.takenMilliseconds = -1 },
            { $0.takenMilliseconds = AnswerRow.takenMillisecondsMax + 1 },
            { $0.exposuresBefore = -1 }, { $0.exposuresBefore = 1_000_001 },
            { $0.milliseconds = -1 }, { $0.milliseconds = FieldValue.integerMax + 1 },
        ]
        for (index, change) in invalid.enumerated() {
            #expect(!row(change).isValid, "case \(index)")
        }
    }

    @Test func theSizeCountsTexts() {
        let small = row { $0.options = [] }
        #expect(small.estimatedBytes == 64 + 5 + 1 + 1 + 1 + 5 + 1)
        #expect(row().estimatedBytes == small.estimatedBytes + 2 * 4)
        #expect(row { $0.question = "é" }.estimatedBytes == row().estimatedBytes + 1)
    }
}
