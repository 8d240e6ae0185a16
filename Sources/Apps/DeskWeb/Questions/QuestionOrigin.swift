import ContentModel
import HTTPTypes
import Publishing

/// An earlier state of a question, as the address of its page names it: `release-17`, `commit-4f2a9c1`.
enum QuestionOrigin: Sendable, Hashable {
    case release(Int)
    case commit(ContentRepository.CommitName)

    /// Reads a name; `nil` for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: "-", maxSplits: 1).map(String.init)
        switch (parts.first, parts.last) {
        case ("release", let number?):
            guard let number = Int(number), number > 0 else { return nil }
            self = .release(number)
        case ("commit", let name?):
            guard let name = ContentRepository.CommitName(name) else { return nil }
            self = .commit(name)
        default: return nil
        }
    }

    /// The name in an address.
    var text: String {
        switch self {
        case .release(let number): "release-\(number)"
        case .commit(let name): "commit-\(name.text)"
        }
    }

    /// The name of the state's origin, for use in a sentence.
    var title: String {
        switch self {
        case .release(let number): "release \(number)"
        case .commit(let name): "commit \(name.text)"
        }
    }

    /// Returns the question as it was then; `nil` when it is not known.
    ///
    /// It reads releases or runs git.
    func value(of place: QuestionPlace, _ options: DeskOptions) -> JSONValue? {
        switch self {
        case .release(let number):
            QuestionHistory(
                of: place.question.id, in: place.bank.name, releaseDirectory: options.release
            ).question(in: number)?.json
        case .commit(let name):
            ContentRepository(of: options.content)?.question(
                place.question.id, of: place.question.file, at: name)
        }
    }
}

/// An earlier state of a question in the form of its page: nothing is saved by showing it.
struct BroughtBack: Sendable {
    /// The form with the earlier state.
    var form: QuestionForm
    /// The note above the form.
    var note: String

    /// Fills the form.
    ///
    /// - Throws: `DeskProblem` 404 for a state that is not known, 409 for one that the form of the present cannot show.
    init(_ origin: QuestionOrigin, of place: QuestionPlace, _ options: DeskOptions) throws {
        guard let old = origin.value(of: place, options) else {
            throw DeskProblem(
                status: .notFound,
                text: "\(place.question.id) of \(origin.title) is not known. Nothing was changed.")
        }
        let now = place.shown
        form = QuestionForm(old)
        guard form.type == now.type, (form.options == nil) == (now.options == nil) else {
            throw DeskProblem(
                status: .conflict,
                text:
                    "In \(origin.title) \(place.question.id) was a question of another type, so it cannot be brought back here. Nothing was changed."
            )
        }
        note =
            "This is the question as \(origin.title) had it. Nothing is saved until you press Save."
    }
}
