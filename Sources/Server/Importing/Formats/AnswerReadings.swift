/// An answer beside a list of options, such as `Answer: B`, with the options that it may name.
struct AnswerLine {
    /// The answer as it is written.
    let shown: String
    /// The options that it names as letter, as number of a numbered list, and as text.
    let fit: KeyReadings.Fit
    private let options: [String]

    /// - Parameters:
    ///   - answer: What stands behind `Answer:`.
    ///   - options: The texts of the options, without letters or numbers.
    ///   - areNumbered: True for a list with numbers, of which the answer may be one.
    init(_ answer: String, options: [String], areNumbered: Bool = false) {
        shown = answer.trimmed
        self.options = options
        let plain = answer.filter { !"*_`".contains($0) }.trimmed
        let readings = [shown, plain, plain.last == "." ? String(plain.dropLast()) : plain].lazy
            .map { Self.fit($0, options, areNumbered: areNumbered) }
        fit = readings.first { !$0.isEmpty } ?? [:]
    }

    private static func fit(
        _ answer: String, _ options: [String], areNumbered: Bool
    ) -> KeyReadings.Fit {
        var fit: KeyReadings.Fit = [:]
        fit[.texts] = place(ofText: answer, options).map { [$0] }
        fit[.letters] = OptionLetters.indices(of: answer, count: options.count)
        // An option may be "A and B" itself.
        if fit[.texts] != nil, fit[.letters].map({ $0.count > 1 }) == true,
            OptionLetters.areWords(answer)
        {
            fit[.letters] = nil
        }
        guard let match = answer.wholeMatch(of: Pattern.answerWithText) else { return fit }
        let number = Int(match.1).map { $0 - 1 }
        guard let index = number ?? OptionLetters.index(of: match.1, count: options.count),
            options.indices.contains(index), areNumbered || number == nil
        else { return fit }
        let rest = match.2.map { String($0).trimmed } ?? ""
        guard rest.isEmpty || place(ofText: rest, options) == index else { return fit }
        fit[number == nil ? .letters : .fromOne] = [index]
        return fit
    }

    /// Returns the one option with a text, else the one that differs in case.
    private static func place(ofText text: String, _ options: [String]) -> Int? {
        let exact = options.indices.filter { options[$0] == text }
        guard exact.isEmpty else { return exact.count == 1 ? exact[0] : nil }
        let wanted = text.lowercased()
        let alike = options.indices.filter { options[$0].lowercased() == wanted }
        return alike.count == 1 ? alike[0] : nil
    }

    /// Returns the right options, or the reason to skip the question.
    func decide(_ readings: KeyReadings) -> Result<[Int], SkipReason> {
        guard !fit.isEmpty else {
            return .failure(
                SkipReason(
                    .keyUnknown, "its answer \"\(shown.prefix(60))\" names none of its options"))
        }
        let fact = RecordKey.Fact(
            name: "its answer", shown: shown, fit: fit, isNumber: Int(shown) != nil)
        return RecordKey(facts: [fact], options: options).decide(readings)
    }
}

/// The answers of a file, of which first all are collected, and then each is read as the file decides.
struct AnswerReadings {
    private var fits: [KeyReadings.Fit] = []
    private var readings: KeyReadings?
    private let chosen: KeyReading?

    /// - Parameter chosen: The reading that the user named.
    init(_ chosen: KeyReading?) { self.chosen = chosen }

    /// Returns the right options of an answer; while answers are collected, those of any reading.
    mutating func right(_ answer: AnswerLine) -> Result<[Int], SkipReason> {
        if let readings { return answer.decide(readings) }
        if !answer.fit.isEmpty { fits.append(answer.fit) }
        return answer.decide(KeyReadings([], chosen: chosen))
    }

    /// Ends the collection, in which nothing was decided.
    mutating func decide() { readings = KeyReadings(fits, chosen: chosen) }

    /// Refuses a file of which no answer fits the reading that the user named.
    func check(file: String) throws(ImportError) {
        guard let chosen, !fits.contains(where: { $0[chosen] != nil }) else { return }
        throw ImportError(
            file, .setting,
            "has no answer that --keys \(chosen.rawValue) reads; without it the file decides"
        )
    }
}
