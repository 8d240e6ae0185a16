import Foundation
import Hummingbird
import NIOCore
import PageRendering
import StudyModel
import Synchronization
import Underway

/// Announcements: the sheet on the first page, and a page for each.
struct AnnouncementPages {
    let app: StudyWebApp

    func addRoutes(to router: Router<StudyContext>) {
        router.get("/inbox/messages/:id", use: app.page(message))
        router.get("/inbox/messages/:id/open", use: app.page(open))
        router.get("/inbox/messages/:id/picture", use: app.page(picture))
        router.post("/inbox/messages/:id", use: app.page(markSeen))
    }

    /// Returns the sheet for the first page; `nil` for none, and for a learner who comes from a session.
    ///
    /// Unreadable announcements are skipped.
    static func sheet(for page: PageRequest) async -> AnnouncementView.Sheet? {
        let model = await AnnouncementModel(page.services)
        let isInSession = page.app.announced.isDone || comesFromSession(page.request)
        await model.load(languages: page.words.messageLanguages, isInSession: isInSession)
        return await model.current.map { AnnouncementView.Sheet($0, page.words) }
    }

    /// Returns true if the previous page is a session; the policy of these pages sends its URL (`Referrer-Policy:
    /// same-origin`).
    private static func comesFromSession(_ request: Request) -> Bool {
        guard let former = request.headers[.referer].flatMap({ URL(string: $0) }) else {
            return false
        }
        return former.path == "/session" || former.path.hasPrefix("/session/")
    }

    private func message(_ page: PageRequest) async throws -> Response {
        let model = try await opened(page)
        guard let message = await model.opened else {
            throw StudyProblem(.notFound, details: page.words["announcement.missing"])
        }
        return try await app.render(
            "message", title: message.announcement.text.title, in: .inbox,
            AnnouncementView(message, page.words), for: page)
    }

    /// Notes that a message was read and leads to its target: https or a mail address, nothing else.
    private func open(_ page: PageRequest) async throws -> Response {
        let model = try await opened(page)
        guard let target = await model.opened?.target else { throw StudyProblem(.notFound) }
        try await mark(model, page)
        return .redirect(to: target.url.absoluteString)
    }

    private func picture(_ page: PageRequest) async throws -> Response {
        guard let bytes = try await opened(page).opened?.picture,
            let type = PictureType.name(of: bytes)
        else { throw HTTPError(.notFound) }
        return Response(
            status: .ok, headers: [.contentType: type],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    private func markSeen(_ page: PageRequest) async throws -> Response {
        try await mark(try await opened(page), page)
        return .redirect(to: page.form["to"] == "inbox" ? "/inbox" : "/")
    }

    private func opened(_ page: PageRequest) async throws -> AnnouncementModel {
        guard let id = Int(try page.part("id")) else { throw HTTPError(.notFound) }
        let model = await AnnouncementModel(page.services)
        await model.open(id, languages: page.words.messageLanguages)
        if let problem = await model.problem { throw problem }
        return model
    }

    private func mark(_ model: AnnouncementModel, _ page: PageRequest) async throws {
        guard let message = await model.opened else { return }
        await model.markSeen(message.id, languages: page.words.messageLanguages)
        if let problem = await model.problem { throw problem }
        app.announced.finish()
    }
}

/// The state of this run's announcement: shown at most once.
final class AnnouncedOnce: Sendable {
    private let done = Mutex(false)

    /// True once a message was read or put off.
    var isDone: Bool { done.withLock { $0 } }

    /// Notes that a message was read or put off.
    func finish() { done.withLock { $0 = true } }
}

/// The values of a message's page.
struct AnnouncementView {
    struct Button {
        var action: String
        var title: String
    }

    struct Picture {
        var src: String
        var alt: String
        /// The size at which it is shown; `nil` for an unknown one.
        var size: PictureSize?
    }

    /// The context of `part_sheet`.
    struct Sheet {
        var picture: Picture?
        /// The page of the message, for a browser without script.
        var path: String
        var title: String
        var text: String
        var lang: String
        var `where`: String?
        var link: PageFrame.Link?
        var later: Button
    }

    var picture: Picture?
    var heading: String
    var text: String
    var lang: String
    var place: String?
    var link: PageFrame.Link?
    var isNew: Bool
    var path: String
    var laterTitle: String

    init(_ message: MessageScreen, _ words: StudyText) {
        let sheet = Sheet(message, words)
        (heading, text, lang) = (sheet.title, sheet.text, sheet.lang)
        picture = sheet.picture
        (place, link, path) = (sheet.where, sheet.link, sheet.path)
        (isNew, laterTitle) = (!message.isSeen, sheet.later.title)
    }
}

extension AnnouncementView.Sheet {
    init(_ message: MessageScreen, _ words: StudyText) {
        let announcement = message.announcement
        path = "/inbox/messages/\(message.id)"
        (title, text) = (announcement.text.title, announcement.text.content)
        lang = announcement.language
        if let bytes = message.picture, PictureType.name(of: bytes) != nil {
            let frame = PictureSizes.announcement
            picture = .init(
                src: "/inbox/messages/\(message.id)/picture",
                alt: announcement.text.imageLabel ?? "",
                size: PictureSize(bytes)?.fitted(width: frame.width, height: frame.height))
        }
        let titles = MessageText(message, words)
        later = .init(action: path, title: titles.later)
        `where` = titles.place
        link = titles.action.map { .init(href: "\(path)/open", title: $0) }
    }
}
