import ContentModel
import Testing

@testable import Importing

/// Single letters may be the letters of options and their texts: the whole file decides.
@Suite struct KeyReadingsTests {
    private static let blood =
        #"{"question": "Which has no antigen?", "options": ["A", "O", "AB", "B"], "answer": "B"}"#
    private static let city =
        #"{"question": "Which lies on the Tiber?", "options": ["Bonn", "Rome", "Oslo"], "answer": "B"}"#
    private static let named =
        #"{"question": "Which lies on the Tiber?", "options": ["Bonn", "Rome", "Oslo"], "answer": "Rome"}"#

    private func right(_ result: ImportResult) -> [[String]] {
        result.questions.map { question in question.correct.map { question.options[$0].text } }
    }

    private func json(_ records: [String], keys: KeyReading? = nil) throws -> ImportResult {
        let text = "[" + records.joined(separator: ",") + "]"
        return try imported(Array(text.utf8), .json, settings: ImportSettings(keys: keys))
    }

    @Test func whatOthersOfTheFileShowDecides() throws {
        #expect(right(try json([Self.blood, Self.city])) == [["O"], ["Rome"]])
        #expect(right(try json([Self.named, Self.blood])) == [["Rome"], ["B"]])
        let table =
            "question,A,B,C,D,correct\nTiber?,Bonn,Rome,Oslo,Bern,Rome\nVitamin?,D,A,C,K,C\n"
        #expect(right(try imported(table, .csv)) == [["Rome"], ["C"]])
        let letters = "question,A,B,C,D,correct\nTiber?,Bonn,Rome,Oslo,Bern,B\nVitamin?,D,A,C,K,C\n"
        #expect(right(try imported(letters, .csv)) == [["Rome"], ["C"]])
        let other = "question,A,B,C,D,correct\nTiber?,Bonn,Rome,Oslo,Bern,B\nVitamin?,D,C,A,K,C\n"
        #expect(right(try imported(other, .csv)) == [["Rome"], ["A"]])
    }

    @Test func aFileThatDecidesNothingIsAskedBack() throws {
        let error = #expect(throws: ImportError.self) { try json([Self.blood]) }
        #expect(error?.reason.contains("--keys letters or --keys texts") == true)
        #expect(right(try json([Self.blood], keys: .letters)) == [["O"]])
        #expect(right(try json([Self.blood], keys: .texts)) == [["B"]])
    }

    @Test func aFileThatHasBothRefusesWhatIsOpen() throws {
        let result = try json([Self.city, Self.named, Self.blood])
        #expect(right(result) == [["Rome"]] || right(result) == [["Rome"], ["Rome"]])
        #expect(result.skipped.contains { $0.reason.contains("several meanings") })
    }

    @Test func joinedLettersAndTextsBehindLettersAreKeys() throws {
        func record(_ key: String) -> String {
            #"{"question": "Which \#(key)?", "options": ["Oxygen", "Iron", "Helium", "Argon"], "answer": "\#(key)"}"#
        }
        let result = try json(["AC", "A, B and C", "c/d", "B. Iron", "Option D"].map(record))
        #expect(
            result.questions.map(\.correct) == [[0, 2], [0, 1, 2], [2, 3], [1], [3]])
        let wrong = try json([record("B"), record("B. Helium")])
        #expect(wrong.questions.count == 1 && wrong.skipped.count == 1)
    }

    @Test func oneKeyAmongManyThatIsReadOtherwiseIsRefused() {
        let letters: [KeyReadings.Fit] = Array(repeating: [.letters: [1]], count: 10)
        let stray: KeyReadings.Fit = [.texts: [0]]
        let readings = KeyReadings(letters + [stray] + letters)
        #expect(readings.decide(stray) == .stray)
        #expect(readings.decide([.letters: [1], .texts: [3]]) == .options([1]))
        let early = KeyReadings(Array(letters.prefix(3)) + [stray] + letters)
        #expect(early.decide(stray) == .options([0]))
        #expect(early.decide([.letters: [1], .texts: [3]]) == .open([.letters, .texts]))
    }

    /// The keys of a bank, written as letters or as texts, come in as they were, or not at all.
    @Test func noKeyOfARewrittenBankIsWrong() throws {
        var random = SystemRandomNumberGenerator()
        let pool = ["A", "B", "C", "D", "AB", "O", "Iron", "Neon", "Zinc", "Gold", "K", "E"]
        for _ in 0..<200 {
            let count = Int.random(in: 1...12, using: &random)
            let asLetters = Bool.random(using: &random)
            var keys: [String] = []
            let records = (0..<count).map { number -> String in
                let options = Array(pool.shuffled(using: &random).prefix(4))
                let index = Int.random(in: 0...3, using: &random)
                keys.append(options[index])
                let key = asLetters ? ["A", "B", "C", "D"][index] : options[index]
                let list = options.map { "\"\($0)\"" }.joined(separator: ",")
                return
                    "{\"question\":\"Question \(number)?\",\"options\":[\(list)],\"answer\":\"\(key)\"}"
            }
            guard let result = try? json(records) else { continue }
            for question in result.questions {
                let number = try #require(Int(question.stem.filter(\.isNumber)))
                #expect(question.correct.map { question.options[$0].text } == [keys[number]])
            }
        }
    }
}
