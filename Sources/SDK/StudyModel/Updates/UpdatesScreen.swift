public import Foundation
public import Underway

/// The questions that the last update of the content changed.
public struct UpdatesScreen: Sendable, Hashable {
    /// A change of a question.
    public struct Change: Sendable, Hashable, Identifiable {
        /// The kind of a change.
        public enum Kind: Sendable, Hashable {
            case added, removed, changed
        }

        /// A text of the question that was changed.
        public struct Text: Sendable, Hashable {
            /// The place of a text in a question.
            public enum Place: Sendable, Hashable {
                case question, code, option, explanation
            }

            /// The place.
            public var place: Place
            /// The difference.
            public var difference: WordDifference
        }

        /// The language or exam.
        public var subject: Subject
        /// The kind.
        public var kind: Kind
        /// The question as it is now; a removed one as it was last.
        public var question: Question
        /// The right answer before; `nil` when it did not change.
        public var formerKey: String?
        /// The right answer now; `nil` when it did not change.
        public var presentKey: String?
        /// The changed texts, in the order in which the question shows them.
        public var texts: [Text]
        /// True when the learner has answered the question.
        public var isSeen: Bool

        /// The bank's name and the question's id.
        public var id: String { "\(subject.id)#\(question.id)" }
    }

    /// The maximum number of changed questions that the learner has not seen.
    public static let othersMax = 100

    /// The time of the screen.
    public var now: Date
    /// The freshness of the present content; `nil` for none.
    public var content: ContentFreshness?
    /// False when this device does not have the previous content, so a comparison is not possible.
    public var isCompared: Bool
    /// The changed questions that the learner has answered, changed keys first.
    public var seen: [Change]
    /// The other changed questions, at most ``othersMax``.
    public var others: [Change]
    /// The number of all other changed questions.
    public var othersCount: Int
}

extension UpdatesScreen.Change {
    /// Compares a question of two releases; `nil` when the learner would see no difference.
    init?(_ former: Question?, _ present: Question?, of subject: Subject, isSeen: Bool) {
        let (old, new) = (
            former.flatMap { $0.isRetired ? nil : $0 }, present.flatMap { $0.isRetired ? nil : $0 }
        )
        guard let question = new ?? old else { return nil }
        self.init(
            subject: subject, kind: old == nil ? .added : new == nil ? .removed : .changed,
            question: question, formerKey: nil, presentKey: nil, texts: [], isSeen: isSeen)
        guard let old, let new else { return }
        if Self.key(old) != Self.key(new) {
            (formerKey, presentKey) = (Self.keyText(old), Self.keyText(new))
        }
        texts = Self.texts(old, new)
        guard formerKey != nil || !texts.isEmpty else { return nil }
    }

    private static func texts(_ old: Question, _ new: Question) -> [Text] {
        func plain(_ text: String?, _ question: Question) -> String {
            question.richText(text ?? "").plainText
        }
        var pairs: [(Text.Place, String, String)] = [
            (.question, plain(old.stem, old), plain(new.stem, new)),
            (.code, old.code?.text ?? "", new.code?.text ?? ""),
        ]
        for option in new.options {
            let before = old.options.first { $0.id == option.id }
            pairs.append((.option, plain(before?.text, old), plain(option.text, new)))
        }
        for option in old.options where !new.options.contains(where: { $0.id == option.id }) {
            pairs.append((.option, plain(option.text, old), ""))
        }
        pairs.append((.explanation, plain(old.explanation, old), plain(new.explanation, new)))
        return pairs.filter { $0.1 != $0.2 }.map {
            Text(place: $0.0, difference: WordDifference(from: $0.1, to: $0.2))
        }
    }

    /// Returns the right answer regardless of the order of the options, unless the order is the answer.
    private static func key(_ question: Question) -> [String] {
        if let number = question.correctNumber { return ["\(number)"] }
        let ids = question.correctOptionIDs
        return question.type == .ordering ? ids : ids.sorted()
    }

    /// Returns the right answer as a learner reads it.
    private static func keyText(_ question: Question) -> String {
        if let number = question.correctNumber { return numberText(number) }
        return question.correct.map { question.richText(question.options[$0].text).plainText }
            .joined(separator: question.type == .ordering ? " → " : ", ")
    }
    private static func numberText(_ key: NumericKey) -> String {
        let range =
            switch key.accepted {
            case .value(let value, _): value.description
            case .range(let from, let to): "\(from) – \(to)"
            }
        return [range, key.unit].compactMap(\.self).joined(separator: " ")
    }
}
