import Hummingbird
import PageRendering
import StudyModel
import Underway

/// The library and the pages of subjects: `/library/<language>` and `/library/<region>/<exam>`.
struct LibraryPages {
    let app: StudyWebApp

    func addRoutes(to router: Router<StudyContext>) {
        router.get("/library", use: app.page(library))
        router.get(
            "/library/:name",
            use: app.page { page in
                try await subject(try page.part("name"), page)
            })
        router.get(
            "/library/:name/:exam",
            use: app.page { page in
                try await subject(try page.part("name") + "/" + page.part("exam"), page)
            })
        router.post("/library/study", use: app.page(study))
    }

    private func library(_ page: PageRequest) async throws -> Response {
        let model = await LibraryModel(page.services)
        await model.load(search: page.query("q") ?? "", language: page.words.language)
        if let problem = await model.problem { throw problem }
        guard let screen = await model.screen else { throw HTTPError(.notFound) }
        return try await app.render(
            "library", title: page.words["library.title"], in: .library,
            LibraryView(screen, page.formats), for: page)
    }

    /// Returns a page of a subject: its own, its sessions, its questions, or one of these, as the query names it.
    private func subject(_ name: String, _ page: PageRequest) async throws -> Response {
        guard let bank = QuestionFilter.Bank(name: name) else { throw HTTPError(.notFound) }
        if let id = page.query("question") {
            return try await QuestionPages(app: app).question(id, bank, page)
        }
        switch page.query("part") {
        case "sessions": return try await sessions(bank, page)
        case "questions": return try await QuestionPages(app: app).questions(bank, page)
        default: return try await overview(bank, page)
        }
    }

    private func overview(_ bank: QuestionFilter.Bank, _ page: PageRequest) async throws -> Response
    {
        let model = await SubjectModel(page.services, bank: bank)
        await model.load()
        if let problem = await model.problem { throw problem }
        guard let screen = await model.screen else { throw HTTPError(.notFound) }
        var view = SubjectView(screen, page.formats)
        view.hasBoards = page.services.sendsUserData
        view.offlineFiles = await FilesView.reading(bank, page)
        return try await app.render(
            "subject", title: screen.subject.title, in: .library, view, for: page)
    }

    private func sessions(_ bank: QuestionFilter.Bank, _ page: PageRequest) async throws -> Response
    {
        let model = await SessionListModel(page.services, bank: bank)
        await model.load(page: page.query("page").flatMap { Int($0) } ?? 1)
        if let problem = await model.problem { throw problem }
        guard let screen = await model.screen else { throw HTTPError(.notFound) }
        return try await app.render(
            "subject_sessions", title: page.words["subject.sessions"], in: .library,
            SessionListView(screen, page), for: page)
    }

    /// Begins a session of a topic.
    private func study(_ page: PageRequest) async throws -> Response {
        guard let bank = page.form["bank"].flatMap(QuestionFilter.Bank.init(name:)),
            let topic = page.form["topic"].flatMap(QuestionTopic.init(name:))
        else { throw HTTPError(.badRequest) }
        let model = await SubjectModel(page.services, bank: bank)
        let session = await app.steps.run {
            await model.begin(topic, ratesAnswers: page.isRating)
        }
        guard let session else { throw await model.problem ?? StudyProblem(.nothingToAsk) }
        return .redirect(to: "/session/\(session)")
    }
}

/// The values of the library.
struct LibraryView {
    struct Row {
        var path: String
        var name: String
        var language: String?
        var details: String
    }

    var search: String
    var exams: [Row]
    var hasExams: Bool
    var languages: [Row]
    var hasLanguages: Bool
    var isEmpty: Bool
    var emptyText: String

    init(_ screen: LibraryScreen, _ formats: StudyFormats) {
        let words = formats.words
        search = screen.search
        exams = screen.exams.map { Row($0, formats) }
        languages = screen.languages.map { Row($0, formats) }
        (hasExams, hasLanguages) = (!exams.isEmpty, !languages.isEmpty)
        isEmpty = exams.isEmpty && languages.isEmpty
        emptyText =
            screen.search.isEmpty
            ? words["library.empty"] : words.text("library.nothingFound", ["query": search])
    }
}

extension LibraryView.Row {
    init(_ row: LibraryScreen.Row, _ formats: StudyFormats) {
        let words = formats.words
        path = "/library/\(row.subject.id)"
        name = row.subject.title
        language = row.subject.language
        var parts: [String] = []
        if let region = row.subject.region { parts.append(formats.region(region)) }
        if let count = row.questionCount { parts.append(words.count("library.questions", count)) }
        if row.subject.language != nil, !row.isStarted {
            parts.append(words["library.notStarted"])
        }
        if let bytes = row.fileBytes, row.subject.language != nil {
            parts.append(
                row.hasFiles
                    ? words["library.audioOnDevice"]
                    : words.text("library.audioSize", ["size": formats.bytes(bytes)]))
        }
        details = parts.joined(separator: " · ")
    }
}
