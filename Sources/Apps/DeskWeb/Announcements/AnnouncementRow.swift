import ContentModel
import Foundation
import Publishing

/// An announcement in the list.
struct AnnouncementRow: Sendable {
    /// The state of an announcement for users.
    enum State: String, CaseIterable, Sendable {
        case now, planned, over, broken

        var title: String {
            switch self {
            case .now: "Now"
            case .planned: "Planned"
            case .over: "Over"
            case .broken: "Cannot be read"
            }
        }

        var tone: String {
            switch self {
            case .now: "right"
            case .planned: "new"
            case .over: ""
            case .broken: "wrong"
            }
        }
    }

    /// A language, and whether it is missing.
    struct Language: Sendable {
        var code: String
        var isMissing: Bool
    }

    struct Tag: Sendable {
        var title: String
        var tone: String
    }

    /// The address of the page; `nil` for a file that cannot be read.
    var href: String?
    var identifier: String
    var title: String
    var file: String
    var type: String
    var when: String
    var languages: [Language]
    var tag: Tag
    var state: State
    var number: Int
    var errors: String?
    /// The texts in which a search looks.
    private let texts: String

    /// Describes a file of announcements.
    ///
    /// - Parameters:
    ///   - file: The path of the file.
    ///   - value: Its value; `nil` for a file that cannot be parsed.
    ///   - problems: The messages of the checker about it.
    ///   - wanted: The languages in which each announcement must be written.
    ///   - now: The present time as RFC 3339 in UTC.
    init(
        file: String, _ value: JSONValue?, _ problems: [Problem], wanted: [String], now: String
    ) {
        self.file = file
        var number: Int?
        if case .integer(let found)? = value?.member(at: ["identifier"]), found > 0 {
            number = found
        }
        self.number = number ?? .max
        identifier = number.map(String.init) ?? "?"
        href = number.map { "\(DeskSection.announcements.path)/\($0)" }
        type = Self.text(value, ["type"]) ?? ""
        let present = AnnouncementForm.names(value?.member(at: ["texts"]))
        languages = (present + wanted.filter { !present.contains($0) }).map {
            .init(code: $0, isMissing: !present.contains($0))
        }
        let first = (wanted + ["en"] + present).first { present.contains($0) }
        title = first.flatMap { Self.text(value, ["texts", $0, "title"]) } ?? ""
        let times = (Self.text(value, ["start"]), Self.text(value, ["end"]))
        when = Self.when(times.0, times.1)
        state = number == nil ? .broken : Self.state(times.0, times.1, now)
        tag = Tag(title: state.title, tone: state.tone)
        errors = EditView.count(ProblemSummary(problems).errors, "error")
        if title.isEmpty { title = number == nil ? file : "Without a title" }
        texts =
            ([identifier, file, type]
            + present.flatMap { language in
                ["title", "content"].compactMap { Self.text(value, ["texts", language, $0]) }
            }).joined(separator: "\n").lowercased()
    }

    /// Returns true for an announcement with a text.
    func contains(_ text: String) -> Bool { texts.contains(text.lowercased()) }

    /// Orders what is shown now before what will be and what was; the newest first.
    func precedes(_ other: AnnouncementRow) -> Bool {
        let states: [State] = [.broken, .now, .planned, .over]
        let (mine, theirs) = (
            states.firstIndex(of: state) ?? 0, states.firstIndex(of: other.state) ?? 0
        )
        return mine == theirs ? number > other.number : mine < theirs
    }

    private static func text(_ value: JSONValue?, _ path: [String]) -> String? {
        guard case .string(let text)? = value?.member(at: path[...]) else { return nil }
        return text
    }

    private static func state(_ start: String?, _ end: String?, _ now: String) -> State {
        if let end, end <= now { return .over }
        if let start, start > now { return .planned }
        return .now
    }

    /// Returns the times as words, as "1 October 2026 to 1 November 2026".
    static func when(_ start: String?, _ end: String?) -> String {
        switch (start.map(day), end.map(day)) {
        case (let start?, let end?): "\(start) to \(end)"
        case (let start?, nil): "From \(start)"
        case (nil, let end?): "Until \(end)"
        case (nil, nil): "Always"
        }
    }

    private static func day(_ time: String) -> String {
        guard let date = try? Date(time, strategy: .iso8601) else { return time }
        return DeskTime.day(date)
    }
}
