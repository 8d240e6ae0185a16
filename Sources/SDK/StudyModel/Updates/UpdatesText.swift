import Foundation
public import Underway

/// The changes of an update as text for a learner.
public struct UpdatesText: Sendable, Hashable {
    /// A text of a question with its changed words.
    public struct Text: Sendable, Hashable {
        /// The name of the place; `nil` for the question itself.
        public var place: String?
        /// The words, with marks for removed and added ones.
        public var runs: [TextRun]
    }

    /// A changed question.
    public struct Change: Sendable, Hashable, Identifiable {
        /// The tone of a change's mark.
        public enum Tone: Sendable, Hashable {
            /// The mark of a changed key.
            case care
            /// The mark of changed words.
            case new
            /// The mark of an added question.
            case right
            /// The mark of a removed question.
            case plain
        }

        /// The bank's name and the question's id.
        public var id: String
        /// The title of the language or exam.
        public var subject: String
        /// The language of the question; `nil` for the learner's own.
        public var language: String?
        /// The text of the change's mark.
        public var mark: String
        /// The tone of the mark.
        public var tone: Tone
        /// The question, if its own words did not change; else `nil`.
        public var stem: [TextRun]?
        /// The former right answer, if it changed.
        public var was: String?
        /// The present right answer, if it changed.
        public var isNow: String?
        /// The changed texts.
        public var texts: [Text]
    }

    /// Changed questions under a heading.
    public struct Group: Sendable, Hashable {
        /// The heading.
        public var heading: String
        /// The questions.
        public var changes: [Change]
    }

    /// The age of the content.
    public var lead: String
    /// The sentence shown without any questions; else `nil`.
    public var empty: String?
    /// The changed questions, with those that the learner has seen first.
    public var groups: [Group]
    /// The number of changed questions that are not shown; `nil` for none.
    public var more: String?

    /// Creates the texts of the changes in a language.
    public init(_ screen: UpdatesScreen, _ formats: StudyFormats) {
        let words = formats.words
        lead = formats.age(of: screen.content, now: screen.now)
        groups = [("updates.seen", screen.seen), ("updates.others", screen.others)]
            .filter { !$0.1.isEmpty }
            .map { key, changes in
                Group(heading: words[key], changes: changes.map { Change($0, words) })
            }
        let hidden = screen.othersCount - screen.others.count
        more = hidden > 0 ? words.count("updates.more", hidden) : nil
        if groups.isEmpty {
            empty = words[screen.isCompared ? "updates.none" : "updates.noFormer"]
        }
    }
}

extension UpdatesText.Change {
    init(_ change: UpdatesScreen.Change, _ words: StudyText) {
        (id, subject, language) = (change.id, change.subject.title, change.subject.contentLanguage)
        switch change.kind {
        case .added: (mark, tone) = (words["updates.added"], .right)
        case .removed: (mark, tone) = (words["updates.removed"], .plain)
        case .changed where change.formerKey != nil:
            (mark, tone) = (words["updates.keyChanged"], .care)
        case .changed: (mark, tone) = (words["updates.textChanged"], .new)
        }
        was = change.formerKey.map { words.text("updates.was", ["text": $0]) }
        isNow = change.presentKey.map { words.text("updates.isNow", ["text": $0]) }
        let isStemChanged = change.texts.contains { $0.place == .question }
        let question = change.question
        stem = isStemChanged ? nil : TextRun.line(of: question.stem, in: question.textForm)
        texts = change.texts.map { text in
            UpdatesText.Text(
                place: text.place.key.map { words[$0] },
                runs: text.difference.runs.map {
                    TextRun(
                        words: $0.text, isRemoved: $0.kind == .removed, isAdded: $0.kind == .added)
                })
        }
    }
}

extension UpdatesScreen.Change.Text.Place {
    /// The key of its name; the question itself needs none.
    fileprivate var key: String? {
        switch self {
        case .question: nil
        case .code: "session.code"
        case .option: "session.options"
        case .explanation: "session.why"
        }
    }
}
