package import Foundation
package import OfflineStorage
import QuestionEngine

extension UserStore {
    /// Adds an answer of the day before: announcements come after the first one.
    package func addEarlierAnswer(now: Date) throws {
        let record = AnswerRecord(
            sessionID: "earlier", questionID: "lights", contentVersion: "1", response: ["a"],
            isCorrect: true, credit: 1, timeTaken: 5, exposuresBefore: 0, mode: .study,
            isRandomlySelected: false, date: now - 86_400)
        try add([record], to: .exam(region: "int", exam: "harbour"), now: now)
    }
}
