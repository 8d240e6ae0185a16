public import Foundation
public import Underway

/// One live event with the learner's own place and rounds.
public struct EventScreen: Sendable, Hashable {
    /// The next step of the learner with a round.
    public enum Step: Sendable, Hashable {
        /// Begins a round.
        case begin
        /// Continues the open round with this session.
        case resume(String)
        /// Ends an exam first that began before the event, and is no round.
        case finishFirst(String)
    }

    /// The event's name.
    public var id: String
    /// The event as now or as last received; `nil` when this process has none.
    public var event: LiveEvent?
    /// The places as now or as last received; `nil` when this process has none.
    public var page: LiveEventPage?
    /// The time at which the places were received.
    public var receivedAt: Date?
    /// The subject's title; the bank's name if the content does not have it.
    public var subject: String
    /// The reason why this is not the server's present state; `nil` if it is.
    public var obstacle: StandingsObstacle?
    /// The next step with a round; `nil` before and after the event, and without the subject on this device.
    public var step: Step?
    /// True when this device has the subject's questions.
    public var hasSubject: Bool
    /// The rounds on this device, the newest first.
    public var rounds: [EventRound]
    /// The time of the screen.
    public var now: Date

    /// The phase: the server's, or the one that has come since by the device's clock.
    public var state: LiveEvent.State? {
        guard let event else { return page?.state }
        let own = event.state(at: now)
        guard let page, obstacle == nil || page.state == .ended else { return own }
        return page.state
    }

    /// True while the places may change soon, so that a screen loads them again.
    public var isLive: Bool { obstacle?.isPassing ?? true && page?.isFinal == false }
}

extension EventScreen {
    /// Shows received places alone, for a program without rounds.
    public init(_ event: LiveEvent, _ page: LiveEventPage, now: Date) {
        self.init(
            id: event.id, event: event, page: page, receivedAt: now, subject: event.bank,
            obstacle: nil, step: nil, hasSubject: true, rounds: [], now: now)
    }
}
