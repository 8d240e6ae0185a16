/// What a record says about its right options: each flag or field that names some is a fact of its own.
struct RecordKey {
    /// A field, or the flags of the options.
    struct Fact {
        /// The words for people: `its field answer`, or `the flags of its options`.
        var name: String
        /// The key as it is written.
        var shown: String
        /// The options that it names in each reading.
        var fit: KeyReadings.Fit
        /// True when all of its marks are whole numbers.
        var isNumber = false
        /// False for what no other record of the file decides: flags in options, and judgements without options.
        var isCompared = true
        /// True for flags in options, which know no order.
        var isFlags = false

        /// The decision that it is the text of an option and no other mark.
        var textDecision: KeyReadings.Decision? {
            guard let texts = fit[.texts], fit.values.contains(where: { $0 != texts }) else {
                return nil
            }
            return .options(texts)
        }
    }

    /// The words by which a record without options is true or false.
    enum Judgement {
        /// A word or a sign.
        case word
        /// One letter, which may also name an option in the stem.
        case letter
    }

    /// The facts in the order of the fields' names, then the flags.
    var facts: [Fact] = []
    /// The texts of the options.
    var options: [String] = []
    /// The kind of its key where it has no options and is true or false.
    var judgement: Judgement?
    /// True when it has a key, no options, and is neither true nor false nor a number.
    var lacksOptions = false

    /// Returns the right options, in the order of the key, or the reason to skip the record.
    func decide(_ readings: KeyReadings) -> Result<[Int], SkipReason> {
        let decisions = facts.map { ($0, readings.decide($0.fit, isNumber: $0.isNumber)) }
        var found: (fact: Fact, order: [Int])?
        for case (let fact, .options(let order)) in decisions {
            if let found, Set(found.order) != Set(order) {
                return .failure(Self.disagreement(found.fact, fact))
            }
            found = found ?? (fact, order)
        }
        guard let found else {
            return .failure(
                decisions.first.map { reason($0.0, $0.1) }
                    ?? SkipReason(.keyNone, "it has no field for the key"))
        }
        // Another fact decides between the readings of one that is open alone.
        for case (let fact, .open(let open)) in decisions
        where !open.contains(where: { Set(fact.fit[$0] ?? []) == Set(found.order) }) {
            return .failure(Self.disagreement(found.fact, fact))
        }
        return .success(found.order)
    }

    private static func disagreement(_ one: Fact, _ other: Fact) -> SkipReason {
        SkipReason(
            .keyDisagrees,
            "\(one.name) (\"\(one.shown.prefix(60))\") and \(other.name)"
                + " (\"\(other.shown.prefix(60))\") name different options as right")
    }

    private func reason(_ fact: Fact, _ decision: KeyReadings.Decision) -> SkipReason {
        let shown = fact.shown.prefix(200)
        switch decision {
        case .open(let readings):
            let named = readings.map { reading in
                let texts = (fact.fit[reading] ?? []).map { "\"\(options[$0].prefix(60))\"" }
                return "\(reading.words): \(texts.joined(separator: ", "))"
            }
            let answers = readings.map { "--keys \($0.rawValue)" }
            var reason = SkipReason(
                .keyAmbiguous,
                "its key \"\(shown)\" has several meanings (\(named.joined(separator: "; ")));"
                    + " \(answers.joined(separator: " or ")) says which")
            reason.openReadings = readings
            return reason
        case .stray:
            return SkipReason(
                .keyUnknown, "its key \"\(shown)\" is read otherwise than all others of the file")
        case .unknown, .options:
            return SkipReason(
                isLetterBeforeAnother(fact) ? .keyDisagrees : .keyUnknown,
                fact.isNumber
                    ? "its key \(shown) names no option; it has \(options.count) options"
                    : "its key \"\(shown)\" names no option")
        }
    }

    /// Returns whether a key is the letter of one option and the text of another, as `A. Helium`.
    private func isLetterBeforeAnother(_ fact: Fact) -> Bool {
        options.indices.contains { index in
            OptionLetters.text(of: fact.shown, at: index).map(options.contains) == true
        }
    }
}

extension FileProfile {
    /// Counts the readings of a file's keys, and names those by which its questions were read.
    mutating func count(_ keys: [RecordKey], readings: KeyReadings, given: KeyReading?) {
        var used: [KeyReading: Int] = [:]
        var read: [(fit: KeyReadings.Fit, order: Set<Int>)] = []
        for key in keys where !key.facts.isEmpty {
            keyed += 1
            let fitting = Set(key.facts.flatMap(\.fit.keys))
            for reading in fitting { fits[reading.rawValue, default: 0] += 1 }
            if fitting.count == 1, let only = fitting.first {
                decisive[only.rawValue, default: 0] += 1
            }
            guard case .success(let order) = key.decide(readings) else { continue }
            for fact in key.facts { read.append((fact.fit, Set(order))) }
        }
        isKeyReadingGiven = given != nil
        // The fewest readings that give all of what was read, the most frequent first.
        while !read.isEmpty {
            used = [:]
            for (fit, order) in read {
                for (reading, options) in fit where Set(options) == order {
                    used[reading, default: 0] += 1
                }
            }
            let best = KeyReading.allCases.filter { used[$0] != nil && !self.keys.contains($0) }
                .max { used[$0] ?? 0 < used[$1] ?? 0 }
            guard let best else { break }
            self.keys.append(best)
            read.removeAll { fit, order in fit[best].map { Set($0) == order } ?? false }
        }
    }
}
