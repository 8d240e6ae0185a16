import Synchronization

/// The typed texts that are no numbers yet, by their places in exams, so that who goes to another question and back finds
/// them again.
final class TypedNumbers: Sendable {
    private struct Place: Hashable {
        var session: String
        var index: Int
    }

    /// The maximum number of texts; a learner leaves few numbers half typed.
    private static let textsMax = 100

    private let texts = Mutex<[Place: String]>([:])

    /// Keeps the text of a form that cannot be read as a number, and forgets one that was replaced.
    func keep(_ form: ResponseForm, at index: Int, of session: String) {
        guard let number = form.number else { return }
        let isRead = (try? form.response) != nil
        texts.withLock { texts in
            if texts.count >= Self.textsMax { texts.removeAll() }
            texts[Place(session: session, index: index)] = isRead ? nil : number
        }
    }

    /// Returns the text that was left at a place; `nil` for none.
    func text(at index: Int, of session: String) -> String? {
        texts.withLock { $0[Place(session: session, index: index)] }
    }
}
