import Foundation
import Hummingbird
import PageRendering
import StudyModel
import Underway

/// The inbox: what waits for a decision, notices and messages.
struct InboxPages {
    let app: StudyWebApp

    func addRoutes(to router: Router<StudyContext>) {
        router.get("/inbox", use: app.page(inbox))
        router.post("/inbox/again", use: app.page(sendAgain))
        router.post("/inbox/dismiss", use: app.page(dismiss))
    }

    private func inbox(_ page: PageRequest) async throws -> Response {
        let model = await InboxModel(page.services)
        await model.load(languages: page.words.messageLanguages)
        if let problem = await model.problem { throw problem }
        guard let screen = await model.screen else { throw HTTPError(.notFound) }
        return try await app.render(
            "inbox", title: page.words["inbox.title"], in: .inbox, InboxView(screen, page.formats),
            for: page)
    }

    private func sendAgain(_ page: PageRequest) async throws -> Response {
        let model = await InboxModel(page.services)
        await model.sendAgain(try operation(page))
        if let problem = await model.problem { throw problem }
        app.toasts.show(.init(sentence: page.words["inbox.sendingAgain"]))
        return .redirect(to: "/inbox")
    }

    private func dismiss(_ page: PageRequest) async throws -> Response {
        let model = await InboxModel(page.services)
        await model.dismiss(try operation(page))
        if let problem = await model.problem { throw problem }
        return .redirect(to: "/inbox")
    }

    private func operation(_ page: PageRequest) throws -> OperationID {
        guard let client = page.form["client"],
            let counter = page.form["counter"].flatMap(UInt64.init)
        else { throw StudyProblem(.notFound) }
        return OperationID(client: ClientID(client), counter: counter)
    }
}

/// The values of the inbox.
struct InboxView {
    struct Choice {
        var path: String
        var heading: String
        var details: String?
        var when: String
    }

    struct Change {
        var client: String
        var counter: String
        var heading: String
        var details: String?
        var reason: String
        var againName: String
        var dismissName: String
    }

    struct Message {
        var path: String
        var heading: String
        var lang: String
        var note: String
    }

    struct Empty {
        var icon = "check"
        var title: String
        var text: String
    }

    var empty: Empty?
    var choices: [Choice]
    var hasChoices: Bool
    var refused: [Change]
    var hasRefused: Bool
    var replaced: [Change]
    var hasReplaced: Bool
    var messages: [Message]
    var hasMessages: Bool

    init(_ screen: InboxScreen, _ formats: StudyFormats) {
        let inbox = InboxText(screen, formats)
        empty = inbox.empty.map { Empty(title: $0, text: formats.words["inbox.emptyHint"]) }
        choices = inbox.choices.map {
            Choice(
                path: ConflictPages.path(of: $0.key), heading: $0.heading,
                details: $0.details.isEmpty ? nil : $0.details,
                when: $0.when)
        }
        refused = inbox.refused.map { Change($0) }
        replaced = inbox.replaced.map { Change($0) }
        messages = inbox.messages.map {
            Message(
                path: "/inbox/messages/\($0.id)", heading: $0.heading, lang: $0.language,
                note: $0.note)
        }
        (hasChoices, hasRefused) = (!choices.isEmpty, !refused.isEmpty)
        (hasReplaced, hasMessages) = (!replaced.isEmpty, !messages.isEmpty)
    }
}

extension InboxView.Change {
    init(_ change: InboxText.Change) {
        (client, counter) = (change.id.client.text, String(change.id.counter))
        (heading, reason) = (change.heading, change.reason)
        details = change.details.isEmpty ? nil : change.details
        (againName, dismissName) = (change.againName, change.dismissName)
    }
}
