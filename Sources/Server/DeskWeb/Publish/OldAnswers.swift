import Foundation
import Publishing

/// The answers that were given to a question before its key was changed by hand.
struct OldAnswers: Sendable {
    let options: DeskOptions
    let bank: String
    let question: String
    let now: Date

    private func note(_ history: KeyHistory? = nil) throws -> CorrectionNote {
        try CorrectionNote(
            adding: question, in: ContentEditor(folder: options.content), bank: bank,
            RegradeScope(
                releaseDirectory: options.release,
                day: String(now.formatted(.iso8601).prefix(10))), history: history)
    }

    /// Returns true when a note would change something: the key differs from that of a kept release, and no correction
    /// says so.
    func keepTheirGrade(_ history: QuestionHistory) -> Bool {
        (try? note(KeyHistory(history)))?.correction != nil
    }

    /// Writes the note.
    ///
    /// - Parameter name: Who does it.
    /// - Returns: What was done, as a sentence.
    /// - Throws: `PublishingError`; the file stays as it was then.
    func scoreAgain(by name: String) throws -> String {
        let note = try note()
        guard note.correction != nil else { return "\(note.file) says so already." }
        try note.save()
        let saving = QuestionSaving(folder: options.content, author: name)
        return saving.commit(note.file, "Score answers to \(question) in \(bank) again")
            ?? (["Answers to \(question) are scored again once this is published."]
            + [note.limit].compactMap(\.self)).joined(separator: " ")
    }
}
