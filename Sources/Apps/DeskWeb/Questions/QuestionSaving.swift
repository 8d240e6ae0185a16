import ContentModel
import Foundation
import Publishing

/// The saving of a question: its bytes alone, and only over the version that the author saw.
struct QuestionSaving: Sendable {
    enum Outcome: Sendable {
        /// The change is saved; `note` describes a later failure.
        case saved(file: String, note: String?)
        /// The file already has the change.
        case same
        /// Another user has changed the same question; the question merged, with precedence for the entered edits.
        case conflict(JSONValue)
        /// Nothing was written, with the reason.
        case refused(String)
    }

    let folder: String
    let author: String

    /// The most tries when somebody else changes another part of the file.
    private static let triesMax = 4

    /// Saves what was typed.
    ///
    /// - Parameters:
    ///   - form: What was typed.
    ///   - name: The question.
    ///   - base: The question that the author saw.
    /// - Returns: What became of it.
    /// - Throws: `PublishingError` `noSuchContent` when the question is gone, `contentErrors` when its file cannot be
    ///   parsed any more, `unreadable`, `unwritable`.
    func save(_ form: QuestionForm, _ name: QuestionName, base: JSONValue) throws -> Outcome {
        let editor = try ContentEditor(folder: folder)
        for _ in 0..<Self.triesMax {
            let part = try editor.read(.question(id: name.id, bank: name.bank))
            guard let value = part.value else { break }
            let merge = QuestionMerge(base: base, mine: form.applied(to: base), other: value)
            let new = merge.value
            if new == value { return .same }
            if merge.isConflict { return .conflict(new) }
            do {
                try editor.save(try part.replaced(by: new))
            } catch let error as PublishingError where error.code == .drift {
                continue
            } catch let error as PublishingError
                where error.code == .invalidRequest || error.code == .busy
            {
                return .refused(error.message)
            }
            return .saved(
                file: part.file,
                note: commit(part.file, "Change \(name.id) in \(name.bank)")
                    ?? (!merge.hasOther
                        ? nil
                        : "Saved to \(part.file), with what somebody else changed meanwhile. It is not published yet.")
            )
        }
        return .refused("The file is being changed by somebody else. Nothing was saved; try again.")
    }

    /// Commits a saved file where the folder is in a repository.
    ///
    /// - Returns: Why that did not work; the file stays saved.
    func commit(_ file: String, _ subject: String) -> String? {
        guard let repository = ContentRepository(of: folder) else { return nil }
        do {
            _ = try repository.commit(
                [file], message: subject, author: .init(name: author, email: author))
            return nil
        } catch {
            return (error as? PublishingError)?.message ?? "git could not commit it."
        }
    }
}

extension JSONValue {
    /// The checksum by which a form says which version of a question its author saw.
    var seenChecksum: String { Checksum(of: canonicalBytes).hex }
}
