import Foundation
import Hummingbird
import PageRendering
import StudyModel
import Underway

/// A live event: its places, and the rounds that the learner sends.
struct EventPages {
    let app: StudyWebApp

    func addRoutes(to router: Router<StudyContext>) {
        router.get("/events/{name}", use: app.page(event))
        router.post("/events/{name}", use: app.page(send))
    }

    private func event(_ page: PageRequest) async throws -> Response {
        try await shown(EventModel(page.services, id: try page.part("name")), page)
    }

    private func send(_ page: PageRequest) async throws -> Response {
        let model = await EventModel(page.services, id: try page.part("name"))
        await app.accountSteps.run { await model.send(page.form["round"] ?? "") }
        guard let outcome = await model.outcome, outcome.isCounted else {
            return try await shown(model, page)
        }
        app.toasts.show(.init(sentence: outcome.sentence(page.formats)))
        return .redirect(to: EventView.path(model.id))
    }

    private func shown(_ model: EventModel, _ page: PageRequest) async throws -> Response {
        await model.load()
        if let problem = await model.problem { throw problem }
        guard let screen = await model.screen else { throw HTTPError(.notFound) }
        let outcome = await model.outcome
        let view = EventView(screen, outcome, page.formats)
        return try await app.render(
            "event", title: view.heading, in: .progress, view, for: page,
            status: outcome != nil
                ? .unprocessableContent : screen.obstacle == .missing ? .notFound : .ok,
            isPart: page.query("part") != nil)
    }
}

/// The values of an event's page.
struct EventView {
    struct Step {
        /// The address of the open session; `nil` for a step that begins one.
        var href: String?
        var title: String
        var isFilled: Bool
    }

    struct Round {
        var id: String
        var sentence: String
        var send: String?
        var sendName: String
        var counted: String?
        var isFilled: Bool
    }

    /// The title of the page.
    var heading: String
    var path: String
    /// The address at which a script looks for newer places; empty when none will come.
    var livePath: String
    var stateName: String
    var lead: String?
    var standing: StandingView?
    /// The reason why a round does not count; `nil` without an attempt.
    var problem: String?
    var hasEvent: Bool
    var clock: String
    var state: String?
    var noPoints: String?
    var figures: [EventText.Figure]
    var hasFigures: Bool
    var range: String
    var rows: [PlaceText]
    var hasRows: Bool
    var asOf: String?
    var spoken: String
    var isLive: Bool
    var rule: String
    var hasRule: Bool
    var noSubject: String?
    var bank: String
    var step: Step?
    var rounds: [Round]
    var hasRounds: Bool

    init(_ screen: EventScreen, _ outcome: RoundOutcome?, _ formats: StudyFormats) {
        let text = EventText(screen, formats)
        heading = text.title
        path = Self.path(screen.id)
        isLive = screen.isLive
        livePath = isLive ? path + "?part=1" : ""
        stateName = screen.state?.rawValue ?? ""
        lead = text.lead.isEmpty ? nil : text.lead
        standing = StandingView(screen.obstacle, text.notice, at: path, formats.words)
        problem = outcome?.sentence(formats)
        hasEvent = screen.event != nil
        (clock, state, noPoints) = (text.clock, text.state, text.noPoints)
        (figures, hasFigures) = (text.figures, !text.figures.isEmpty)
        (range, rows, hasRows) = (text.range ?? "", text.rows, !text.rows.isEmpty)
        (asOf, spoken) = (text.asOf, text.spoken)
        (rule, hasRule) = (text.rule ?? "", text.rule != nil)
        (noSubject, bank) = (text.noSubject, screen.event?.bank ?? "")
        let unsent = text.rounds.first { $0.send != nil }?.id
        step = text.step.map { title in
            Step(href: screen.step?.session, title: title, isFilled: unsent == nil)
        }
        rounds = text.rounds.map { round in
            Round(
                id: round.id, sentence: round.sentence, send: round.send,
                sendName: round.sendName, counted: round.counted, isFilled: round.id == unsent)
        }
        hasRounds = !rounds.isEmpty
    }

    /// Returns the address of an event.
    static func path(_ id: String) -> String { "/events/" + id.addressPart }
}

extension EventScreen.Step {
    /// The address of the open session; `nil` for a step that begins one.
    fileprivate var session: String? {
        switch self {
        case .begin: nil
        case .resume(let id), .finishFirst(let id): "/session/\(id)"
        }
    }
}
