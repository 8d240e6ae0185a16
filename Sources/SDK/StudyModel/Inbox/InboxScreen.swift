public import Foundation
public import Underway

/// The inbox: what waits for the learner, and what was said earlier.
public struct InboxScreen: Sendable, Hashable {
    /// Two versions of a record, of which the learner chooses one.
    public struct Choice: Sendable, Hashable, Identifiable {
        /// The record.
        public var key: RecordKey
        /// The thing that it is about.
        public var topic: RecordTopic
        /// The time of the server's version, by its writer's clock.
        public var changedAt: Date

        /// The record, of which there is at most one conflict.
        public var id: RecordKey { key }
    }

    /// A change that the server refused.
    public struct Refused: Sendable, Hashable, Identifiable {
        /// The change.
        public var id: OperationID
        /// The thing that it is about.
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
        /// The thing that it is about.
        public var topic: RecordTopic
        /// The time of the write that remains.
        public var changedAt: Date
        /// Both versions of an app's own record, with the fields that were lost; `nil` for other topics, and where
        /// one side deleted the record.
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
    /// The refused changes, the earliest first.
    public var refused: [Refused]
    /// The replaced writes, the earliest first.
    public var replaced: [Replaced]
    /// The announcements: those that were not shown yet first, then the last one shown.
    public var messages: [Message]

    /// The changes that wait for the server; 0 on a device without one.
    public var unsentCount = 0
    /// True on a device with a server, unless the last sync failed.
    public var hasSynced = false

    /// The number of entries that wait for a decision: the badge.
    public var waitingCount: Int { choices.count + refused.count }
    /// True when neither a decision nor a notice waits for the learner.
    public var isEmpty: Bool { choices.isEmpty && refused.isEmpty && replaced.isEmpty }
    /// True when nothing waits, neither for the learner nor for the server.
    public var isInSync: Bool { isEmpty && unsentCount == 0 }
}
