public import Foundation
public import Underway

/// The inbox: the learner's pending decisions and notices, and earlier messages.
public struct InboxScreen: Sendable, Hashable {
    /// Two versions of a record; the learner chooses one.
    public struct Choice: Sendable, Hashable, Identifiable {
        /// The record.
        public var key: RecordKey
        /// The topic of the record.
        public var topic: RecordTopic
        /// The time of the server's version, by its writer's clock.
        public var changedAt: Date

        /// The record; it has at most one conflict.
        public var id: RecordKey { key }
    }

    /// A change that the server rejected.
    public struct Refused: Sendable, Hashable, Identifiable {
        /// The change.
        public var id: OperationID
        /// The topic of the record.
        public var topic: RecordTopic
        /// The reason.
        public var reason: Refusal
        /// The time of the change.
        public var changedAt: Date
    }

    /// A write of this device that a later one replaced.
    public struct Replaced: Sendable, Hashable, Identifiable {
        /// The write.
        public var id: OperationID
        /// The topic of the record.
        public var topic: RecordTopic
        /// The time of the later write.
        public var changedAt: Date
        /// Both versions of an app's own record, with the lost fields; `nil` for other topics, and if one side deleted
        /// the record.
        public var versions: ConflictScreen?
    }

    /// An announcement.
    public struct Message: Sendable, Hashable, Identifiable {
        /// The announcement's identifier.
        public var id: Int
        /// The headline.
        public var title: String
        /// The language of the headline.
        public var language: String
        /// The time at which it was shown, on any device; `nil` before that.
        public var seenAt: Date?
    }

    /// The time of the screen.
    public var now: Date
    /// The conflicts, in the order of their records.
    public var choices: [Choice]
    /// The rejected changes, the earliest first.
    public var refused: [Refused]
    /// The replaced writes, the earliest first.
    public var replaced: [Replaced]
    /// The announcements: unread ones first, then the last one shown.
    public var messages: [Message]

    /// The number of pending changes; 0 on a device without a server.
    public var unsentCount = 0
    /// True on a device with a server, unless the last sync failed.
    public var hasSynced = false

    /// The number of entries that need a decision: the badge.
    public var waitingCount: Int { choices.count + refused.count }
    /// True when the learner has neither decisions nor notices.
    public var isEmpty: Bool { choices.isEmpty && refused.isEmpty && replaced.isEmpty }
    /// True when the learner has neither decisions nor notices, and no changes are pending.
    public var isInSync: Bool { isEmpty && unsentCount == 0 }
}
