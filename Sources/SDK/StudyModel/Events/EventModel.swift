import Foundation
public import Observation
import Underway

/// The model of one live event.
@MainActor @Observable
public final class EventModel {
    /// The pause between two looks at the places of a running event.
    public static let pause = Duration.seconds(10)

    /// The screen; `nil` before the first ``load()``.
    public private(set) var screen: EventScreen?
    /// The reason why this device's data could not be read; `nil` after a success.
    public private(set) var problem: StudyProblem?
    /// The end of the last attempt to submit a round.
    public private(set) var outcome: RoundOutcome?
    /// The event's name.
    public nonisolated let id: String
    @ObservationIgnored private let services: StudyServices

    /// Creates the model of an event.
    public init(_ services: StudyServices, id: String) {
        self.services = services
        self.id = id
    }

    /// Loads the event with two requests; without a reply, as this process last received it.
    public func load() async {
        let loader = StandingsLoader(services)
        let id = id
        async let listReply = loader.events()
        async let pageReply = loader.event(id)
        let (list, page) = (await listReply, await pageReply)
        do {
            screen = try await EventReader(services).screen(id, list, page)
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }

    /// Begins a round, or continues the open one.
    ///
    /// - Returns: The session's id; `nil` if it could not begin, see ``problem``.
    public func begin() async -> String? {
        do {
            guard let event = screen?.event, let bank = QuestionFilter.Bank(name: event.bank) else {
                throw StudyProblem(.notFound)
            }
            return try await SessionStart(services).begin(bank, .exam)
        } catch {
            problem = StudyProblem(error)
            return nil
        }
    }

    /// Submits a round; the server counts it once, however often it is sent.
    ///
    /// - Parameter round: The round's id.
    public func send(_ round: String) async {
        if screen?.event == nil { await load() }
        guard let round = screen?.rounds.first(where: { $0.id == round }) else {
            outcome = screen?.obstacle.map { .notConfirmed($0) } ?? .missing
            return
        }
        let reply = await StandingsLoader(services).submit(round.points, id: round.id, to: id)
        outcome =
            switch reply {
            case .failure(let obstacle): .notConfirmed(obstacle)
            case .success(let receipt) where receipt.result == .counted:
                .counted(round.points, receipt)
            case .success(let receipt): .refused(receipt)
            }
        if outcome?.isCounted == true { await note(round) }
    }

    private func note(_ round: EventRound) async {
        let key = EventRound.key(round.id, of: id)
        // A round that is not noted is offered again; the server then says that it counted before.
        try? await services.settings.change { settings in
            settings.countedRounds.removeAll { $0 == key }
            settings.countedRounds.append(key)
            settings.countedRounds.removeFirst(
                max(0, settings.countedRounds.count - EventReader.countedMax))
        }
    }
}

/// Combines the server's replies with the rounds of this device.
struct EventReader {
    /// The maximum number of counted rounds that a device remembers.
    static let countedMax = 500
    /// The maximum number of the newest sessions that are searched for rounds.
    private static let sessionsMax = 100

    private let services: StudyServices

    init(_ services: StudyServices) { self.services = services }

    func screen(
        _ id: String, _ list: Result<[LiveEvent], StandingsObstacle>,
        _ reply: Result<LiveEventPage, StandingsObstacle>
    ) async throws -> EventScreen {
        let now = services.clock()
        let seen = state(id, list, reply, now)
        let bank = seen.flatMap { QuestionFilter.Bank(name: $0.event.bank) }
        let subject: Subject? =
            if let bank { await TopicLoader(services.content).subject(of: bank.name) } else { nil }
        var screen = EventScreen(
            id: id, event: seen?.event, page: seen?.page, receivedAt: seen?.receivedAt,
            subject: subject?.title ?? seen?.event.bank ?? "",
            obstacle: reply.failure ?? list.failure, hasSubject: subject != nil, rounds: [],
            now: now)
        guard let event = seen?.event, let bank, subject != nil else { return screen }
        screen.rounds = try await rounds(of: event, bank)
        if screen.state == .running { screen.step = try await step(event, bank) }
        return screen
    }

    /// Returns the present state, else the last received one; `nil` for an event that the server does not have.
    private func state(
        _ id: String, _ list: Result<[LiveEvent], StandingsObstacle>,
        _ reply: Result<LiveEventPage, StandingsObstacle>, _ now: Date
    ) -> SeenEvent? {
        guard reply.failure != .missing else { return nil }
        let user = services.userData.user
        let last = services.seenEvents.event(id, of: user)
        guard let page = reply.value,
            let event = list.value?.first(where: { $0.id == id }) ?? last?.event
        else { return last }
        let seen = SeenEvent(event: event, page: page, receivedAt: now)
        services.seenEvents.save(seen, of: user)
        return seen
    }

    private func rounds(
        of event: LiveEvent, _ bank: QuestionFilter.Bank
    ) async throws -> [EventRound] {
        let counted = Set(await services.settings.value.countedRounds)
        return try await services.userData.perform {
            try $0.sessions(of: bank, limit: Self.sessionsMax, offset: 0)
        }.compactMap { EventRound($0, of: event, counted: counted) }
    }

    private func step(
        _ event: LiveEvent, _ bank: QuestionFilter.Bank
    ) async throws -> EventScreen.Step {
        let open = try await services.userData.perform { try $0.openSessions() }
            .first { $0.bank == bank && $0.session.mode == .exam }
        guard let open else { return .begin }
        return event.state(at: open.session.startedAt) == .running
            ? .resume(open.id) : .finishFirst(open.id)
    }
}
