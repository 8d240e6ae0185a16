import Foundation
import Hummingbird
import PageRendering
import StudyModel
import Underway

/// The settings: sync, storage, study, appearance, language, account.
struct SettingsPages {
    let app: StudyWebApp

    func addRoutes(to router: Router<StudyContext>) {
        router.get("/settings", use: app.page(settings))
        router.post("/settings", use: app.page(change))
        router.post("/settings/files", use: app.page(removeFiles))
    }

    private func settings(_ page: PageRequest) async throws -> Response {
        let model = await SettingsModel(page.services)
        await model.load()
        if let problem = await model.problem { throw problem }
        guard let screen = await model.screen else { throw HTTPError(.notFound) }
        var view = SettingsView(
            screen, page.formats, isSyncing: app.work.isRunning(SyncPages.workName))
        view.consent = await ConsentView.choice(page)
        return try await app.render(
            "settings", title: page.words["settings.title"], in: .settings, view, for: page)
    }

    private func change(_ page: PageRequest) async throws -> Response {
        let form = page.form
        guard let theme = form["theme"].flatMap(StudySettings.Theme.init(rawValue:)),
            let language = form["language"],
            language.isEmpty || StudyText.languages.contains(where: { $0.code == language })
        else { throw HTTPError(.badRequest) }
        let model = await SettingsModel(page.services)
        await model.change { settings in
            settings.theme = theme
            settings.language = language.isEmpty ? nil : language
            settings.ratesAnswers = form["rates"] == "on"
            settings.usesKeys = form["keys"] == "on"
        }
        if let problem = await model.problem { throw problem }
        // The next page speaks the new language.
        let words = language.isEmpty ? page.words : StudyText(language: language)
        app.toasts.show(.init(sentence: words["settings.changed"]))
        return .redirect(to: "/settings")
    }

    private func removeFiles(_ page: PageRequest) async throws -> Response {
        guard let bank = page.form["bank"].flatMap(QuestionFilter.Bank.init(name:)) else {
            throw HTTPError(.badRequest)
        }
        let model = SubjectFilesModel(page.services, bank: bank)
        await model.remove()
        if let problem = await model.problem { throw problem }
        if let files = await model.files {
            app.toasts.show(.init(sentence: files.removedSentence(page.words)))
        }
        return .redirect(to: "/settings")
    }
}

/// The values of the settings.
struct SettingsView {
    struct Sync {
        var state: String
        var isSyncing: Bool
    }

    struct Stored {
        var bank: String
        var name: String
        var language: String?
        var details: String
        /// The button's name for a screen reader.
        var label: String
    }

    struct Choice {
        var value: String
        var name: String
        var language: String?
        var isChosen: Bool
    }

    var sync: Sync?
    var storage: [Stored]
    var hasStorage: Bool
    var storageHint: String
    var isRating: Bool
    var isUsingKeys: Bool
    var themes: [Choice]
    var languages: [Choice]
    var account: String?
    /// The switch of the consent; `nil` without a server.
    var consent: ConsentView?

    init(_ screen: SettingsScreen, _ formats: StudyFormats, isSyncing: Bool) {
        let words = formats.words
        sync = screen.sync.map {
            Sync(
                state: $0.sentence(now: screen.now, formats, isStarting: isSyncing),
                isSyncing: isSyncing || $0.isRunning)
        }
        storage = screen.storage.map { Stored($0, formats) }
        hasStorage = !screen.storage.isEmpty
        storageHint = words[screen.storageHintKey]
        isRating = screen.settings.ratesAnswers
        isUsingKeys = screen.settings.usesKeys
        themes = StudySettings.Theme.allCases.map { theme in
            Choice(
                value: theme.rawValue, name: theme.name(words),
                isChosen: theme == screen.settings.theme)
        }
        languages =
            [
                Choice(
                    value: "", name: words["settings.languageSystem"],
                    isChosen: screen.settings.language == nil)
            ]
            + StudyText.languages.map { language in
                Choice(
                    value: language.code, name: language.name, language: language.code,
                    isChosen: language.code == screen.settings.language)
            }
        account = screen.identity?.sentence(words)
    }
}

extension SettingsView.Stored {
    init(_ files: SubjectFiles, _ formats: StudyFormats) {
        bank = files.subject.id
        name = files.subject.title
        language = files.subject.language
        details = files.storedSentence(formats)
        label = files.removeName(formats.words)
    }
}
