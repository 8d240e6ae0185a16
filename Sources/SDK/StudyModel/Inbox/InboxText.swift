import Foundation
public import Underway

/// The inbox as text for a learner.
public struct InboxText: Sendable, Hashable {
    /// A choice between two versions.
    public struct Choice: Sendable, Hashable, Identifiable {
        /// The record.
        public var key: RecordKey
        /// The kind of record that has two versions.
        public var heading: String
        /// The name of the record, such as the exam's title.
        public var details: String
        /// The time of the server's version.
        public var when: String

        /// The record.
        public var id: RecordKey { key }
    }

    /// A rejected change, or one that a later change replaced.
    public struct Change: Sendable, Hashable, Identifiable {
        /// The change.
        public var id: OperationID
        /// The outcome of the change.
        public var heading: String
        /// The name of the record, such as the exam's title.
        public var details: String
        /// The server's reason, or the time of the later change.
        public var reason: String
        /// The name of the button that sends it again.
        public var againName: String
        /// The name of the button that removes it.
        public var dismissName: String
    }

    /// A message.
    public struct Message: Sendable, Hashable, Identifiable {
        /// The announcement's identifier.
        public var id: Int
        /// The headline.
        public var heading: String
        /// The language of the headline.
        public var language: String
        /// The time at which it was read; empty if unread.
        public var note: String
    }

    /// The sentence for an empty inbox; else `nil`.
    public var empty: String?
    /// The choices.
    public var choices: [Choice]
    /// The rejected changes.
    public var refused: [Change]
    /// The replaced changes.
    public var replaced: [Change]
    /// The messages.
    public var messages: [Message]

    /// Creates the texts of an inbox in a language.
    public init(_ screen: InboxScreen, _ formats: StudyFormats) {
        let words = formats.words
        if screen.isEmpty {
            empty =
                screen.isInSync
                ? words[screen.hasSynced ? "inbox.empty" : "inbox.emptyAlone"]
                : words.count("settings.unsent", screen.unsentCount)
        }
        choices = screen.choices.map { choice in
            Choice(
                key: choice.key,
                heading: words.text("inbox.conflict", ["thing": words.thing(choice.topic)]),
                details: words.details(choice.topic),
                when: formats.relative(choice.changedAt, now: screen.now))
        }
        refused = screen.refused.map { change in
            Change(
                change.id, change.topic, "inbox.rejected",
                words.text("inbox.rejectedWhy", ["reason": words.reason(change.reason)]), words)
        }
        replaced = screen.replaced.map { notice in
            var change = Change(
                notice.id, notice.topic, "inbox.replaced",
                formats.relative(notice.changedAt, now: screen.now), words)
            if let versions = notice.versions {
                change.details = Self.values(versions, FieldText(versions, formats), words)
            }
            return change
        }
        messages = screen.messages.map { message in
            Message(
                id: message.id, heading: message.title, language: message.language,
                note: message.seenAt.map {
                    "\(formats.date($0, now: screen.now)) · \(words["inbox.read"])"
                } ?? "")
        }
    }

    /// Returns both values of each lost field, without its name, which is the app's own.
    private static func values(
        _ versions: ConflictScreen, _ fields: FieldText, _ words: StudyText
    ) -> String {
        versions.fields.map { field in
            let mine = "\(words["conflict.mine"]): \(fields.text(field.mine, of: field))"
            return [mine, fields.serverHas(field)].compactMap(\.self).joined(separator: " · ")
        }.joined(separator: "; ")
    }
}

extension InboxText.Change {
    init(
        _ id: OperationID, _ topic: RecordTopic, _ key: String, _ reason: String,
        _ words: StudyText
    ) {
        self.id = id
        heading = words.text(key, ["thing": words.thing(topic)])
        (details, self.reason) = (words.details(topic), reason)
        let named = [words.thing(topic), details].filter { !$0.isEmpty }
        let thing = ["thing": named.joined(separator: ", ")]
        againName = words.text("inbox.sendAgainNamed", thing)
        dismissName = words.text("inbox.dismissNamed", thing)
    }
}
