import Foundation
public import Observation
public import Underway

/// The model of one board.
@MainActor @Observable
public final class BoardModel {
    /// The screen; `nil` before the first ``load(_:)``.
    public private(set) var screen: BoardScreen?
    /// The reason why this device's data could not be read; `nil` after a success.
    public private(set) var problem: StudyProblem?
    /// The board's name.
    public nonisolated let id: String
    @ObservationIgnored private let services: StudyServices

    /// Creates the model of a board.
    public init(_ services: StudyServices, id: String) {
        self.services = services
        self.id = id
    }

    /// Loads the board; without a reply, as this device last received it.
    ///
    /// It sends two requests, and one more for a learner without a place.
    /// - Parameter period: The period; by default the week, or the board's first one.
    public func load(_ period: BoardPeriod? = nil) async {
        do {
            screen = try await read(period)
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }

    private func read(_ period: BoardPeriod?) async throws -> BoardScreen {
        let loader = StandingsLoader(services)
        let (id, wanted) = (id, period ?? .week)
        async let listReply = loader.boards()
        async let boardReply = loader.board(id, wanted)
        let summary = (await listReply).value?.first { $0.id == id }
        var reply = await boardReply
        if period == nil, reply.failure == .missing, let first = summary?.periods.first {
            reply = await loader.board(id, first)
        }
        return try await screen(summary, reply, wanted, loader)
    }

    private func screen(
        _ summary: BoardSummary?, _ reply: Result<SeenBoard, StandingsObstacle>,
        _ wanted: BoardPeriod, _ loader: StandingsLoader
    ) async throws -> BoardScreen {
        let known = try await services.userData.perform { [id] store in
            try store.seenBoards().filter { $0.page.board == id }
        }
        let seen =
            reply.failure == .missing
            ? nil : reply.value ?? known.first { $0.page.period == wanted }
        let period = seen?.page.period ?? wanted
        let bank = seen?.page.bank ?? summary?.bank ?? known.first?.page.bank
        let subject: Subject? =
            if let bank { await TopicLoader(services.content).subject(of: bank) } else { nil }
        let seenPeriods = Set(known.map(\.page.period)).union([period])
        let profile =
            reply.value != nil && seen?.page.own == nil ? await loader.profile().value : nil
        return BoardScreen(
            id: id, title: subject?.title ?? bank ?? id, language: subject?.contentLanguage,
            period: period,
            periods: summary?.periods ?? BoardPeriod.allCases.filter(seenPeriods.contains),
            endsAt: summary?.end(of: period, from: seen?.page.firstDay), seen: seen,
            obstacle: reply.failure, hasLeft: profile.map { !$0.isListed } ?? false,
            now: services.clock())
    }
}
