public import Foundation
public import Underway

/// A row of a list of places as text.
public struct PlaceText: Sendable, Hashable {
    /// The rank; empty for a gap.
    public var rank: String
    /// The display name, or the words for a learner without one; for a gap, the number of places in it.
    public var name: String
    /// True for a name that a learner chose.
    public var isName: Bool
    /// The score; empty for a gap.
    public var score: String
    /// True for the learner's own place.
    public var isOwn: Bool
    /// True for a gap.
    public var isGap: Bool

    /// Creates the text of a row in a language.
    public init(_ row: PlaceRow, _ formats: StudyFormats) {
        switch row {
        case .gap(let count):
            (rank, score, isName, isOwn, isGap) = ("", "", false, false, true)
            name = formats.words.count("board.gap", count)
        case .place(let entry):
            (rank, score) = (formats.number(entry.rank), formats.number(entry.score))
            (isName, isOwn, isGap) = (entry.name != nil, entry.isOwn, false)
            name = entry.name ?? formats.words["board.noName"]
        }
    }
}

/// A board as text for a learner.
public struct BoardText: Sendable, Hashable {
    /// The reason why this is not the present state, and the age of what is shown; `nil` for the present state.
    public var notice: String?
    /// The learner's place, or why there is none; `nil` without a board.
    public var own: String?
    /// The beginning of the period and the time left; empty for all time.
    public var period: String
    /// The range of the shown best places; `nil` without places.
    public var range: String?
    /// The rows.
    public var rows: [PlaceText]
    /// The sentence for a board without places; `nil` otherwise.
    public var empty: String?
    /// The time of the shown state and the rule of ties; `nil` without a board.
    public var note: String?
    /// The learner's name on boards; `nil` if it is not known here.
    public var name: String?
    /// The title of the link to the name and the choice to leave, or to join again.
    public var profile: String

    /// Creates the texts of a board in a language.
    public init(_ screen: BoardScreen, _ formats: StudyFormats) {
        let words = formats.words
        let page = screen.seen?.page
        notice = Self.notice(screen, formats)
        period = page.map { Self.period($0, screen, formats) } ?? ""
        own = page.map { Self.own($0, screen, formats) }
        rows =
            page.map { page in
                PlaceRow.rows(
                    top: page.top, around: page.neighbours + [page.own].compactMap(\.self),
                    of: page.placeCount)
            }?.map { PlaceText($0, formats) } ?? []
        range = page.flatMap { PlaceText.range($0.top.count, of: $0.placeCount, formats) }
        empty = page.map(\.top.isEmpty) == true ? words["board.empty"] : nil
        note = page.map { page in
            let time = formats.moment(page.refreshedAt, now: screen.now)
            return words.text("board.asOf", ["time": time]) + " " + words["board.rule"]
        }
        name = page?.own?.name.map { words.text("board.appearAs", ["name": $0]) }
        profile = words[screen.hasLeft ? "board.join" : "board.changeOrLeave"]
    }

    private static func notice(_ screen: BoardScreen, _ formats: StudyFormats) -> String? {
        guard let obstacle = screen.obstacle else { return nil }
        let reason = formats.words[obstacle.key]
        guard let seen = screen.seen else { return reason }
        let when = formats.relative(seen.receivedAt, now: screen.now)
        return reason + " " + formats.words.text("board.lastSeen", ["when": when])
    }

    private static func period(
        _ page: BoardPage, _ screen: BoardScreen, _ formats: StudyFormats
    ) -> String {
        let words = formats.words
        let first = page.firstDay.flatMap { ExamDate($0)?.start(in: formats.calendar.timeZone) }
        let start = first.map {
            words.text("board.from", ["date": formats.date($0, now: screen.now)])
        }
        return [start, end(page, screen, formats)].compactMap(\.self).joined(separator: " ")
    }

    private static func end(
        _ page: BoardPage, _ screen: BoardScreen, _ formats: StudyFormats
    ) -> String? {
        if page.isFinal { return formats.words["board.final"] }
        guard let end = screen.endsAt else { return nil }
        guard end > screen.now else { return formats.words["board.final"] }
        return formats.words.text("board.ends", ["when": formats.until(end, now: screen.now)])
    }

    private static func own(
        _ page: BoardPage, _ screen: BoardScreen, _ formats: StudyFormats
    ) -> String {
        if let own = page.own { return own.sentence(formats) }
        return formats.words[screen.hasLeft ? "board.left" : "board.noPlace"]
    }
}

extension PlaceText {
    /// Returns the range of the shown best places: "Places 1 to 20 of 340"; `nil` without any.
    static func range(_ shown: Int, of count: Int, _ formats: StudyFormats) -> String? {
        guard shown > 0 else { return nil }
        guard shown < count else { return formats.words.count("board.places", count) }
        return formats.words.text(
            "board.range",
            [
                "first": formats.number(1), "last": formats.number(shown),
                "total": formats.number(count),
            ])
    }
}

extension BoardEntry {
    /// Returns the sentence with the own place and points.
    func sentence(_ formats: StudyFormats) -> String {
        formats.words.text(
            "board.yourPlace", ["place": formats.number(rank), "points": formats.number(score)])
    }
}

extension BoardPeriod {
    /// The key of the period's name.
    public var key: String {
        switch self {
        case .day: "board.day"
        case .week: "board.week"
        case .month: "board.month"
        case .all: "board.allTime"
        }
    }
}

extension StudyFormats {
    /// Returns the time until a moment: "in 12 minutes", "in 5 hours", "in 3 days"; the minutes are rounded up.
    ///
    /// | left | text |
    /// |---|---|
    /// | up to an hour | in 12 minutes, at least 1 |
    /// | up to two days | in 5 hours |
    /// | longer | in 3 days |
    public func until(_ moment: Date, now: Date) -> String {
        let minutes = max(1, Int((moment.timeIntervalSince(now) / 60).rounded(.up)))
        return switch minutes {
        case ...60: words.count("time.inMinutes", minutes)
        case ...(48 * 60): words.count("time.inHours", minutes / 60)
        default: words.count("time.inDays", minutes / (24 * 60))
        }
    }
}
