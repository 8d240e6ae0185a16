import ServiceAPI
import Testing
import UserData

/// Parts of encoded answers, and the distinct values of a column.
@Suite struct EncodedSliceTests {
    private let rows: [AnswerRow?] = (0..<5).map { number in
        guard number != 2 else { return nil }
        return AnswerRow(
            bank: "es", session: "s", question: "q\(number % 2)", options: ["\(number)"],
            isCorrect: number > 2, takenMilliseconds: 1, exposuresBefore: 0, mode: "study",
            milliseconds: Int64(number))
    }

    @Test func eachSliceHasTheRowsOfItsRange() {
        let encoded = EncodedAnswers(rows)
        for first in 0...rows.count {
            for end in first...rows.count {
                #expect(encoded.slice(first..<end).answers == Array(rows[first..<end]))
            }
        }
    }

    @Test func aSliceOfASliceCountsFromItsOwnFirstRow() {
        let slice = EncodedAnswers(rows).slice(1..<5).slice(2..<4)
        #expect(slice.answers == [rows[3], rows[4]])
        // Texts stay as they are: their indices stand in the rows.
        #expect(slice.questions.map(\.question) == ["q0", "q1"] && slice.responses.count == 4)
    }

    @Test func distinctValuesAreInTheOrderOfTheirFirstAppearance() {
        var distinct = EncodedAnswers.Distinct<String>()
        let indices = ["b", "b", "a", "b", "c", "a", "a"].map { distinct.index(of: $0) }
        #expect(indices == [0, 0, 1, 0, 2, 1, 1])
        #expect(distinct.values == ["b", "a", "c"])
    }

    @Test func aCreditThatIsNotPlainIsKnown() {
        let encoded = EncodedAnswers(rows)
        #expect(encoded.rows.compactMap { $0?.plainCredit } == [0, 0, 1, 1])
        #expect(encoded.rows.compactMap { $0?.credit } == [0, 0, 1, 1])
    }
}
