import Foundation
import Underway

/// A live event as text for a learner.
public struct EventText: Sendable, Hashable {
    /// A figure with its name.
    public struct Figure: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The number in words.
        public var number: String
    }

    /// A round as text.
    public struct Round: Sendable, Hashable, Identifiable {
        /// The round's id.
        public var id: String
        /// The right answers and the time.
        public var sentence: String
        /// The title of the button that sends it; `nil` for a counted one, and when the event takes no rounds.
        public var send: String?
        /// The button's name for a screen reader.
        public var sendName: String
        /// The word for a counted round; `nil` for another.
        public var counted: String?
    }

    /// The event's title; its name without any reply.
    public var title: String
    /// The reason why this is not the present state, with the age of what is shown; `nil` for the present state.
    public var notice: String?
    /// The subject and the times; empty without an event.
    public var lead: String
    /// The time until the start or the end, or that it is over.
    public var clock: String
    /// The sentence about places that are not final yet, or not current; `nil` for none.
    public var state: String?
    /// The learner's points, place, and distance to the place above; empty without a place.
    public var figures: [Figure]
    /// The sentence for a learner without points; `nil` otherwise.
    public var noPoints: String?
    /// The own place as one sentence, to be spoken; empty without one.
    public var spoken: String
    /// The number of learners, or the range of places; `nil` without any.
    public var range: String?
    /// The best places, with the learner's own.
    public var rows: [PlaceText]
    /// The time of the places; `nil` without any.
    public var asOf: String?
    /// The rule of a round; `nil` unless rounds can begin or come.
    public var rule: String?
    /// The title of the step with a round; `nil` without one.
    public var step: String?
    /// The reason why no round can begin on this device; `nil` if one can.
    public var noSubject: String?
    /// The rounds.
    public var rounds: [Round]

    /// Creates the texts of an event in a language.
    public init(_ screen: EventScreen, _ formats: StudyFormats) {
        let words = formats.words
        let page = screen.page
        title = screen.event?.title ?? screen.id
        notice = Self.notice(screen, formats)
        lead = screen.event.map { Self.lead($0, screen, formats) } ?? ""
        clock =
            if let event = screen.event, let state = screen.state {
                Self.clock(event, state, now: screen.now, formats)
            } else { "" }
        state = page.flatMap { Self.state($0, screen.state) }.map { words[$0] }
        figures = page.map { Self.figures($0, formats) } ?? []
        noPoints =
            page?.own == nil && screen.state == .running && page != nil
            ? words["event.noPoints"] : nil
        spoken = page?.own?.sentence(formats) ?? ""
        range = page.flatMap { PlaceText.range($0.top.count, of: $0.placeCount, formats) }
        rows = page.map { Self.rows($0, formats) } ?? []
        asOf = page.map {
            words.text("board.asOf", ["time": formats.moment($0.asOf, now: screen.now)])
        }
        let isOver = screen.state == .ended || screen.event == nil
        rule =
            isOver
            ? nil
            : words.text(
                "event.rule", ["points": formats.number(screen.event?.pointsMax ?? 0)])
        step = screen.step.map { words[$0.key] }
        noSubject = isOver || screen.hasSubject ? nil : words["event.noSubject"]
        rounds = screen.rounds.map { Round($0, screen, formats) }
    }

    /// Returns the time until the start or the end of an event, or that it is over.
    static func clock(
        _ event: LiveEvent, _ state: LiveEvent.State, now: Date, _ formats: StudyFormats
    ) -> String {
        switch state {
        case .upcoming:
            formats.words.text(
                "event.starts", ["when": formats.until(event.startsAt, now: now)])
        case .running:
            formats.words.text("board.ends", ["when": formats.until(event.endsAt, now: now)])
        case .ended: formats.words["event.over"]
        }
    }

    private static func notice(_ screen: EventScreen, _ formats: StudyFormats) -> String? {
        guard let obstacle = screen.obstacle else { return nil }
        let words = formats.words
        guard obstacle != .missing else { return words["event.missing"] }
        guard let received = screen.receivedAt else {
            return obstacle == .offline
                ? words[obstacle.key] + " " + words["event.needsConnection"] : words[obstacle.key]
        }
        let when = formats.relative(received, now: screen.now)
        return words[obstacle.key] + " " + words.text("board.lastSeen", ["when": when])
    }

    private static func lead(
        _ event: LiveEvent, _ screen: EventScreen, _ formats: StudyFormats
    ) -> String {
        let (start, end) = (event.startsAt, event.endsAt)
        let isOneDay = formats.calendar.isDate(start, inSameDayAs: end)
        let span = formats.words.text(
            "app.range",
            [
                "low": formats.dateAndTime(start, now: screen.now),
                "high": isOneDay ? formats.time(end) : formats.dateAndTime(end, now: screen.now),
            ])
        return [screen.subject, span].joined(separator: " · ")
    }

    private static func state(_ page: LiveEventPage, _ state: LiveEvent.State?) -> String? {
        guard state != .ended else { return page.isFinal ? "event.final" : "event.finalSoon" }
        return page.isStale ? "event.stale" : nil
    }

    private static func figures(_ page: LiveEventPage, _ formats: StudyFormats) -> [Figure] {
        guard let own = page.own else { return [] }
        let words = formats.words
        let place = words.text(
            "app.share",
            ["part": formats.number(own.rank), "total": formats.number(page.placeCount)])
        var figures = [
            Figure(name: words["event.yourPoints"], number: formats.number(own.score)),
            Figure(name: words["event.yourPlace"], number: place),
        ]
        if let above = page.top.first(where: { $0.rank == own.rank - 1 }) {
            let gap = formats.number(max(0, above.score - own.score))
            figures.append(Figure(name: words["event.behind"], number: gap))
        }
        return figures
    }

    private static func rows(_ page: LiveEventPage, _ formats: StudyFormats) -> [PlaceText] {
        PlaceRow.rows(
            top: page.top.map { entry in
                var entry = entry
                entry.isOwn = entry.rank == page.own?.rank
                return entry
            }, around: [page.own].compactMap(\.self), of: page.placeCount
        ).map { PlaceText($0, formats) }
    }
}

extension EventText.Round {
    init(_ round: EventRound, _ screen: EventScreen, _ formats: StudyFormats) {
        let words = formats.words
        id = round.id
        sentence = words.text(
            "event.round",
            [
                "part": formats.number(round.correctCount),
                "total": formats.number(round.questionCount),
                "when": formats.moment(round.startedAt, now: screen.now),
            ])
        let send = words.text("event.send", ["points": formats.number(round.points)])
        let canSend = !round.isCounted && screen.state == .running
        self.send = canSend ? send : nil
        sendName = "\(send): \(sentence)"
        counted =
            round.isCounted
            ? words.text("event.countedPoints", ["points": formats.number(round.points)]) : nil
    }
}

extension EventScreen.Step {
    /// The key of the title of its button.
    var key: String {
        switch self {
        case .begin: "event.begin"
        case .resume: "event.resume"
        case .finishFirst: "event.finishFirst"
        }
    }
}
