public import Foundation
public import Underway

/// Two versions of a record, field by field.
public struct ConflictScreen: Sendable, Hashable {
    /// A field in both versions.
    public struct Field: Sendable, Hashable, Identifiable {
        /// The kind of a field, which determines how its value is written and edited.
        public enum Kind: Sendable, Hashable {
            /// A text.
            case text
            /// A number.
            case number
            /// A truth value.
            case flag
            /// A list of values; the learner chooses one side's.
            case list
            /// The date of an exam.
            case examDate
            /// The progress of a reservation.
            case status
            /// An exam or a language, by the name of its bank; it cannot be edited.
            case subject
        }

        /// The name in the collection.
        public var name: String
        /// The kind.
        public var kind: Kind
        /// The learner's value; `nil` for none.
        public var mine: FieldValue?
        /// The server's value; `nil` for none.
        public var server: FieldValue?
        /// The value before both changes; `nil` for none.
        public var base: FieldValue?

        /// The name, unique in the record.
        public var id: String { name }
        /// True when both values differ.
        public var differs: Bool { mine ?? .null != server ?? .null }
        /// True when the learner's value differs from the one before both changes.
        public var isMineNew: Bool { mine ?? .null != base ?? .null }
        /// True when the server's value differs from the one before both changes.
        public var isServerNew: Bool { server ?? .null != base ?? .null }
    }

    /// The record.
    public var key: RecordKey
    /// The topic of the record.
    public var topic: RecordTopic
    /// The fingerprint of the two versions, which a resolution passes.
    public var tag: String
    /// The time of the learner's change, by this device's clock.
    public var mineChangedAt: Date
    /// The time of the server's version, by its writer's clock.
    public var serverChangedAt: Date
    /// True when the learner's change deleted the record.
    public var isMineDeleted: Bool
    /// True when the record was deleted on the server.
    public var isServerDeleted: Bool
    /// True when there was a version before both changes.
    public var hasBase: Bool
    /// The fields, differing ones first.
    public var fields: [Field]
    /// The titles of the banks that the fields name.
    public var subjects: [String: String]
    /// The time of the screen.
    public var now: Date

    /// True when both versions exist, so that they can be merged.
    public var canEdit: Bool { !isMineDeleted && !isServerDeleted }
}

extension ConflictScreen {
    init(_ conflict: RecordConflict, _ topic: RecordTopic, now: Date) {
        let mine = conflict.mine.values
        let server = conflict.theirs.isDeleted ? nil : conflict.theirs.values
        let base = conflict.base.flatMap { $0.isDeleted ? nil : $0.values }
        let names = Set((mine ?? [:]).keys).union((server ?? [:]).keys)
        let fields = names.map { name in
            Field(
                name: name,
                kind: .init(
                    conflict.key.collection, name, mine?[name] ?? .null, server?[name] ?? .null),
                mine: mine?[name], server: server?[name], base: base?[name])
        }
        self.init(
            key: conflict.key, topic: topic, tag: conflict.tag,
            mineChangedAt: conflict.mine.time.date, serverChangedAt: conflict.theirs.time.date,
            isMineDeleted: mine == nil, isServerDeleted: server == nil, hasBase: base != nil,
            fields: fields.sorted {
                ($0.differs ? 0 : 1, $0.name) < ($1.differs ? 0 : 1, $1.name)
            }, subjects: [:], now: now)
    }
}

extension ConflictScreen.Field.Kind {
    /// Decides by the collection, or else by the values.
    fileprivate init(
        _ collection: String, _ name: String, _ mine: FieldValue, _ server: FieldValue
    ) {
        switch (collection, name) {
        case (Reservation.collection.name, "date"): self = .examDate
        case (Reservation.collection.name, "status"): self = .status
        case (Reservation.collection.name, "exam"), (Favourite.collection.name, "bank"):
            self = .subject
        default:
            switch mine == .null ? server : mine {
            case .bool: self = .flag
            case .integer, .decimal: self = .number
            case .list: self = .list
            case .text, .null: self = .text
            }
        }
    }
}
