import Foundation
import Hummingbird
import PageRendering
import StudyModel
import Underway

/// The saved questions.
struct FavouritesPages {
    let app: StudyWebApp

    func addRoutes(to router: Router<StudyContext>) {
        router.get("/favourites", use: app.page(favourites))
        router.post("/favourites", use: app.page(change))
        router.post("/favourites/study", use: app.page(study))
    }

    private func favourites(_ page: PageRequest) async throws -> Response {
        let model = await FavouritesModel(page.services)
        await model.load()
        if let problem = await model.problem { throw problem }
        guard let screen = await model.screen else { throw HTTPError(.notFound) }
        return try await app.render(
            "favourites", title: page.words["favourites.title"], in: .library,
            FavouritesView(screen, page.formats), for: page)
    }

    /// Removes a question, or saves one again: the undo's value is the bank and the id.
    private func change(_ page: PageRequest) async throws -> Response {
        let model = await FavouritesModel(page.services)
        if let undo = page.form["undo"] {
            guard let removed = RemovedFavourite(undo) else { throw HTTPError(.badRequest) }
            await model.restore(Favourite(bank: removed.bank, note: removed.note), id: removed.id)
        } else if let id = page.form["remove"] {
            if let favourite = await model.remove(id: id) {
                showUndo(RemovedFavourite(favourite, id: id), page)
            }
        } else {
            throw HTTPError(.badRequest)
        }
        if let problem = await model.problem { throw problem }
        return .redirect(to: "/favourites")
    }

    private func showUndo(_ removed: RemovedFavourite, _ page: PageRequest) {
        app.toasts.show(
            .init(
                sentence: page.words["favourites.removed"],
                undo: .init(
                    action: "/favourites", title: page.words["app.undo"], value: removed.value)))
    }

    private func study(_ page: PageRequest) async throws -> Response {
        guard let bank = page.form["bank"].flatMap(QuestionFilter.Bank.init(name:)) else {
            throw HTTPError(.badRequest)
        }
        let model = await FavouritesModel(page.services)
        let session = await app.steps.run {
            await model.study(bank, ratesAnswers: page.isRating)
        }
        guard let session else { throw await model.problem ?? StudyProblem(.nothingToAsk) }
        return .redirect(to: "/session/\(session)")
    }
}

/// A removed favourite as one value of a form.
struct RemovedFavourite: Hashable {
    var bank: String
    var id: String
    var note: String?

    init(_ favourite: Favourite, id: String) {
        bank = favourite.bank
        self.id = id
        note = favourite.note
    }

    /// Reads a value; `nil` for one that names no bank.
    init?(_ value: String) {
        let parts = value.split(separator: " ", omittingEmptySubsequences: false)
            .map { $0.removingPercentEncoding ?? "" }
        guard parts.count == 3, QuestionFilter.Bank(name: parts[0]) != nil, !parts[1].isEmpty
        else { return nil }
        (bank, id) = (parts[0], parts[1])
        note = parts[2].isEmpty ? nil : parts[2]
    }

    /// Bank, id and note, encoded, with spaces between: browsers would change a line feed.
    var value: String {
        [bank, id, note ?? ""].map {
            $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        }.joined(separator: " ")
    }
}

/// The values of the saved questions.
struct FavouritesView {
    struct Row {
        var id: String
        var line: String
        /// The language of the question; `nil` for the words in place of one that is gone.
        var content: ContentLanguage?
        /// The name of the button that removes it.
        var label: String
    }

    struct Group {
        var bank: String
        var name: String
        var language: String?
        var questions: [Row]
        var canStudy: Bool
        var isFilled: Bool
        /// The name of the button that begins a session.
        var label: String
    }

    var groups: [Group]
    var isEmpty: Bool

    init(_ screen: FavouritesScreen, _ formats: StudyFormats) {
        let words = formats.words
        let isOnly = screen.groups.count { $0.askedCount > 0 } == 1
        groups = screen.groups.map { group in
            Group(
                bank: group.id, name: group.subject.title, language: group.subject.language,
                questions: group.rows.map { Row($0, group.subject.contentLanguage, words) },
                canStudy: group.askedCount > 0, isFilled: isOnly,
                label: words.text(
                    "favourites.studySubject", ["subject": group.subject.title]))
        }
        isEmpty = groups.isEmpty
    }
}

extension FavouritesView.Row {
    init(_ row: FavouritesScreen.Row, _ language: String?, _ words: StudyText) {
        id = row.id
        guard let question = row.question else {
            line = HTMLText.escaped(words["favourites.gone"])
            label = words.text("favourites.removeNamed", ["question": words["favourites.gone"]])
            return
        }
        line = RichTextHTML(words).lineHTML(of: question.richStem)
        content = ContentLanguage(language)
        label = words.text(
            "favourites.removeNamed", ["question": question.richStem.titleText])
    }
}
