import Foundation
import Underway

/// The reviews that are due today with another retention, and with the present one.
public struct RetentionPrice: Sendable, Hashable {
    /// The other retention, from 0 to 1.
    public var retention: Double
    /// The number of reviews that the first screen would count as due today, without the limit of a day.
    public var dueCount: Int
    /// The number that it counts now, without the limit of a day.
    public var presentCount: Int
}

/// A loader of prices.
struct RetentionPriceLoader {
    private let services: StudyServices

    init(_ services: StudyServices) { self.services = services }

    /// Returns the price of a retention for a bank, or for all banks that have none of their own.
    func price(
        of retention: Double, in chosen: QuestionFilter.Bank?
    ) async throws -> RetentionPrice {
        try await services.readDay()
        var price = RetentionPrice(retention: retention, dueCount: 0, presentCount: 0)
        if let chosen {
            try await add(chosen, isFixed: false, to: &price)
        } else {
            for bank in try await TodayLoader(services).startedBanks([]) {
                try await add(bank, isFixed: hasOwnRetention(bank), to: &price)
            }
        }
        return price
    }

    private func hasOwnRetention(_ bank: QuestionFilter.Bank) async throws -> Bool {
        try await services.userData.perform {
            try $0.record(LearningFields.self, id: bank.name)?.retention != nil
        }
    }

    private func add(
        _ bank: QuestionFilter.Bank, isFixed: Bool, to price: inout RetentionPrice
    ) async throws {
        guard let blueprint = try await TodayLoader(services).blueprint(bank) else { return }
        var learning = try await services.learning(of: bank)
        // A limit would hide what an aim costs.
        (learning.settings.reviewsPerDay, learning.used) = (blueprint.questions.count, .init())
        let due = DueLoader(services)
        price.presentCount += due.today(blueprint, learning).reviewCount(learning)
        if !isFixed { try learning.change(retention: price.retention) }
        price.dueCount += due.today(blueprint, learning).reviewCount(learning)
    }
}

extension BankLearning {
    /// Moves the due days to those of another retention.
    fileprivate mutating func change(retention: Double) throws {
        var settings = scheduler.settings
        settings.retention = retention
        scheduler = try ReviewScheduler(settings, parameters: scheduler.memory.parameters)
        for (id, card) in studied where card.schedule.dueDay != nil {
            studied[id]?.schedule.dueDay = scheduler.dueDay(
                of: card.schedule, card: id, reviewCount: card.answerCount)
        }
    }
}
