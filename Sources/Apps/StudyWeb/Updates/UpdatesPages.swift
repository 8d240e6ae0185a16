import Foundation
import Hummingbird
import PageRendering
import StudyModel
import Underway

/// The page of changes by the last update of the content.
struct UpdatesPages {
    let app: StudyWebApp

    func addRoutes(to router: Router<StudyContext>) {
        router.get("/updates", use: app.page(updates))
    }

    private func updates(_ page: PageRequest) async throws -> Response {
        let model = await UpdatesModel(page.services)
        await model.load()
        if let problem = await model.problem { throw problem }
        guard let screen = await model.screen else { throw HTTPError(.notFound) }
        return try await app.render(
            "updates", title: page.words["updates.title"], in: .inbox,
            UpdatesView(screen, page.formats), for: page)
    }
}

/// The values of that page.
struct UpdatesView {
    struct Text {
        /// The place of the text; `nil` for the question itself.
        var place: String?
        var runs: [TextRun]
    }

    struct Stem {
        var runs: [TextRun]
    }

    struct Change {
        var subject: String
        var mark: String
        var tone: String
        /// The question, where its own words did not change.
        var stem: Stem?
        var was: String?
        var isNow: String?
        var texts: [Text]
        /// The language of the question.
        var content: ContentLanguage
    }

    struct Group {
        var heading: String
        var changes: [Change]
    }

    struct Empty {
        var icon = "check"
        var title: String
        var text = ""
    }

    var lead: String
    var empty: Empty?
    var groups: [Group]
    var more: String?
    var removedWord: String
    var addedWord: String

    init(_ screen: UpdatesScreen, _ formats: StudyFormats) {
        let updates = UpdatesText(screen, formats)
        let words = formats.words
        (lead, more) = (updates.lead, updates.more)
        groups = updates.groups.map {
            Group(heading: $0.heading, changes: $0.changes.map { Change($0) })
        }
        empty = updates.empty.map { Empty(title: $0) }
        (removedWord, addedWord) = (words["updates.removedWords"], words["updates.addedWords"])
    }
}

extension UpdatesView.Change {
    init(_ change: UpdatesText.Change) {
        (subject, mark) = (change.subject, change.mark)
        content = ContentLanguage(change.language)
        tone =
            switch change.tone {
            case .care: "care"
            case .new: "new"
            case .right: "right"
            case .plain: ""
            }
        stem = change.stem.map { .init(runs: $0) }
        (was, isNow) = (change.was, change.isNow)
        texts = change.texts.map { .init(place: $0.place, runs: $0.runs) }
    }
}
