import ContentModel
package import Publishing

/// The note that a question's former key was wrong; the server then regrades earlier answers.
package struct RegradeChange: Workflow {
    private let question: String
    private let bank: String
    private let wrong: String?

    /// Creates the note for a question whose current key is right.
    ///
    /// - Parameters:
    ///   - question: The question's id.
    ///   - bank: The bank: a language, or a region and an exam separated by a slash.
    ///   - wrong: The wrong key; `nil` for the last differing key of a release.
    package init(_ question: String, of bank: String, from wrong: String? = nil) {
        (self.question, self.bank, self.wrong) = (question, bank, wrong)
    }

    /// Returns true if the note would change something: the key differs from that of a retained release, and no
    /// correction names it.
    package func isDue(in place: Workplace, _ history: QuestionHistory) -> Bool {
        (try? note(place, KeyHistory(history)))?.correction != nil
    }

    /// Writes the note and commits it.
    ///
    /// - Throws: `PublishingError`, after which the file is unchanged; ``WorkflowError`` if it could not be
    ///   committed.
    package func run(in place: Workplace, by actor: Actor) async throws -> Outcome {
        var steps = StepLog(place)
        let note = try await steps.take(.corrected, otherwise: "") {
            let note: CorrectionNote = try await place.threads.run {
                let note = try self.note(place)
                try note.save()
                return note
            }
            return (
                note,
                note.sentence
                    ?? "\(note.file) says so already, or no kept release had this key. Nothing was changed."
            )
        }
        _ = try await steps.take(.committed, otherwise: "It was not committed.") {
            let commit = try await place.commit(
                note.edits, "Score answers to \(question) in \(bank) again", by: actor)
            return (commit, commit.map { "Committed as \($0)." })
        }
        return Outcome(sentence: steps.sentences.joined(separator: "\n"), json: note.json)
    }

    private func note(_ place: Workplace, _ history: KeyHistory? = nil) throws -> CorrectionNote {
        try CorrectionNote(
            adding: question, in: ContentEditor(folder: place.content), bank: bank,
            place.regrading(), from: wrong, history: history)
    }
}
