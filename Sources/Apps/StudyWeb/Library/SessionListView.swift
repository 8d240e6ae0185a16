import Foundation
import StudyModel
import Underway

/// A session in a list, with the names of `part_session_row`.
struct SessionRowView {
    /// The review; the session itself while it has not ended.
    var path: String
    var kind: String
    var date: String
    /// The exact time of its begin.
    var moment: String
    var result: String

    init(_ session: SubjectSession, _ now: Date, _ formats: StudyFormats) {
        path = session.isFinished ? "/session/\(session.id)/review" : "/session/\(session.id)"
        kind = session.kind(formats.words)
        date = formats.dateAndTime(session.startedAt, now: now)
        moment = formats.timestamp(session.startedAt)
        result = session.result(formats)
    }
}

/// The values of the page of a subject's sessions.
struct SessionListView {
    var back: PageFrame.Link
    var language: String?
    var rows: [SessionRowView]
    var isEmpty: Bool
    var pages: PageLinks?

    init(_ screen: SessionListScreen, _ page: PageRequest) {
        let path = "/library/\(screen.subject.id)"
        back = .init(href: path, title: screen.subject.title)
        language = screen.subject.language
        let now = page.services.clock()
        rows = screen.sessions.map { SessionRowView($0, now, page.formats) }
        isEmpty = rows.isEmpty
        pages = PageLinks(screen.page, page.formats) { "\(path)?part=sessions&page=\($0)" }
    }
}

/// The links between the pages of a long list, with the names of `part_pages`.
struct PageLinks {
    var title: String
    var previous: String?
    var next: String?

    /// Links the pages; `nil` for a list of one page.
    init?(_ page: PageNumber, _ formats: StudyFormats, path: (Int) -> String) {
        guard let title = page.title(formats) else { return nil }
        self.title = title
        previous = page.previous.map(path)
        next = page.next.map(path)
    }
}
