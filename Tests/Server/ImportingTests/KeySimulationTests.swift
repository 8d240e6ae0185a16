import ContentModel
import Importing
import TestSupport
import Testing

/// Banks whose keys are rewritten in each way: each comes in with its keys, or is refused.
@Suite struct KeySimulationTests {
    private enum Form: CaseIterable {
        case letters, texts, fromZero, fromOne, quotedFromZero, quotedFromOne, lettersWithTexts,
            bits
    }

    private struct Record {
        var number: Int
        var options: [String]
        var right: Int

        func json(_ form: Form) -> String {
            let letter = ["A", "B", "C", "D"][right]
            let key =
                switch form {
                case .letters: "\"\(letter)\""
                case .texts: "\"\(options[right])\""
                case .fromZero: "\(right)"
                case .fromOne: "\(right + 1)"
                case .quotedFromZero: "\"\(right)\""
                case .quotedFromOne: "\"\(right + 1)\""
                case .lettersWithTexts: "\"\(letter). \(options[right])\""
                case .bits:
                    "[\(options.indices.map { $0 == right ? "1" : "0" }.joined(separator: ","))]"
                }
            let list = options.map { "\"\($0)\"" }.joined(separator: ",")
            return "{\"question\":\"Question \(number)?\",\"options\":[\(list)],\"answer\":\(key)}"
        }
    }

    private static let plain = ["Iron", "Neon", "Zinc", "Gold", "Lead", "Argon", "Tin", "Helium"]
    private static let short = ["A", "B", "C", "D", "a", "d", "0", "1", "2", "3", "4", "5"]

    private func bank(_ count: Int, shortPercent: Int, _ random: inout SeededGenerator) -> [Record]
    {
        (0..<count).map { number in
            let isShort = Int.random(in: 0..<100, using: &random) < shortPercent
            let pool = isShort ? Self.short + Self.plain.prefix(2) : Self.plain
            return Record(
                number: number, options: Array(pool.shuffled(using: &random).prefix(4)),
                right: Int.random(in: 0...3, using: &random))
        }
    }

    @Test func noKeyOfARewrittenBankIsWrong() throws {
        var random = SeededGenerator(seed: 58)
        var read = 0
        for round in 0..<300 {
            let form = Form.allCases[round % Form.allCases.count]
            let bank = bank(
                [1, 2, 5, 10, 20, 50][round % 6], shortPercent: [0, 5, 15, 30][round % 4], &random)
            let text = "[" + bank.map { $0.json(form) }.joined(separator: ",") + "]"
            guard let result = try? imported(text, .json) else { continue }
            for question in result.questions {
                let number = try #require(Int(question.stem.filter(\.isNumber)))
                let key = question.correct.map { question.options[$0].text }
                #expect(
                    key == [bank[number].options[bank[number].right]], "round \(round), \(form)")
                read += 1
            }
        }
        #expect(read > 1_500)
    }
}
