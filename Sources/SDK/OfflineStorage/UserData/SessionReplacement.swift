import Foundation
import QuestionEngine

/// The rule by which a saved session may be replaced by another state of it, which a second process or a repeated
/// request may have derived from an older one.
///
/// | saved | new state | decision |
/// |---|---|---|
/// | none, or not readable | any | allowed |
/// | open | has every saved answer, in an exam perhaps changed later | allowed |
/// | open | lacks a saved answer, or has another | refused |
/// | finished | has no answer but the saved ones | unnecessary |
/// | finished | has another answer | refused |
/// | finished, not readable | any | refused |
enum SessionReplacement {
    case allowed, unnecessary, refused

    init(of stored: StudySession?, isFinished: Bool, by new: StudySession) {
        guard let stored else {
            self = isFinished ? .refused : .allowed
            return
        }
        if isFinished {
            self = Self.isContained(new, in: stored) { $0.isSame(as: $1) } ? .unnecessary : .refused
        } else {
            let isExam = new.mode == .exam
            let isContained = Self.isContained(stored, in: new) { saved, answer in
                saved.isSame(as: answer) || isExam && answer.date >= saved.date
            }
            self = isContained ? .allowed : .refused
        }
    }

    /// The error of a save that would lose answers.
    static let refusal = StoreError(
        .refused,
        "The session was saved with other answers meanwhile, or has ended. Read it again, and go on from"
            + " there.")

    /// Returns true if each answer of `one` has its counterpart in `other`.
    private static func isContained(
        _ one: StudySession, in other: StudySession,
        where matches: (StudySession.Answer, StudySession.Answer) -> Bool
    ) -> Bool {
        let answers = Dictionary(
            other.items.map { ($0.questionID, $0.answer) }, uniquingKeysWith: { first, _ in first })
        return one.items.allSatisfy { item in
            guard let answer = item.answer else { return true }
            guard let counterpart = answers[item.questionID] ?? nil else { return false }
            return matches(answer, counterpart)
        }
    }
}

extension StudySession.Answer {
    /// Returns true if the other is the same answer, unrated or rated the same from here on.
    fileprivate func isSame(as later: Self) -> Bool {
        response == later.response && date == later.date
            && (rating == nil || rating == later.rating)
    }
}
