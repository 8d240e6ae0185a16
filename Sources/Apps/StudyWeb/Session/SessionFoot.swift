import PageRendering
import StudyModel
import Underway

/// The foot of a question: the verdict or a hint, and the next step, under the names of its part.
struct SessionFoot {
    struct Button {
        var title: String
        /// The form of a step that needs its own; `nil` for the form of the foot.
        var form: String?
        var name: String?
        var value: String?
        var isPrimary: Bool
        var isFocused = false
        var key: String?
        var keyTitle: String?
        var interval: String?
    }

    var tone = ""
    var icon: String?
    var verdict: String
    var missing: String
    var isRating = false
    /// True for more buttons than a phone has room for in a row.
    var isMany: Bool
    /// The buttons; one of them is primary.
    var buttons: [Button]
    /// The button that Enter presses: what the primary one does.
    var enter: DefaultButton {
        let main = buttons.first(where: \.isPrimary)
        return DefaultButton(form: "question", name: main?.name, value: main?.value)
    }

    init(_ screen: SessionScreen, _ formats: StudyFormats, problem: StudyProblem?) {
        let words = SessionText(screen, formats, problem: problem)
        (verdict, missing) = (words.sentence, words.missing)
        switch words.tone {
        case .plain: break
        case .right: (tone, icon) = ("right", "check")
        case .wrong: (tone, icon) = ("wrong", "cross")
        case .care: (tone, icon) = ("care", "warning")
        }
        isRating = !words.ratings.isEmpty
        let undo = screen.undoKey.map { _ in
            Button(title: formats.words["app.undo"], form: "undo", isPrimary: false, key: "z")
        }
        buttons =
            [undo].compactMap { $0 }
            + (isRating ? Self.ratings(words) : Self.steps(words, screen))
        isMany = !isRating && buttons.count > 3
    }

    private static func steps(_ words: SessionText, _ screen: SessionScreen) -> [Button] {
        let skip = words.skip.map {
            Button(title: $0, name: "step", value: "skip", isPrimary: false)
        }
        let flag = words.flag.map {
            Button(
                title: $0, name: "step", value: screen.isFlagged ? "unflag" : "flag",
                isPrimary: false, key: "f")
        }
        let previous = words.previous.map {
            Button(title: $0, name: "step", value: "previous", isPrimary: false)
        }
        let next = Button(
            title: words.next, isPrimary: true, isFocused: screen.verdict != nil,
            keyTitle: "Enter")
        return [previous, flag, skip, next].compactMap { $0 }
    }

    private static func ratings(_ words: SessionText) -> [Button] {
        words.ratings.enumerated().map { index, choice in
            Button(
                title: choice.title, name: "rating", value: String(choice.rating.rawValue),
                isPrimary: choice.isMain, isFocused: choice.isMain, key: String(index + 1),
                interval: choice.interval)
        }
    }
}
