public import ContentModel

/// The corrections of a bank's wrong keys, by which stored answers are regraded.
///
/// ```swift
/// let corrections = GradeCorrections(blueprint)
/// for record in session.records {
///     let shown = corrections.regraded(record) ?? record
///     print(shown.isCorrect, record.isCorrect)
/// }
/// ```
public struct GradeCorrections: Sendable {
    /// A version of a question.
    private struct Place: Hashable, Sendable {
        var question: String
        var version: String
    }

    private var corrections: [Place: GradeCorrection] = [:]
    private var questions: [Place: Question] = [:]

    /// Creates the corrections of a bank.
    ///
    /// A correction is ignored if the bank no longer has the question, or the question cannot have the key; its answers
    /// retain their grades. It is also ignored if its wrong key is the bank's present key, because it was revoked. Of
    /// two corrections for one version, the later one counts.
    ///
    /// - Parameter bank: The bank as released now.
    public init(_ bank: Blueprint) {
        guard !bank.corrections.isEmpty else { return }
        let present = Dictionary(
            bank.questions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        // Every key that was ever wrong: answers by it are wrong still when its options have gone.
        var wrong: [String: [String]] = [:]
        for correction in bank.corrections {
            wrong[correction.question, default: []].append(correction.was)
        }
        for correction in bank.corrections {
            guard let present = present[correction.question],
                correction.isEffective(for: present),
                let question = present.withOptions(of: wrong[correction.question] ?? [])
                    .withKey(correction.is)
            else { continue }
            for version in correction.versions {
                let place = Place(question: correction.question, version: version)
                corrections[place] = correction
                questions[place] = question
            }
        }
    }

    /// True when no answer is regraded.
    public var isEmpty: Bool { corrections.isEmpty }

    /// The versions of questions whose answers are regraded, in no order.
    public var versions: [(question: String, version: String)] {
        corrections.keys.map { ($0.question, $0.version) }
    }

    /// Returns the correction for answers to a version of a question; `nil` for none.
    public func correction(of question: String, version: String) -> GradeCorrection? {
        corrections[Place(question: question, version: version)]
    }

    /// Returns the question with the key by which answers to an earlier version are regraded; `nil` for none.
    public func question(_ id: String, version: String) -> Question? {
        questions[Place(question: id, version: version)]
    }

    /// Returns an answer as regraded.
    ///
    /// The learner's own rating remains only if it agrees with the new grade: an answer that is now wrong counts as one
    /// to learn again, and one that is now right has no rating.
    ///
    /// - Parameters:
    ///   - record: The stored answer, which is not changed.
    ///   - policy: The scoring policy of its session.
    /// - Returns: The answer with its new grade; `nil` when no correction applies or its grade does not change.
    public func regraded(
        _ record: AnswerRecord, policy: ScoringPolicy = ScoringPolicy()
    ) -> AnswerRecord? {
        guard let question = question(record.questionID, version: record.contentVersion) else {
            return nil
        }
        var result = record.regraded(against: question, policy: policy)
        if result.isCorrect != record.isCorrect, record.rating != nil {
            result.rating = result.isCorrect ? nil : .again
        }
        return result == record ? nil : result
    }
}

extension Question {
    /// The question with the options of former keys that it no longer has, so that answers which chose them are graded.
    fileprivate func withOptions(of labels: [String]) -> Question {
        switch type {
        case .ordering, .numericEntry: return self
        case .singleChoice, .multiChoice, .codeSnippet: break
        }
        var question = self
        let ids = labels.flatMap { $0.split(separator: " ").map(String.init) }
        for id in ids where !question.options.contains(where: { $0.id == id }) {
            question.options.append(QuestionOption(id: id, text: ""))
        }
        return question
    }
}
