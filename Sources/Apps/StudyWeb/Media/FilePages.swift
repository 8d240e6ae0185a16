import Hummingbird
import PageRendering
import StudyModel
import Synchronization
import Underway

/// The fetches of subjects' audio and pictures, which outlive the requests that begin them.
final class FileFetches: Sendable {
    private let models = Mutex<[String: SubjectFilesModel]>([:])

    /// Returns the model of a subject's files, the same for all requests.
    func model(_ services: StudyServices, _ bank: QuestionFilter.Bank) -> SubjectFilesModel {
        models.withLock { models in
            if let model = models[bank.name] { return model }
            let model = SubjectFilesModel(services, bank: bank)
            models[bank.name] = model
            return model
        }
    }

    /// Returns the name of a fetch among the app's background work.
    static func workName(_ bank: QuestionFilter.Bank) -> String { "files \(bank.name)" }
}

/// The forms that fetch the audio of a language or the pictures of an exam: `POST /library/<subject>/files`.
struct FilePages {
    let app: StudyWebApp

    func addRoutes(to router: Router<StudyContext>) {
        router.post(
            "/library/:name/files",
            use: app.page { page in
                try await step(page, of: try page.part("name"))
            })
        router.post(
            "/library/:name/:exam/files",
            use: app.page { page in
                try await step(page, of: try page.part("name") + "/" + page.part("exam"))
            })
    }

    /// Begins or cancels a fetch, and goes back at once.
    private func step(_ page: PageRequest, of name: String) async throws -> Response {
        guard let bank = QuestionFilter.Bank(name: name),
            try await page.services.content.perform({ try $0.manifest().value.hasFiles(of: bank) })
        else { throw HTTPError(.notFound) }
        let work = FileFetches.workName(bank)
        if page.form["step"] == "cancel" {
            app.work.cancel(work)
        } else {
            let model = app.files.model(page.services, bank)
            app.work.start(work) { await model.fetch() }
        }
        return .redirect(to: "/library/\(bank.name)")
    }
}

extension Manifest {
    /// Returns true when a language has audio, or an exam pictures.
    fileprivate func hasFiles(of bank: QuestionFilter.Bank) -> Bool {
        switch bank {
        case .placement(let language): languages[language]?.audio != nil
        case .exam: exams[bank.name]?.media != nil
        }
    }
}

/// The values of a subject's audio or pictures.
struct FilesView {
    struct Progress {
        var value: Int
        var max: Int
    }

    var heading: String
    var action: String
    var state: String
    var problem: String?
    var progress: Progress?
    /// The title of the button that fetches; `nil` where there is nothing to fetch, or no server.
    var fetch: String?
    /// The reason for which nothing can be fetched; `nil` where it can.
    var whyNot: String?
    /// The sounds that can be played, without a connection too.
    var clips: ClipList?

    init(
        _ files: SubjectFiles, firstClip: Int = 0, isFetching: Bool, hasProblem: Bool,
        canFetch: Bool,
        _ formats: StudyFormats
    ) {
        let words = formats.words
        heading = words[files.headingKey]
        clips = ClipList(files, from: firstClip, words)
        action = "/library/\(files.subject.id)/files"
        state = files.stateSentence(formats, isFetching: isFetching)
        if isFetching {
            progress = Progress(value: files.fetchedBytes, max: max(1, files.bytes))
            return
        }
        guard !files.isComplete else { return }
        if hasProblem {
            problem = words[files.failedKey]
        }
        guard canFetch else {
            whyNot = words["subject.filesNoServer"]
            return
        }
        fetch = words[hasProblem ? "app.tryAgain" : files.getKey]
    }

    /// Reads the files of a subject; `nil` for one without any.
    static func reading(_ bank: QuestionFilter.Bank, _ page: PageRequest) async -> FilesView? {
        let model = page.app.files.model(page.services, bank)
        await model.load()
        guard let files = await model.files else { return nil }
        return FilesView(
            files, firstClip: page.query("clips").flatMap { Int($0) } ?? 0,
            isFetching: page.app.work.isRunning(FileFetches.workName(bank)),
            hasProblem: await model.problem != nil, canFetch: page.services.sync != nil,
            page.formats)
    }
}
