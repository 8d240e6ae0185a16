package import ServiceAPI

/// A learner's first response to a version of a question, as the analysis of keys stores it.
package struct FirstAnswer: Sendable, Hashable {
    /// The number of the question's version, see ``number(bank:question:version:)``.
    package var item: Int64
    /// The raw response, as `StoredTexts` encodes it.
    package var response: String
    /// The purpose of the session; `other` for a purpose unknown to this version.
    package var mode: Mode
    /// True when the question was selected by chance only.
    package var isRandomlySelected: Bool

    /// The purposes of sessions, by their numbers in the database.
    package enum Mode: Int, Sendable, Hashable {
        case other, study, exam, placement

        init(name: String) {
            switch name {
            case "study": self = .study
            case "exam": self = .exam
            case "placement": self = .placement
            default: self = .other
            }
        }
    }

    package init(item: Int64, response: String, mode: Mode, isRandomlySelected: Bool) {
        self.item = item
        self.response = response
        self.mode = mode
        self.isRandomlySelected = isRandomlySelected
    }

    /// The flags of the database: chance in the first bit, the mode from the second on.
    package var flags: Int { (isRandomlySelected ? 1 : 0) | mode.rawValue << 1 }

    /// Decodes a row of the database.
    package init(item: Int64, response: String, flags: Int) {
        self.init(
            item: item, response: response, mode: Mode(rawValue: flags >> 1) ?? .other,
            isRandomlySelected: flags & 1 == 1)
    }

    /// Returns the number of a question's version: the first 8 bytes of SHA-256 over its names.
    ///
    /// No table of names is needed, so no account can fill a shared one.
    package static func number(bank: String, question: String, version: String) -> Int64 {
        Int64(hashOf: "\(bank)\0\(question)\0\(version)")
    }

    /// Returns the first answers among new ones, in their order.
    ///
    /// An answer counts if the learner had not seen the question before and did not skip it. A repeat and a retraction
    /// are none. Storages store the first of several answers to a version of a question, as of two devices that were
    /// offline.
    package static func all(in answers: EncodedAnswers) -> [FirstAnswer] {
        let answers = answers.withoutRepeats
        var numbers = [Int64?](repeating: nil, count: answers.questions.count)
        var texts = [String?](repeating: nil, count: answers.responses.count)
        return answers.rows.compactMap { row -> FirstAnswer? in
            guard let row, row.exposuresBefore == 0,
                !answers.responses[Int(row.response)].isEmpty
            else { return nil }
            let (question, response) = (Int(row.question), Int(row.response))
            let item = numbers[question] ?? number(of: answers.questions[question])
            numbers[question] = item
            let text = texts[response] ?? StoredTexts.text(answers.responses[response])
            texts[response] = text
            return FirstAnswer(
                item: item, response: text,
                mode: Mode(name: answers.sessions[Int(row.session)].mode),
                isRandomlySelected: row.isRandomlySelected)
        }
    }

    private static func number(of question: EncodedAnswers.Question) -> Int64 {
        number(bank: question.bank, question: question.question, version: question.version)
    }
}

/// A stored first answer of a contributor.
package struct StoredFirstAnswer: Sendable, Hashable {
    /// The position in the order of analysis, which increases.
    package var number: Int64
    /// The number of the contributor, which is the same for all answers of one consent and reveals nothing else.
    package var contributor: Int64
    /// The answer.
    package var answer: FirstAnswer

    package init(number: Int64, contributor: Int64, answer: FirstAnswer) {
        self.number = number
        self.contributor = contributor
        self.answer = answer
    }
}

/// The contributors at one moment, for detecting that some withdrew.
package struct ContributorCount: Sendable, Hashable {
    /// Their number.
    package var count: Int
    /// The highest number among them; 0 for none.
    package var highest: Int64

    package init(count: Int, highest: Int64) {
        self.count = count
        self.highest = highest
    }
}
