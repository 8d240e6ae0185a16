public import Foundation
import Synchronization
public import Underway

/// A live event with its places and the time at which this device received them.
public struct SeenEvent: Sendable, Hashable {
    /// The event.
    public var event: LiveEvent
    /// The places.
    public var page: LiveEventPage
    /// The time at which the device received them.
    public var receivedAt: Date
}

/// The live events that this process received last, so that a screen that loses its connection keeps its places.
public final class SeenEvents: Sendable {
    /// The maximum number of events.
    static let countMax = 16

    private let entries = Mutex<[(user: String, seen: SeenEvent)]>([])

    /// Creates an empty cache.
    public init() {}

    /// Returns an event that a user received; `nil` for none.
    func event(_ name: String, of user: String) -> SeenEvent? {
        entries.withLock { entries in
            entries.first { $0.user == user && $0.seen.event.id == name }?.seen
        }
    }

    /// Returns the newest received event of which a session is a round; `nil` for none.
    func event(ofRound saved: SavedSession, of user: String) -> LiveEvent? {
        entries.withLock { entries in
            entries.last {
                $0.user == user && EventRound(saved, of: $0.seen.event, counted: []) != nil
            }?.seen.event
        }
    }

    /// Saves a received event of a user in place of an earlier state.
    func save(_ seen: SeenEvent, of user: String) {
        entries.withLock { entries in
            entries.removeAll { $0.user == user && $0.seen.event.id == seen.event.id }
            entries.append((user, seen))
            entries.removeFirst(max(0, entries.count - Self.countMax))
        }
    }
}
