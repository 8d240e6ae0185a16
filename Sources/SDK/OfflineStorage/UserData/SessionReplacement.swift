import ContentModel
import Foundation
import QuestionEngine

/// The rule by which a saved session may be replaced by another state of it, which a second process or a repeated
/// request may have derived from an older one.
///
/// | saved | new state | decision |
/// |---|---|---|
/// | none, or not readable | any | allowed |
/// | open | has every saved answer, undone or not, in an exam perhaps changed later | allowed |
/// | open | lacks a saved answer or an undo, or has another answer | refused |
/// | finished | has no answer and no undo but the saved ones | unnecessary |
/// | finished | has every saved answer, and undid one more | allowed |
/// | finished | has another answer | refused |
/// | finished, not readable | any | refused |
enum SessionReplacement {
    case allowed, unnecessary, refused

    init(of stored: StudySession?, isFinished: Bool, by new: StudySession) {
        guard let stored else {
            self = isFinished ? .refused : .allowed
            return
        }
        if isFinished, new.isContained(in: stored, where: { $0.isSame(as: $1) }) {
            self = .unnecessary
            return
        }
        let isExam = new.mode == .exam && !isFinished
        let isContained = stored.isContained(in: new) { saved, given in
            saved.isSame(as: given) || isExam && given.date >= saved.date
        }
        let isReopened = new.undone.count > stored.undone.count
        self = isContained && (!isFinished || isReopened) ? .allowed : .refused
    }

    /// The error of a save that would lose answers.
    static let refusal = StoreError(
        .refused,
        "The session was saved with other answers meanwhile, or has ended. Read it again, and go on from"
            + " there.")

    /// The error of a save with another answer than the stored one.
    static let otherWindow = StoreError(
        .refused, "This question was answered in another window.")
}

/// An answer of a session, undone or not.
private struct GivenAnswer {
    var response: QuestionResponse
    var date: Date
    var rating: Rating?
    var isUndone: Bool

    /// Returns true if the other is the same answer, unrated or rated the same from here on, and undone if this one is.
    func isSame(as later: Self) -> Bool {
        response == later.response && date == later.date
            && (rating == nil || rating == later.rating) && (!isUndone || later.isUndone)
    }
}

extension StudySession {
    private struct Place: Hashable {
        var question: String
        var exposuresBefore: Int
    }

    /// The answers by question and exposures.
    private var given: [Place: GivenAnswer] {
        var given: [Place: GivenAnswer] = [:]
        for item in items {
            guard let answer = item.answer else { continue }
            given[Place(question: item.questionID, exposuresBefore: item.exposuresBefore)] =
                GivenAnswer(
                    response: answer.response, date: answer.date, rating: answer.rating,
                    isUndone: false)
        }
        for undone in undone {
            let record = undone.record
            given[Place(question: record.questionID, exposuresBefore: record.exposuresBefore)] =
                GivenAnswer(
                    response: record.response, date: record.date, rating: record.rating,
                    isUndone: true)
        }
        return given
    }

    /// Returns true if each answer has its counterpart in another state of the session.
    fileprivate func isContained(
        in other: StudySession, where matches: (GivenAnswer, GivenAnswer) -> Bool
    ) -> Bool {
        let others = other.given
        return given.allSatisfy { place, answer in
            others[place].map { matches(answer, $0) } ?? false
        }
    }
}
