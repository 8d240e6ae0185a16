import Foundation
import Underway

/// The reviews that are due today with another retention, and with the present one.
public struct RetentionPrice: Sendable, Hashable {
    /// The other retention, from 0 to 1.
    public var retention: Double
    /// The number of reviews that would be due today, without the limits of a day.
    public var dueCount: Int
    /// The number that are due today, without the limits of a day.
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
        let learning = try await services.learning(of: bank)
        var scheduling = learning.scheduler.settings
        if !isFixed { scheduling.retention = price.retention }
        let other = try ReviewScheduler(
            scheduling, parameters: learning.scheduler.memory.parameters)
        for question in blueprint.questions
        where !question.isRetired && !learning.setAside.contains(question.id) {
            guard let card = learning.studied[question.id] else { continue }
            let due = other.dueDay(
                of: card.schedule, card: question.id, reviewCount: card.answerCount)
            if let day = card.schedule.nextDay, day <= services.today { price.presentCount += 1 }
            if let due, due <= services.today { price.dueCount += 1 }
        }
    }
}
