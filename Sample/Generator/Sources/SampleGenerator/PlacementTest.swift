import Foundation

/// Forty questions about one language.
///
/// The learner's own language is English; for English it is Spanish. Difficulty by rule:
/// 1 weekdays; 2 months, telling words apart, the order of the week; 3 countries and numbers
/// below 100; 4 languages, currencies and durations; 5 numbers of three digits, which are often
/// written by rules of their own.
struct PlacementTest {
    private let target: Language
    private let own: Language
    private let stems: Stems
    private var random: SeededGenerator
    private var questions: [[String: Any]] = []
    private static let size = 40

    init(_ target: Language) {
        self.target = target
        own = Language(target.code == "en" ? "es" : "en")
        stems = target.code == "en" ? .spanish : .english
        random = SeededGenerator(target.code)
        addWeekdays()
        addMonths()
        addCountries(7)
        addNumbers(6, difficulty: 3, from: 11...99)
        addLanguages(5)
        addDurations()
        addNumberOrder()
        addNumbers(4, difficulty: 5, from: 100...899)
        addCurrencies(Self.size - questions.count)
    }

    var json: [String: Any] {
        [
            "kind": "placement", "id": target.code, "version": "1.0.0",
            "title": "\(target.ownName): \(stems.placementTest)",
            "levels": ["1": "A1", "2": "A2", "3": "B1", "4": "B2", "5": "C1"],
            "scoring": [
                "cuts": [
                    ["level": "A1", "from": 0], ["level": "A2", "from": 10],
                    ["level": "B1", "from": 18], ["level": "B2", "from": 26],
                    ["level": "C1", "from": 34],
                ]
            ],
            "questions": questions,
        ]
    }

    // MARK: Kinds of questions

    private mutating func addWeekdays() {
        let words = zip(own.weekdays, target.weekdays).map { ($0, $1) }
        for index in [1, 2, 4, 5, 6] { addWord(index, words, difficulty: 1, tag: "weekday") }
        add(
            type: "ordering", difficulty: 2, tag: "weekday", stem: stems.weekOrder,
            options: [2, 4, 3, 5].map { target.weekdays[$0] }, correct: [0, 2, 1, 3],
            explanation: nil)
    }

    private mutating func addMonths() {
        let words = zip(own.months, target.months).map { ($0, $1) }
        for index in [0, 2, 4, 6, 8, 11] { addWord(index, words, difficulty: 2, tag: "month") }
        add(
            type: "multi-choice", difficulty: 2, tag: "month", stem: stems.selectMonths,
            options: [
                target.weekdays[1], target.months[3], target.weekdays[3], target.months[9],
                target.weekdays[5],
            ], correct: [1, 3], explanation: nil)
    }

    private mutating func addCountries(_ count: Int) {
        let codes = [
            "DE", "GR", "NL", "CH", "AT", "ES", "FI", "HU", "PL", "CN", "EG", "JP", "SE", "NO",
            "TR", "IE", "BE", "DK", "CZ", "IN", "UA", "MA", "KR", "ZA",
        ]
        addNames(count, codes, difficulty: 3, tag: "country") { $0.region($1) }
    }

    private mutating func addLanguages(_ count: Int) {
        let codes = ["de", "el", "nl", "es", "fi", "hu", "pl", "ja", "sv", "cs", "da", "ar", "ru"]
            .filter { $0 != target.code }
        addNames(count, codes, difficulty: 4, tag: "language") { $0.languageName($1) }
    }

    private mutating func addCurrencies(_ count: Int) {
        let codes = [
            "JPY", "CHF", "SEK", "GBP", "USD", "PLN", "CZK", "INR", "TRY", "NOK", "HUF",
            "CNY", "BRL", "ZAR", "KRW", "DKK", "MXN", "CAD", "AUD", "ILS",
        ]
        addNames(count, codes, difficulty: 4, tag: "currency") { $0.currency($1) }
    }

    /// Pairs the names of things in both languages, and asks for some of them.
    private mutating func addNames(
        _ count: Int, _ codes: [String], difficulty: Int, tag: String,
        _ name: (Language, String) -> String?
    ) {
        let words = codes.shuffled(using: &random).compactMap { code -> (String, String)? in
            guard let own = name(own, code), let word = name(target, code), word != code else {
                return nil
            }
            return (own, word)
        }
        // A word that is the same in both languages asks nothing.
        let telling = words.indices.filter {
            words[$0].0.lowercased() != words[$0].1.lowercased()
        }
        for index in telling.prefix(count) {
            addWord(index, words, difficulty: difficulty, tag: tag)
        }
    }

    private mutating func addNumbers(
        _ count: Int, difficulty: Int, from range: ClosedRange<Int>
    ) {
        var left = count
        for number in range.shuffled(using: &random) where left > 0 && number % 10 != 0 {
            guard number / 10 % 10 != number % 10, let word = target.spelled(number),
                let others = confusable(number, in: range)
            else { continue }
            let numbers = ([number] + others).shuffled(using: &random)
            add(
                type: "single-choice", difficulty: difficulty, tag: "number",
                stem: stems.whichNumber(word), options: numbers.map { "\($0)" },
                correct: [numbers.firstIndex(of: number) ?? 0], explanation: "\(word) = \(number)")
            left -= 1
        }
    }

    /// Numbers that are easily taken for another: digits exchanged, one off, ten off.
    private func confusable(_ number: Int, in range: ClosedRange<Int>) -> [Int]? {
        let swapped = number / 100 * 100 + number % 10 * 10 + number / 10 % 10
        let others = [
            swapped, number + 10, number > range.lowerBound + 10 ? number - 1 : number + 1,
        ]
        let all = Set(others + [number])
        return all.count == 4 && others.allSatisfy { $0 > 9 && $0 < 1000 } ? others : nil
    }

    private mutating func addNumberOrder() {
        let numbers = [12, 5, 40, 18]
        let words = numbers.compactMap { target.spelled($0) }
        guard words.count == numbers.count else { return }
        add(
            type: "ordering", difficulty: 4, tag: "number", stem: stems.numberOrder,
            options: words, correct: [1, 0, 3, 2], explanation: "5 < 12 < 18 < 40")
    }

    /// Asks for an amount of time; a wrong plural is among the options where there can be one.
    private mutating func addDurations() {
        for (unit, count) in [(TimeUnit.hour, 5), (.day, 3), (.week, 2), (.minute, 7)] {
            let right = target.duration(count, unit)
            // The data abbreviates some forms of some languages.
            guard !right.contains("׳"), right.contains(where: \.isNumber) || count == 2 else {
                continue
            }
            var wrong = TimeUnit.allCases.filter { $0 != unit }.map { target.duration(count, $0) }
            let one = target.duration(1, unit)
            if one.hasPrefix("1 "), "\(count)" + one.dropFirst() != right {
                wrong[0] = "\(count)" + one.dropFirst()
            }
            let options = ([right] + wrong).shuffled(using: &random)
            guard Set(options).count == options.count else { continue }
            add(
                type: "single-choice", difficulty: 4, tag: "duration",
                stem: stems.howToWrite(own.duration(count, unit)), options: options,
                correct: [options.firstIndex(of: right) ?? 0], explanation: nil)
        }
    }

    // MARK: Making questions

    /// Asks for a word, with three others of its kind as distractors.
    private mutating func addWord(
        _ index: Int, _ words: [(own: String, target: String)], difficulty: Int, tag: String
    ) {
        let right = words[index]
        let others = words.filter { $0.target != right.target && $0.own != right.own }
            .shuffled(using: &random).prefix(3)
        let options = ([right] + others).map(\.target).shuffled(using: &random)
        guard Set(options).count == 4 else { return }
        add(
            type: "single-choice", difficulty: difficulty, tag: tag,
            stem: stems.whichWord(right.own), options: options,
            correct: [options.firstIndex(of: right.target) ?? 0],
            explanation: stems.means(right.target, right.own))
    }

    private mutating func add(
        type: String, difficulty: Int, tag: String, stem: String, options: [String],
        correct: [Int], explanation: String?
    ) {
        guard questions.count < Self.size else { return }
        let number = String(questions.count + 1)
        let padded = String(repeating: "0", count: 3 - number.count) + number
        var question: [String: Any] = [
            "id": "\(target.code)-\(padded)", "type": type,
            "difficulty": difficulty, "tags": [tag], "stem": stem, "correct": correct,
            "options": zip(["a", "b", "c", "d", "e"], options).map { ["id": $0, "text": $1] },
        ]
        question["explanation"] = explanation
        questions.append(question)
    }
}
