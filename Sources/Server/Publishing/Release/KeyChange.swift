import ContentModel

/// A question whose key changes with a publish, without a correction that names the former key as wrong.
///
/// Earlier answers retain their grade. That is right for a key that was right until the world changed.
public struct KeyChange: Sendable, Hashable, Codable {
    /// The bank: a language, or a region and an exam separated by a slash.
    public var bank: String
    /// The question's id.
    public var question: String
    /// The version with the former key.
    public var version: String
    /// The former key: the ids of its options separated by spaces, or its number.
    public var was: String
    /// The new key.
    public var `is`: String

    /// The change and its remedy, in one sentence.
    public var sentence: String {
        "\(bank) \(question): the key changed from \"\(was)\" to \"\(`is`)\". Answers given before keep their grade;"
            + " `underway regrade --add \(bank) \(question)` grades them again, or say nothing."
    }
}

extension Blueprint {
    /// Returns the questions whose key differs from that of an older state, and whose old version no correction names.
    func uncorrectedKeys(since old: Blueprint) -> [KeyChange] {
        let before = Dictionary(old.questions.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let corrected = Dictionary(
            corrections.flatMap { correction in
                correction.versions.map { ([correction.question, $0], correction.is) }
            }, uniquingKeysWith: { $1 })
        return questions.compactMap { question in
            guard let former = before[question.id], former.keyLabel != question.keyLabel,
                !former.asksOtherwise(of: question)
            else { return nil }
            let version = former.contentVersion
            if corrected[[question.id, version]].map(question.hasKey) == true { return nil }
            return KeyChange(
                bank: id, question: question.id, version: version, was: former.keyLabel,
                is: question.keyLabel)
        }
    }
}

extension Question {
    /// Returns true if an option that the keys of two versions name has another text in one of them, as after a swap;
    /// the former key then does not apply to the other version.
    func asksOtherwise(of other: Question) -> Bool {
        let label = keyLabel + " " + other.keyLabel
        let (mine, theirs) = (optionTexts(of: label), other.optionTexts(of: label))
        return mine.contains { theirs[$0.key] != nil && theirs[$0.key] != $0.value }
    }
}

extension Blueprint {
    /// The corrections by which answers are graded.
    var effectiveCorrections: [GradeCorrection] {
        let present = Dictionary(
            questions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return corrections.filter { correction in
            present[correction.question].map(correction.isEffective) ?? false
        }
    }
}
