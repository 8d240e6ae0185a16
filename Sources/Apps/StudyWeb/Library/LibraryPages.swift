import Hummingbird
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

    private func subject(_ name: String, _ page: PageRequest) async throws -> Response {
        guard let bank = QuestionFilter.Bank(name: name) else { throw HTTPError(.notFound) }
        let model = await SubjectModel(page.services, bank: bank)
        await model.load()
        if let problem = await model.problem { throw problem }
        guard let screen = await model.screen else { throw HTTPError(.notFound) }
        var view = SubjectView(screen, page.formats)
        view.offlineFiles = await FilesView.reading(bank, page)
        return try await app.render(
            "subject", title: screen.subject.title, in: .library, view, for: page)
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

/// The values of a subject's page.
struct SubjectView {
    var bank: String
    var language: String?
    var level: String?
    var hasPlacement: Bool
    var placementHint: String
    var isPlacementFilled: Bool
    var isStudyFilled: Bool
    /// The session to continue: it comes before all else.
    var open: PageFrame.Link?
    var canStudy: Bool
    /// The sentence in place of a button, when nothing is due.
    var doneText: String?
    var studyAction: String
    var newLimit: String?
    var canSimulate: Bool
    var simulation: String
    var questions: String
    var offlineFiles: FilesView?

    init(_ screen: SubjectScreen, _ formats: StudyFormats) {
        let words = formats.words
        bank = screen.subject.id
        language = screen.subject.language
        questions = words.count("library.questions", screen.questionCount)
        level = screen.placement?.level.map { level in
            words.text(
                "subject.yourLevel",
                [
                    "level": level, "low": screen.placement?.likelyLevels.first ?? level,
                    "high": screen.placement?.likelyLevels.last ?? level,
                ])
        }
        hasPlacement = screen.hasPlacement && screen.openSessions[.placement] == nil
        placementHint = words.count(
            "subject.placementHint", screen.placementQuestionCount,
            ["duration": formats.about(.seconds(screen.placementSeconds))])
        let openID =
            screen.openSessions[.exam] ?? screen.openSessions[.placement]
            ?? screen.openSessions[.study]
        open = openID.map { .init(href: "/session/\($0)", title: words["today.continue"]) }
        canStudy = screen.dueCount > 0 && screen.openSessions[.study] == nil
        doneText = screen.dueCount == 0 && open == nil ? words["today.done"] : nil
        studyAction = words.text("today.study", ["number": formats.number(screen.dueCount)])
        newLimit = screen.newLimit(words)
        isStudyFilled = open == nil && (!screen.hasPlacement || screen.placement?.level != nil)
        isPlacementFilled = open == nil && !isStudyFilled
        canSimulate = !screen.hasPlacement
        simulation = screen.simulationSentence(formats)
    }
}
