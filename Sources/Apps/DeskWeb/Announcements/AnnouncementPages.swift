import Accounts
import ContentModel
import ContentServer
import Foundation
import HTTPTypes
import Hummingbird
import PageRendering
import Publishing

/// The messages to users: the list, one with all its languages side by side, and a new one.
struct AnnouncementPages {
    let app: DeskApp

    private static let access = DeskAccess.roles([.author])
    private static let path = DeskSection.announcements.path

    var routes: [DeskRoute] {
        [
            .get("/announcements", Self.access, list),
            .get("/announcements/new", Self.access, new),
            .post("/announcements", Self.access, create),
            .get("/announcements/:number", Self.access, show),
            .post("/announcements/:number", Self.access, save),
        ]
    }

    // MARK: List

    private struct ListView {
        var query: String
        var states: [EditView.Choice]
        var rows: [AnnouncementRow]
        var hasRows: Bool
        var count: String
        var empty: String
        var path = AnnouncementPages.path
    }

    /// The most rows of the list.
    private static let rowsMax = 200

    private func list(_ page: DeskRequest) async throws -> Response {
        let query = page.query("q") ?? ""
        let state = page.query("state").flatMap(AnnouncementRow.State.init(rawValue:))
        let all = try await rows(page)
        let shown = all.filter {
            (state == nil || $0.state == state) && (query.isEmpty || $0.contains(query))
        }
        let view = ListView(
            query: query,
            states: [.init(value: "", title: "All", isChosen: state == nil)]
                + AnnouncementRow.State.allCases.map {
                    .init(value: $0.rawValue, title: $0.title, isChosen: $0 == state)
                },
            rows: Array(shown.prefix(Self.rowsMax)), hasRows: !shown.isEmpty,
            count: "\(min(shown.count, Self.rowsMax)) of \(all.count)",
            empty: all.isEmpty ? "There is no announcement yet." : "None is like this.")
        return try app.render(
            "desk_announcements", title: "Announcements", in: .announcements, view, for: page)
    }

    private func rows(_ page: DeskRequest) async throws -> [AnnouncementRow] {
        let options = app.options
        let now = Date(timeIntervalSince1970: Double(page.now / 1000)).formatted(.iso8601)
        return try await app.gate.run {
            let editor = try ContentEditor(folder: options.content)
            let problems = Dictionary(
                grouping: try editor.problems(of: .announcements), by: \.file)
            let wanted = editor.announcementLanguages
            return try editor.files(of: .announcements).map { file in
                let report = DecodingReport(file: file.path, strictness: .authored)
                let value = SourceDocument.parse(try editor.bytes(of: file), report: report)?.value
                return AnnouncementRow(
                    file: file.path, value, problems[file.path] ?? [], wanted: wanted, now: now)
            }.sorted { $0.precedes($1) }
        }
    }

    // MARK: New

    private struct NewView {
        var types: [EditView.Choice]
        var heading: String
        var problem: String?
        var path = AnnouncementPages.path
    }

    private func new(_ page: DeskRequest) async throws -> Response {
        try newPage(page, type: .information, heading: "")
    }

    private func newPage(
        _ page: DeskRequest, type: AnnouncementType?, heading: String, problem: String? = nil
    ) throws -> Response {
        let view = NewView(
            types: AnnouncementType.allCases.map {
                .init(value: $0.rawValue, title: $0.words, isChosen: $0 == type)
            }, heading: heading, problem: problem)
        return try app.render(
            "desk_announcement_new", title: "New announcement", in: .announcements, view,
            for: page, status: problem == nil ? .ok : .unprocessableContent)
    }

    private func create(_ page: DeskRequest) async throws -> Response {
        let user = try page.signedIn()
        let heading = page.form["title"] ?? ""
        guard let type = page.form["type"].flatMap(AnnouncementType.init(rawValue:)) else {
            return try newPage(
                page, type: nil, heading: heading, problem: "Choose what it is about.")
        }
        let edit = FolderEdit(options: app.options, name: user.name)
        let file = try await app.gate.run { () throws -> String in
            var draft = AnnouncementDraft(type)
            draft.title = heading
            let file = try draft.write(to: edit.options.content).path
            try edit.commit([file], "Draft announcement \(Self.number(file))")
            return file
        }
        app.toasts.show("\(file) is written. What is blank is to be filled in.", to: user)
        return .redirect(to: "\(Self.path)/\(Self.number(file))")
    }

    /// Returns the identifier in the name of a new file: `announcements/7-website.yaml`.
    private static func number(_ file: String) -> String {
        String(file.dropFirst("announcements/".count).prefix { $0.isNumber })
    }

    // MARK: One

    private func show(_ page: DeskRequest) async throws -> Response {
        let number = Int(try page.number("number"))
        let options = app.options
        let (read, wanted) = try await app.gate.run {
            (
                try FolderEdit.read(.announcement(number), options),
                try ContentEditor(folder: options.content).announcementLanguages
            )
        }
        return try self.page(page, number, read.part, wanted, read.problems, read.places)
    }

    private func page(
        _ page: DeskRequest, _ number: Int, _ part: ContentPart, _ wanted: [String],
        _ problems: [Problem] = [], _ places: DocumentPlaces? = nil, isSent: Bool = false,
        refused: EditProblem? = nil
    ) throws -> Response {
        let value = part.value ?? .object([:])
        let form = AnnouncementForm(value, wanted: wanted, typed: isSent ? page.form : nil)
        let typed = isSent ? form.form.typed(page.form) : [:]
        let isConflict = isSent && refused == nil
        let view = AnnouncementView(
            number: number, file: part.file, checksum: Checksum(of: part.fileBytes).hex,
            form: form,
            view: EditView(
                form.form, value, typed: typed, problems: problems, places: places,
                refused: refused),
            conflict: isConflict ? form.form.conflict(typed, value) : nil,
            isOutdated: isConflict,
            preview: AnnouncementPreview(
                value, language: page.query("preview") ?? wanted.first ?? "en", number: number))
        return try app.render(
            "desk_announcement", title: "Announcement \(number)", in: .announcements, view,
            for: page,
            status: refused != nil ? .unprocessableContent : isConflict ? .conflict : .ok)
    }

    private func save(_ page: DeskRequest) async throws -> Response {
        let user = try page.signedIn()
        let number = Int(try page.number("number"))
        let here = "\(Self.path)/\(number)"
        if page.form["decision"] == "server" { return .redirect(to: here) }
        let (options, sent) = (app.options, page.form)
        let edit = FolderEdit(options: options, name: user.name)
        let wanted = try await app.gate.run {
            try ContentEditor(folder: options.content).announcementLanguages
        }
        do {
            let outcome = try await app.gate.run {
                try edit.save(
                    .announcement(number), shown: sent["shown"],
                    subject: "Edit announcement \(number)"
                ) { value in
                    let form = AnnouncementForm(value, wanted: wanted, typed: sent)
                    return try form.value(
                        form.form.typed(sent), adding: sent["add"].map(Self.word), in: value)
                }
            }
            if case .conflict(let part) = outcome {
                return try self.page(page, number, part, wanted, isSent: true)
            }
            app.toasts.show(outcome.sentence ?? "", to: user)
            return .redirect(to: here)
        } catch let refused as EditProblem {
            let part = try await app.gate.run {
                try ContentEditor(folder: options.content).read(.announcement(number))
            }
            return try self.page(page, number, part, wanted, isSent: true, refused: refused)
        }
    }

    private static func word(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

extension AnnouncementType {
    /// The type in words.
    var words: String {
        switch self {
        case .information: "Information, to be read only"
        case .website: "A web page to open"
        case .newVersion: "A new version of the app"
        case .email: "A mail to write"
        case .purchase: "A subscription"
        }
    }
}
