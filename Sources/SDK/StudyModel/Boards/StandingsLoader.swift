import Foundation
import Underway

/// Requests boards and live events from the server; each call is one request.
struct StandingsLoader {
    typealias Reply<Value: Sendable> = Result<Value, StandingsObstacle>

    /// The number of the best places on a screen.
    static let topCount = 20

    private let services: StudyServices

    init(_ services: StudyServices) { self.services = services }

    func boards() async -> Reply<[BoardSummary]> { await ask { try await $0.boards() } }

    func board(_ name: String, _ period: BoardPeriod) async -> Reply<SeenBoard> {
        let now = services.clock()
        return await ask {
            try await $0.latestBoard(name, period, top: Self.topCount, now: now)
        }
    }

    func profile() async -> Reply<BoardProfile> { await ask { try await $0.boardProfile() } }

    func setProfile(name: String?, isListed: Bool) async -> Reply<BoardProfile> {
        await ask { try await $0.setBoardProfile(name: name, isListed: isListed) }
    }

    func events() async -> Reply<[LiveEvent]> { await ask { try await $0.events() } }

    func event(_ name: String) async -> Reply<LiveEventPage> {
        await ask { try await $0.event(name, top: Self.topCount) }
    }

    func submit(_ points: Int, id: String, to event: String) async -> Reply<EventReceipt> {
        await ask { try await $0.submit(points: points, id: id, to: event) }
    }

    /// Sends a request as the learner; without an account it sends none.
    private func ask<Value: Sendable>(
        _ request: @Sendable (Account) async throws -> Value
    ) async -> Reply<Value> {
        do {
            guard let account = services.account else { throw StandingsObstacle.noServer }
            let identity = try await account.identity()
            guard identity.hasServer else { throw StandingsObstacle.noServer }
            guard identity.kind != .local else { throw StandingsObstacle.noAccount }
            return .success(try await request(account.server()))
        } catch {
            return .failure(StandingsObstacle(error))
        }
    }
}

extension Result {
    /// The value; `nil` after a failure.
    var value: Success? { try? get() }

    /// The failure; `nil` with a value.
    var failure: Failure? {
        guard case .failure(let failure) = self else { return nil }
        return failure
    }
}

extension BoardSummary {
    /// Returns the moment at which a period of the board ends; `nil` for all time, and for an unreadable day.
    func end(of period: BoardPeriod, from firstDay: String?) -> Date? {
        guard let zone = TimeZone(identifier: timeZone), let firstDay,
            let start = ExamDate(firstDay)?.start(in: zone)
        else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return switch period {
        case .day: calendar.date(byAdding: .day, value: 1, to: start)
        case .week: calendar.date(byAdding: .day, value: 7, to: start)
        case .month: calendar.date(byAdding: .month, value: 1, to: start)
        case .all: nil
        }
    }
}
