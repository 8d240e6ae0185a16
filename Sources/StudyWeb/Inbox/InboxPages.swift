import Foundation
import Hummingbird
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
        var details: String
        var when: String
    }

    struct Change {
        var client: String
        var counter: String
        var heading: String
        var details: String
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
        let words = formats.words
        empty =
            screen.isEmpty
            ? Empty(
                title: screen.isInSync
                    ? words["inbox.empty"] : words.count("settings.unsent", screen.unsentCount),
                text: words["inbox.emptyHint"]) : nil
        choices = screen.choices.map { choice in
            Choice(
                path: ConflictPages.path(of: choice.key),
                heading: words.text("inbox.conflict", ["thing": words.thing(choice.topic)]),
                details: words.details(choice.topic),
                when: formats.relative(choice.changedAt, now: screen.now))
        }
        refused = screen.refused.map { change in
            Change(
                change.id, change.topic, "inbox.rejected",
                words.text("inbox.rejectedWhy", ["reason": words.reason(change.reason)]), words)
        }
        replaced = screen.replaced.map { notice in
            Change(
                notice.id, notice.topic, "inbox.replaced",
                formats.relative(notice.changedAt, now: screen.now), words)
        }
        messages = screen.messages.map { message in
            Message(
                path: "/inbox/messages/\(message.id)", heading: message.title,
                lang: message.language,
                note: message.seenAt.map {
                    "\(formats.date($0, now: screen.now)) · \(words["inbox.read"])"
                } ?? "")
        }
        (hasChoices, hasRefused) = (!choices.isEmpty, !refused.isEmpty)
        (hasReplaced, hasMessages) = (!replaced.isEmpty, !messages.isEmpty)
    }
}

extension InboxView.Change {
    init(
        _ id: OperationID, _ topic: RecordTopic, _ key: String, _ reason: String,
        _ words: StudyWords
    ) {
        (client, counter) = (id.client.text, String(id.counter))
        heading = words.text(key, ["thing": words.thing(topic)])
        (details, self.reason) = (words.details(topic), reason)
        let thing = ["thing": "\(words.thing(topic)), \(words.details(topic))"]
        againName = words.text("inbox.sendAgainNamed", thing)
        dismissName = words.text("inbox.dismissNamed", thing)
    }
}
