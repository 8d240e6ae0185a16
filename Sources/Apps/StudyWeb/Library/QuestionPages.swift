import Foundation
import Hummingbird
import PageRendering
import StudyModel
import Underway

/// The questions of a subject outside of sessions, and the notes on them: `/notes` takes each note, and `/aside` sets
/// questions aside.
struct QuestionPages {
    let app: StudyWebApp

    func addRoutes(to router: Router<StudyContext>) {
        router.post("/notes", use: app.page(write))
        router.post("/aside", use: app.page(setAside))
    }

    // MARK: Addresses

    /// Returns the address of a page of questions.
    static func path(_ bank: String, _ query: QuestionQuery) -> String {
        var path = "/library/\(bank)?part=questions"
        if !query.search.isEmpty { path += "&q=" + query.search.addressPart }
        if query.filter != .all { path += "&show=" + query.filter.rawValue }
        if query.page > 1 { path += "&page=\(query.page)" }
        return path
    }

    /// Returns the address of a question.
    static func path(_ bank: String, question id: String) -> String {
        "/library/\(bank)?question=" + id.addressPart
    }

    // MARK: Pages

    func questions(_ bank: QuestionFilter.Bank, _ page: PageRequest) async throws -> Response {
        let model = await QuestionListModel(page.services, bank: bank)
        await model.load(
            QuestionQuery(
                search: page.query("q") ?? "",
                filter: page.query("show").flatMap(QuestionQuery.Filter.init) ?? .all,
                page: page.query("page").flatMap { Int($0) } ?? 1))
        if let problem = await model.problem { throw problem }
        guard let screen = await model.screen else { throw HTTPError(.notFound) }
        return try await app.render(
            "subject_questions", title: page.words["questions.title"], in: .library,
            QuestionListView(screen, page.formats), for: page)
    }

    func question(
        _ id: String, _ bank: QuestionFilter.Bank, _ page: PageRequest, typed: String? = nil
    ) async throws -> Response {
        let model = await QuestionModel(page.services, id: id, of: bank)
        await model.load()
        if let problem = await model.problem { throw problem }
        guard let screen = await model.screen else { throw HTTPError(.notFound) }
        let sizes = await PictureSizes(of: screen.images.values, page.services)
        let view = QuestionView(screen, page.formats, sizes: sizes, typed: typed)
        return try await app.render(
            "question", title: screen.question.richStem.titleText, in: .library, view, for: page,
            status: typed == nil ? .ok : .unprocessableContent, titleContent: view.content)
    }

    // MARK: Setting aside

    /// Sets a question aside or lets study ask it again, and leads back to where that was asked: the question, or a
    /// session.
    private func setAside(_ page: PageRequest) async throws -> Response {
        guard let bank = page.form["bank"].flatMap(QuestionFilter.Bank.init(name:)),
            let id = page.form["question"]
        else { throw HTTPError(.badRequest) }
        let question = await QuestionModel(page.services, id: id, of: bank)
        await question.load()
        if let problem = await question.problem { throw problem }
        let model = await SetAsideModel(page.services)
        await model.set(page.form["aside"] == "on", id, of: bank)
        if let problem = await model.problem { throw problem }
        app.toasts.show(
            .init(
                sentence: page.words[page.form["aside"] == "on" ? "aside.own" : "aside.asked"]))
        guard let session = page.form["session"],
            let number = page.form["number"].flatMap({ Int($0) })
        else { return .redirect(to: Self.path(bank.name, question: id)) }
        return .redirect(to: "/session/\(session.addressPart)/\(number)")
    }

    // MARK: Notes

    /// Writes a note and leads back to where it was written: the question, or the review of a session.
    private func write(_ page: PageRequest) async throws -> Response {
        if let undo = page.form["undo"] { return try await restore(undo, page) }
        guard let bank = page.form["bank"].flatMap(QuestionFilter.Bank.init(name:)),
            let id = page.form["question"], let typed = page.form["note"]
        else { throw HTTPError(.badRequest) }
        guard let note = QuestionNote(typed) else {
            return try await question(id, bank, page, typed: typed)
        }
        let question = await QuestionModel(page.services, id: id, of: bank)
        await question.load()
        if let problem = await question.problem { throw problem }
        let former = try await write(note, on: id, of: bank, page)
        if note.text.isEmpty, let former {
            let removed = RemovedFavourite(Favourite(bank: bank, note: former), id: id)
            app.toasts.show(
                .init(
                    sentence: page.words["questions.noteRemoved"],
                    undo: .init(
                        action: "/notes", title: page.words["app.undo"], value: removed.value)))
        }
        return .redirect(to: Self.place(page.form) ?? Self.path(bank.name, question: id))
    }

    private func restore(_ undo: String, _ page: PageRequest) async throws -> Response {
        guard let removed = RemovedFavourite(undo), let note = QuestionNote(removed.note ?? ""),
            let bank = QuestionFilter.Bank(name: removed.bank)
        else { throw HTTPError(.badRequest) }
        _ = try await write(note, on: removed.id, of: bank, page)
        return .redirect(to: Self.path(removed.bank, question: removed.id))
    }

    private func write(
        _ note: QuestionNote, on id: String, of bank: QuestionFilter.Bank, _ page: PageRequest
    ) async throws -> String? {
        let model = await NoteModel(page.services)
        let former = await app.steps.run { await model.write(note, on: id, of: bank) }
        if let problem = await model.problem { throw problem }
        return former
    }

    /// Returns the question's place in the review from which a form came; `nil` for another form.
    private static func place(_ form: FormFields) -> String? {
        guard let session = form["session"], let number = form["number"].flatMap({ Int($0) })
        else { return nil }
        return "/session/\(session.addressPart)/review#\(ReviewView.Row.place(number: number))"
    }
}
