import Foundation
import Hummingbird
import StudyModel
import Underway

/// What the last update of the content changed.
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
        var isChanged: Bool
        /// The question, where its own words did not change.
        var stem: Stem?
        var was: String?
        var isNow: String?
        var texts: [Text]
        var lang: String?
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
        let words = formats.words
        lead =
            screen.installedAt.map {
                formats.sentence("freshness.updated", $0, now: screen.now)
            } ?? words["freshness.empty"]
        groups = [("updates.seen", screen.seen), ("updates.others", screen.others)]
            .filter { !$0.1.isEmpty }
            .map { key, changes in
                Group(heading: words[key], changes: changes.map { Change($0, words) })
            }
        let hidden = screen.othersCount - screen.others.count
        more = hidden > 0 ? words.count("updates.more", hidden) : nil
        if groups.isEmpty {
            empty = Empty(title: words[screen.isCompared ? "updates.none" : "updates.noFormer"])
        }
        (removedWord, addedWord) = (words["updates.removedWords"], words["updates.addedWords"])
    }
}

extension UpdatesView.Change {
    init(_ change: UpdatesScreen.Change, _ words: StudyWords) {
        subject = change.subject.title
        lang = change.subject.language
        isChanged = change.kind == .changed
        switch change.kind {
        case .added: (mark, tone) = (words["updates.added"], "right")
        case .removed: (mark, tone) = (words["updates.removed"], "")
        case .changed where change.formerKey != nil:
            (mark, tone) = (words["updates.keyChanged"], "care")
        case .changed: (mark, tone) = (words["updates.textChanged"], "new")
        }
        was = change.formerKey.map { words.text("updates.was", ["text": TextRun.plain($0)]) }
        isNow = change.presentKey.map { words.text("updates.isNow", ["text": TextRun.plain($0)]) }
        let isStemChanged = change.texts.contains { $0.place == .question }
        stem = isStemChanged ? nil : .init(runs: TextRun.runs(of: change.question.stem))
        texts = change.texts.map { text in
            UpdatesView.Text(
                place: text.place.key.map { words[$0] },
                runs: text.difference.runs.map { TextRun($0) })
        }
    }
}

extension UpdatesScreen.Change.Text.Place {
    /// The key of its name; the question itself needs none.
    fileprivate var key: String? {
        switch self {
        case .question: nil
        case .code: "session.code"
        case .option: "session.options"
        case .explanation: "session.why"
        }
    }
}

extension TextRun {
    fileprivate init(_ run: WordDifference.Run) {
        self.init(
            words: run.text, isRemoved: run.kind == .removed, isAdded: run.kind == .added)
    }
}
