import Foundation
public import Observation
import Underway

/// The model of the list of boards and live events.
@MainActor @Observable
public final class BoardListModel {
    /// The screen; `nil` before the first ``load()``.
    public private(set) var screen: BoardListScreen?
    /// The reason why this device's data could not be read; `nil` after a success.
    public private(set) var problem: StudyProblem?
    @ObservationIgnored private let services: StudyServices

    /// Creates the model.
    public init(_ services: StudyServices) { self.services = services }

    /// Loads the lists with one request for each; without a reply, the boards that this device has seen.
    public func load() async {
        let loader = StandingsLoader(services)
        async let boardReply = loader.boards()
        async let eventReply = loader.events()
        let (boards, events) = (await boardReply, await eventReply)
        do {
            screen = try await BoardListReader(services).screen(boards, events)
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }
}

/// Combines the server's lists with the data of this device.
private struct BoardListReader {
    private let services: StudyServices
    private let topics: TopicLoader
    private let now: Date

    init(_ services: StudyServices) {
        self.services = services
        topics = TopicLoader(services.content)
        now = services.clock()
    }

    func screen(
        _ boards: Result<[BoardSummary], StandingsObstacle>,
        _ events: Result<[LiveEvent], StandingsObstacle>
    ) async throws -> BoardListScreen {
        let (seen, studied) = try await services.userData.perform {
            (try $0.seenBoards(), Set(try $0.progressByDomain().compactMap(\.bank)))
        }
        // The newest of each board comes first.
        let newest = Dictionary(seen.map { ($0.page.board, $0) }) { first, _ in first }
        let known = boards.value?.map { (id: $0.id, bank: $0.bank) }
        let listed = known ?? newest.values.map { (id: $0.page.board, bank: $0.page.bank) }
        let counts = Dictionary(grouping: listed, by: \.bank).mapValues(\.count)
        var rows: [BoardListScreen.Board] = []
        for board in listed {
            let subject = await topics.subject(of: board.bank)
            rows.append(
                .init(
                    id: board.id, title: subject?.title ?? board.bank,
                    language: subject?.contentLanguage,
                    needsName: counts[board.bank, default: 0] > 1,
                    isStudied: studied.contains(board.bank), seen: newest[board.id]))
        }
        rows.sort {
            $0.isStudied == $1.isStudied
                ? ($0.title, $0.id) < ($1.title, $1.id) : $0.isStudied
        }
        return BoardListScreen(
            boards: rows, events: try await self.events(events.value ?? []),
            obstacle: Self.ofList(boards.failure), eventObstacle: Self.ofList(events.failure),
            now: now)
    }

    /// A list that the server does not have is no missing board.
    private static func ofList(_ obstacle: StandingsObstacle?) -> StandingsObstacle? {
        obstacle == .missing ? .unavailable : obstacle
    }

    private func events(_ events: [LiveEvent]) async throws -> [BoardListScreen.Event] {
        var rows: [BoardListScreen.Event] = []
        for event in events {
            rows.append(
                .init(
                    event: event, subject: await topics.title(of: event.bank),
                    state: event.state(at: now)))
        }
        return rows.sorted { Self.order($0) < Self.order($1) }
    }

    private static func order(_ row: BoardListScreen.Event) -> (Int, TimeInterval, String) {
        let (start, end) = (
            row.event.startsAt.timeIntervalSince1970, row.event.endsAt.timeIntervalSince1970
        )
        return switch row.state {
        case .running: (0, end, row.id)
        case .upcoming: (1, start, row.id)
        case .ended: (2, -end, row.id)
        }
    }
}
