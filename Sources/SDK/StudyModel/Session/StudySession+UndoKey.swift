import Foundation
import Underway

extension StudySession {
    /// Returns the key of the answer that can be undone now, by which a request that is repeated does nothing; `nil` for
    /// none.
    func undoKey(now: Date, by days: LearningClock) -> String? {
        undoable(now: now, by: days)?.answerKey
    }
}
