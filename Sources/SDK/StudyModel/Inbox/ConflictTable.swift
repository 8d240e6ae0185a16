import Foundation
import Underway

/// The two versions of a record as texts: a column each, a row for each field, and their two buttons.
public struct ConflictTable: Sendable, Hashable {
    /// The head of a column.
    public struct Side: Sendable, Hashable {
        /// The name of the version.
        public var title: String
        /// The device and the time of the change.
        public var who: String
    }

    /// A value in a column.
    public struct Cell: Sendable, Hashable {
        /// The value.
        public var value: String
        /// The value before both changes if this version changed it; else `nil`.
        public var was: String?
    }

    /// A field in both versions.
    public struct Field: Sendable, Hashable {
        /// The field's name.
        public var title: String
        /// True when the versions differ.
        public var differs: Bool
        /// The learner's value.
        public var mine: Cell
        /// The server's value.
        public var server: Cell
    }

    /// A button.
    public struct Decision: Sendable, Hashable {
        /// The title.
        public var title: String
        /// The name for a screen reader, with the value: "Keep Mine: 12 December".
        public var name: String
    }

    /// The heading, with the topic of the record.
    public var caption: String
    /// The heading of the column of names.
    public var thing: String
    /// The head of the learner's version.
    public var mine: Side
    /// The head of the server's version.
    public var server: Side
    /// The mark of a field that differs.
    public var differsWord: String
    /// The fields, differing ones first.
    public var fields: [Field]
    /// The button for the learner's version.
    public var keepMine: Decision
    /// The button for the server's version.
    public var useServer: Decision

    /// Creates the texts of a conflict in a language.
    public init(_ screen: ConflictScreen, _ formats: StudyFormats) {
        let words = formats.words
        let names = FieldText(screen, formats)
        caption = words.text("conflict.title", ["thing": words.thing(screen.topic)])
        thing = words["conflict.field"]
        let changed = formats.moment(screen.mineChangedAt, now: screen.now)
        mine = Side(
            title: words["conflict.mine"],
            who: words.text("conflict.thisDevice", ["when": changed]))
        server = Side(
            title: words["conflict.server"],
            who: formats.moment(screen.serverChangedAt, now: screen.now))
        differsWord = words["conflict.differs"]
        fields = screen.fields.map { Field($0, screen, names, words) }
        let first = fields.first
        keepMine = Decision(
            "conflict.keepMine", screen.isMineDeleted ? nil : first?.mine.value ?? "", words)
        useServer = Decision(
            "conflict.useServer", screen.isServerDeleted ? nil : first?.server.value ?? "", words)
    }
}

extension ConflictTable.Decision {
    /// Creates a decision named by its version's value; `nil` for a deleted version.
    init(_ key: String, _ value: String?, _ words: StudyText) {
        title = words[key]
        name = words.text("\(key)Named", ["value": value ?? words["conflict.deleted"]])
    }
}

extension ConflictTable.Field {
    init(
        _ field: ConflictScreen.Field, _ screen: ConflictScreen, _ names: FieldText,
        _ words: StudyText
    ) {
        func cell(_ value: FieldValue?, isGone: Bool, isNew: Bool) -> ConflictTable.Cell {
            guard !isGone else { return .init(value: words["conflict.deleted"]) }
            let showsBase = screen.hasBase && field.differs && isNew
            let base = ["value": names.text(field.base, of: field)]
            return .init(
                value: names.text(value, of: field),
                was: showsBase ? words.text("conflict.was", base) : nil)
        }
        title = names.name(field)
        differs = field.differs
        mine = cell(field.mine, isGone: screen.isMineDeleted, isNew: field.isMineNew)
        server = cell(field.server, isGone: screen.isServerDeleted, isNew: field.isServerNew)
    }
}
