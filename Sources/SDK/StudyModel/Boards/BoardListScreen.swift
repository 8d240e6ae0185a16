public import Foundation
public import Underway

/// The boards and live events of the server.
public struct BoardListScreen: Sendable, Hashable {
    /// A board in the list.
    public struct Board: Sendable, Hashable, Identifiable {
        /// The board's name, which is its id.
        public var id: String
        /// The subject's title; the bank's name if the content does not have it.
        public var title: String
        /// The language of the title (BCP 47); `nil` if it is unknown.
        public var language: String?
        /// True when another board of the list has the same subject, so that the name must be shown.
        public var needsName: Bool
        /// True when the learner has answered a question of the subject.
        public var isStudied: Bool
        /// The board as this device last received it, of the period that it received last.
        public var seen: SeenBoard?
    }

    /// A live event in the list.
    public struct Event: Sendable, Hashable, Identifiable {
        /// The event.
        public var event: LiveEvent
        /// The subject's title; the bank's name if the content does not have it.
        public var subject: String
        /// The phase by the device's clock.
        public var state: LiveEvent.State

        /// The event's name.
        public var id: String { event.id }
    }

    /// The boards: those of studied subjects first, then by title.
    public var boards: [Board]
    /// The live events: running, then coming ones by their start, then past ones, the last first.
    public var events: [Event]
    /// The reason why the boards are those that this device has seen; `nil` for the server's list.
    public var obstacle: StandingsObstacle?
    /// The reason why there is no list of live events; `nil` for the server's list.
    public var eventObstacle: StandingsObstacle?
    /// The time of the screen.
    public var now: Date
}

extension BoardListScreen.Board {
    /// Returns the title, with the board's name where two boards have one subject.
    public var heading: String { needsName ? "\(title) · \(id)" : title }

    /// Returns the learner's last known place and its age; empty for a board that was not seen.
    public func details(_ formats: StudyFormats, now: Date) -> String {
        guard let seen else { return "" }
        let words = formats.words
        let place = seen.page.own.map { own in
            words.text(
                "board.placeOf",
                ["place": formats.number(own.rank), "total": formats.number(seen.page.placeCount)])
        }
        let age = words.text(
            "board.lastSeen", ["when": formats.relative(seen.receivedAt, now: now)])
        return [place, age].compactMap(\.self).joined(separator: " · ")
    }
}

extension BoardListScreen.Event {
    /// Returns the subject, and the times in words.
    public func details(_ formats: StudyFormats, now: Date) -> String {
        [subject, EventText.clock(event, state, now: now, formats)].joined(separator: " · ")
    }
}
