import Foundation
import PageRendering
import StudyModel
import Underway

/// The values of the list of boards and live events.
struct BoardListView {
    struct Row {
        var path: String
        var name: String
        var language: String?
        var details: String?
        /// The word for a running event; `nil` for all else.
        var tag: String?
    }

    struct Group {
        var heading: String
        var rows: [Row]
    }

    var standing: StandingView?
    var groups: [Group]
    var noBoards: String?
    var noEvents: String?
    var hasProfile: Bool

    init(_ screen: BoardListScreen, _ formats: StudyFormats) {
        let words = formats.words
        standing = StandingView(
            screen.obstacle ?? screen.eventObstacle, nil, at: BoardPages.path, words)
        let boards = { (isStudied: Bool) in
            screen.boards.filter { $0.isStudied == isStudied }.map {
                Row($0, screen.now, formats)
            }
        }
        let events = { (isOver: Bool) in
            screen.events.filter { ($0.state == .ended) == isOver }.map {
                Row($0, screen.now, formats)
            }
        }
        groups = [
            Group(heading: words["board.yours"], rows: boards(true)),
            Group(heading: words["board.others"], rows: boards(false)),
            Group(heading: words["event.list"], rows: events(false)),
            Group(heading: words["booking.earlier"], rows: events(true)),
        ].filter { !$0.rows.isEmpty }
        noBoards = screen.boards.isEmpty && screen.obstacle == nil ? words["board.none"] : nil
        noEvents =
            screen.eventObstacle == .offline
            ? words["event.needsConnection"]
            : screen.events.isEmpty && screen.eventObstacle == nil ? words["event.none"] : nil
        hasProfile = screen.obstacle == nil
    }
}

extension BoardListView.Row {
    init(_ board: BoardListScreen.Board, _ now: Date, _ formats: StudyFormats) {
        path = BoardView.path(board.id)
        (name, language) = (board.heading, board.language)
        let words = board.details(formats, now: now)
        details = words.isEmpty ? nil : words
    }

    init(_ event: BoardListScreen.Event, _ now: Date, _ formats: StudyFormats) {
        path = EventView.path(event.id)
        name = event.event.title
        details = event.details(formats, now: now)
        tag = event.state == .running ? formats.words["event.running"] : nil
    }
}

/// The values of one board's page.
struct BoardView {
    struct Period {
        var href: String
        var name: String
        var isCurrent: Bool
    }

    var language: String?
    var period: String?
    var periods: [Period]
    var hasPeriods: Bool
    var standing: StandingView?
    var own: String?
    var range: String
    var rows: [PlaceText]
    var hasRows: Bool
    var empty: String?
    var note: String?
    var hasNote: Bool
    var name: String?
    var profile: String?

    init(_ screen: BoardScreen, _ formats: StudyFormats) {
        let text = BoardText(screen, formats)
        language = screen.language
        period = text.period.isEmpty ? nil : text.period
        periods = screen.periods.map { period in
            Period(
                href: Self.path(screen.id, period), name: formats.words[period.key],
                isCurrent: period == screen.period)
        }
        hasPeriods = periods.count > 1
        standing = StandingView(
            screen.obstacle, text.notice, at: Self.path(screen.id, screen.period), formats.words)
        (own, rows, range) = (text.own, text.rows, text.range ?? "")
        hasRows = !rows.isEmpty
        (empty, note, name) = (text.empty, text.note, text.name)
        hasNote = note != nil
        profile = screen.obstacle == nil ? text.profile : nil
    }

    /// Returns the address of a board, and of a period of it.
    static func path(_ id: String, _ period: BoardPeriod? = nil) -> String {
        BoardPages.path + "/" + id.addressPart + (period.map { "?period=\($0.rawValue)" } ?? "")
    }
}

/// The values of the page of the learner's name on boards.
struct BoardProfileView {
    var standing: StandingView?
    var canLeave: Bool
    var canJoin: Bool
    var name: String
    /// The reason why the sent form had no effect; `nil` without one.
    var error: String?

    /// Shows a profile.
    ///
    /// - Parameters:
    ///   - profile: The profile that the server confirmed; `nil` if it is not known.
    ///   - obstacle: The reason why the last request failed.
    ///   - form: The form that failed; `nil` for the page itself.
    ///   - words: The words.
    init(
        _ profile: BoardProfile?, _ obstacle: StandingsObstacle?, _ form: FormFields?,
        _ words: StudyText
    ) {
        let isSaving = form?["action"] == "save"
        name = (isSaving ? form?["name"] : nil) ?? profile?.name ?? ""
        // A form that failed stays, with what was typed.
        canJoin = form?["action"] == "join" || (form == nil && profile?.isListed == false)
        canLeave = !canJoin && (profile != nil || form != nil)
        guard form != nil, let obstacle else {
            standing = StandingView(obstacle, nil, at: BoardPages.profilePath, words)
            return
        }
        error =
            obstacle == .refused
            ? words[obstacle.key] : words[obstacle.key] + " " + words["board.notConfirmed"]
    }
}
