#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import SwiftUI

/// The two versions of a record, field by field, as texts.
public struct ConflictFields: Sendable, Hashable {
    /// A field in both versions.
    public struct Row: Sendable, Hashable, Identifiable {
        /// The field's name in the record.
        public var id: String
        /// The field's name as the learner reads it.
        public var title: String
        /// The own value.
        public var mine: String
        /// The server's value.
        public var server: String
        /// The value before both changes; `nil` where it is not known.
        public var base: String?

        /// Describes a field.
        public init(id: String, title: String, mine: String, server: String, base: String? = nil) {
            self.id = id
            self.title = title
            self.mine = mine
            self.server = server
            self.base = base
        }

        /// True when the versions differ.
        public var differs: Bool { mine != server }
    }

    /// The fields, differing ones first.
    public let rows: [Row]

    /// Puts the differing fields first and keeps the order otherwise.
    public init(_ rows: [Row]) {
        self.rows = rows.filter(\.differs) + rows.filter { !$0.differs }
    }
}

/// The words of a conflict: whole sentences and names, in the learner's language.
public struct ConflictWords: Sendable, Hashable {
    /// The name of the own version, with its device and time.
    public var mine: String
    /// The name of the server's version, with its device and time.
    public var server: String
    /// The word for a field that differs.
    public var differs: String
    /// The line for the value before both changes, by the field's id.
    public var was: [String: String]
    /// The button that keeps the own version.
    public var keepMine: String
    /// The same for a screen reader, with the thing: "Keep Mine: 12 December".
    public var keepMineOfThing: String
    /// The button that takes the server's version.
    public var useServer: String
    /// The same for a screen reader, with the thing.
    public var useServerOfThing: String

    /// Collects the words of a conflict.
    public init(
        mine: String, server: String, differs: String, was: [String: String], keepMine: String,
        keepMineOfThing: String, useServer: String, useServerOfThing: String
    ) {
        self.mine = mine
        self.server = server
        self.differs = differs
        self.was = was
        self.keepMine = keepMine
        self.keepMineOfThing = keepMineOfThing
        self.useServer = useServer
        self.useServerOfThing = useServerOfThing
    }
}

/// The table of a conflict with its two equal buttons, each under its column.
public struct ConflictComparison: View {
    private let fields: ConflictFields
    private let words: ConflictWords
    private let keepMine: @MainActor () -> Void
    private let useServer: @MainActor () -> Void

    /// Creates a table.
    public init(
        _ fields: ConflictFields, words: ConflictWords, keepMine: @escaping @MainActor () -> Void,
        useServer: @escaping @MainActor () -> Void
    ) {
        self.fields = fields
        self.words = words
        self.keepMine = keepMine
        self.useServer = useServer
    }

    /// The table.
    public var body: some View {
        VStack(alignment: .leading, spacing: 0) {
            HStack(alignment: .top, spacing: StudyStyle.gap) {
                heading(words.mine)
                heading(words.server)
            }
            .padding(StudyStyle.gap)
            ForEach(fields.rows) { row in
                Divider()
                self.row(row)
            }
            Divider()
            HStack(spacing: StudyStyle.gap) {
                choice(words.keepMine, words.keepMineOfThing, keepMine)
                choice(words.useServer, words.useServerOfThing, useServer)
            }
            .padding(StudyStyle.gap)
        }
        .background(StudyColor.card, in: RoundedRectangle(cornerRadius: StudyStyle.cardRadius))
    }

    private func heading(_ text: String) -> some View {
        Text(verbatim: text).font(StudyStyle.small).bold()
            .frame(maxWidth: .infinity, alignment: .leading)
            .accessibilityAddTraits(.isHeader)
    }

    private func row(_ row: ConflictFields.Row) -> some View {
        VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
            HStack(spacing: StudyStyle.gap) {
                Text(verbatim: row.title).foregroundStyle(StudyColor.soft)
                if row.differs {
                    Text(verbatim: words.differs).bold().foregroundStyle(StudyColor.care)
                }
            }
            .font(StudyStyle.small)
            HStack(alignment: .top, spacing: StudyStyle.gap) {
                value(row.mine, of: words.mine, was: words.was[row.id])
                value(row.server, of: words.server, was: nil)
            }
        }
        .padding(StudyStyle.gap)
        .frame(maxWidth: .infinity, alignment: .leading)
        .background(row.differs ? StudyColor.careGround : .card)
    }

    private func value(_ text: String, of version: String, was: String?) -> some View {
        VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
            Text(verbatim: text)
            if let was {
                Text(verbatim: was).font(StudyStyle.small).foregroundStyle(StudyColor.soft)
            }
        }
        .frame(maxWidth: .infinity, alignment: .leading)
        .accessibilityElement(children: .combine)
        .accessibilityHint(version)
    }

    private func choice(
        _ title: String, _ spoken: String, _ action: @escaping @MainActor () -> Void
    ) -> some View {
        Button(action: action) { Text(verbatim: title).frame(maxWidth: .infinity) }
            .buttonStyle(.studyOutlined)
            .accessibilityLabel(spoken)
    }
}
#endif
