public import Underway

/// An option of a question with its state, as text for a learner.
public struct OptionText: Sendable, Hashable, Identifiable {
    /// The state of an option.
    public enum Standing: Sendable, Hashable {
        /// The answer has not been checked.
        case open
        /// The option is right.
        case right
        /// The option was chosen and is wrong.
        case wrong
        /// The option is neither right nor chosen.
        case faded
    }

    /// The option.
    public var option: QuestionOption
    /// True when it is chosen.
    public var isChosen: Bool
    /// The state.
    public var standing: Standing
    /// The mark of the state; `nil` for none.
    public var mark: String?

    /// The option's id.
    public var id: String { option.id }

    /// Returns the options of a question in the order in which they are shown.
    ///
    /// - Parameters:
    ///   - screen: The question.
    ///   - chosen: The ids chosen now; after the check, those of the answer are used instead.
    ///   - words: The words of the language.
    /// - Returns: One for each option.
    public static func rows(
        _ screen: SessionScreen, chosen: [String], _ words: StudyText
    ) -> [OptionText] {
        let chosen = screen.verdict?.response.optionIDs ?? chosen
        return screen.options.map { option in
            let isChosen = chosen.contains(option.id)
            guard let verdict = screen.verdict else {
                return OptionText(option: option, isChosen: isChosen, standing: .open)
            }
            let isRight = verdict.grade.correctOptionIDs.contains(option.id)
            return OptionText(
                option: option, isChosen: isChosen,
                standing: isRight ? .right : isChosen ? .wrong : .faded,
                mark: mark(isRight: isRight, isChosen: isChosen, words))
        }
    }

    /// Returns all marks that a row can have: the longest of them reserves their space.
    public static func marks(_ words: StudyText) -> [String] {
        ["session.rightAnswer", "session.yourRightAnswer", "session.yourAnswer"].map { words[$0] }
    }

    private static func mark(isRight: Bool, isChosen: Bool, _ words: StudyText) -> String? {
        switch (isRight, isChosen) {
        case (true, true): words["session.yourRightAnswer"]
        case (true, false): words["session.rightAnswer"]
        case (false, true): words["session.yourAnswer"]
        case (false, false): nil
        }
    }
}

/// A row of an ordering as text for a learner.
public struct OrderRowText: Sendable, Hashable, Identifiable {
    /// The option.
    public var option: QuestionOption
    /// The place of the row, from 0.
    public var index: Int
    /// The name of the arrow that moves it up.
    public var upName: String
    /// The name of the arrow that moves it down.
    public var downName: String
    /// The option with its place, for a screen reader after a move.
    public var moved: String
    /// True for an option in its right place; `nil` before the check.
    public var isRight: Bool?
    /// The mark of its place: right, or the number of the right one.
    public var mark: String

    /// The option's id.
    public var id: String { option.id }

    /// Returns the rows of an ordering.
    ///
    /// - Parameters:
    ///   - screen: The question.
    ///   - order: The ids in the learner's order; ids that are no options are ignored.
    ///   - formats: The language.
    /// - Returns: One for each option, in that order.
    public static func rows(
        _ screen: SessionScreen, order: [String], _ formats: StudyFormats
    ) -> [OrderRowText] {
        let words = formats.words
        let right = screen.verdict?.grade.correctOptionIDs ?? []
        let options = Dictionary(
            screen.options.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return order.compactMap { options[$0] }.enumerated().map { index, option in
            let place = right.firstIndex(of: option.id) ?? index
            let item = ["item": screen.question.richText(option.shownText).plainText]
            return OrderRowText(
                option: option, index: index, upName: words.text("session.moveUp", item),
                downName: words.text("session.moveDown", item),
                moved: words.text(
                    "session.moved",
                    item.merging([
                        "number": formats.number(index + 1), "total": formats.number(order.count),
                    ]) { first, _ in first }),
                isRight: screen.verdict == nil ? nil : place == index,
                mark: place == index
                    ? words["session.yourRightAnswer"]
                    : words.text("session.rightPlace", ["number": formats.number(place + 1)]))
        }
    }
}

extension OrderRowText {
    /// Returns the rows of the right order, to show beside a wrong one; `nil` before the check and for a right order.
    public static func right(_ screen: SessionScreen, _ formats: StudyFormats) -> [OrderRowText]? {
        guard screen.question.type == .ordering, let grade = screen.verdict?.grade,
            !grade.isCorrect
        else { return nil }
        return rows(screen, order: grade.correctOptionIDs, formats)
    }
}

extension QuestionOption {
    /// The text; for an option that is only a picture, the name of its file without the extension.
    public var shownText: String {
        guard text.isEmpty, let image else { return text }
        let name = image.split(separator: "/").last ?? ""
        return String(name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex))
    }
}
