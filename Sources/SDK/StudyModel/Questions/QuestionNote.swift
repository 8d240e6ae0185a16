import Foundation
public import Observation
public import Underway

/// A learner's note on a question, as it was typed.
///
/// The note is a field of the ``Favourite`` of the question, so that a question with a note is a saved one.
public struct QuestionNote: Sendable, Hashable {
    /// The maximum number of characters (Unicode scalars), as the server accepts it.
    public static let lengthMax = 1_000

    /// The text without white space at its ends; empty for no note.
    public let text: String

    /// Reads a typed text; `nil` for one that is too long.
    ///
    /// Line breaks of forms become single line feeds.
    public init?(_ typed: String) {
        text = typed.replacing("\r\n", with: "\n")
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.unicodeScalars.count <= Self.lengthMax else { return nil }
    }

    /// Returns the note of a saved question; `nil` for an empty one.
    static func text(of saved: Favourite) -> String? {
        saved.note.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// The model of the notes on questions, for every screen on which one can be written.
@MainActor @Observable
public final class NoteModel {
    /// The reason why the last note was not saved; `nil` after a success.
    public private(set) var problem: StudyProblem?
    @ObservationIgnored private let services: StudyServices

    /// Creates the model.
    public init(_ services: StudyServices) { self.services = services }

    /// Returns the notes of the learner on the questions of a bank, by the question's id.
    public func notes(of bank: QuestionFilter.Bank) async -> [String: String] {
        do {
            let saved = try await services.userData.perform { try $0.records(Favourite.self) }
            problem = nil
            return Dictionary(
                saved.compactMap { saved in
                    guard saved.value.bank == bank.name else { return nil }
                    return QuestionNote.text(of: saved.value).map { (saved.id, $0) }
                }, uniquingKeysWith: { first, _ in first })
        } catch {
            problem = StudyProblem(error)
            return [:]
        }
    }

    /// Writes the note on a question, which becomes a saved one; an empty note removes the text and leaves it saved.
    ///
    /// - Returns: The note that was there before, for an undo; `nil` for none, and after a failure.
    @discardableResult
    public func write(
        _ note: QuestionNote, on question: String, of bank: QuestionFilter.Bank
    ) async -> String? {
        do {
            let known = try await services.userData.perform {
                try $0.record(Favourite.self, id: question)
            }
            let own = known?.bank == bank.name ? known : nil
            let former = own.flatMap(QuestionNote.text)
            problem = nil
            guard note.text != former ?? "" else { return former }
            let favourite = Favourite(bank: bank, note: note.text.isEmpty ? nil : note.text)
            try await services.change { try $0.put(favourite, id: question, now: $1) }
            return former
        } catch {
            problem = StudyProblem(error)
            return nil
        }
    }
}
