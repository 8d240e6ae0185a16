import Accounts
package import Foundation
import Ledger
import QuestionEngine
import ServiceAPI

/// The review of all keys of the served release: from new answers and reports to proposals.
///
/// It caches the first answers, so that new ones cost no scan of the others. One process of a server is enough; several
/// are harmless, since each writes only differences.
package actor KeyReviewer {
    /// The outcome of a run.
    package struct Report: Sendable, Hashable {
        /// The number of new first answers.
        package var newAnswers = 0
        /// The number of first answers to the current versions.
        package var answers = 0
        /// The banks that were reviewed.
        package var banks: [String] = []
        /// The created or changed proposals.
        package var proposals: [Proposal] = []
    }

    /// The schedule of a bank's next review.
    package struct Schedule: Sendable {
        /// The number of new answers after which a bank is reviewed at once.
        package var answers: Int
        /// The seconds after which any change triggers a review.
        package var seconds: Double

        /// Creates a schedule; by default fifty answers, or a minute.
        package init(answers: Int = 50, seconds: Double = 60) {
            self.answers = answers
            self.seconds = seconds
        }

        /// The schedule that reviews every change.
        package static let always = Schedule(answers: 1, seconds: 0)

        func isDue(changes: Int, since last: Date?, now: Date) -> Bool {
            guard changes > 0 else { return false }
            // A clock that went back must not delay a review for years.
            let passed = last.map { abs(now.timeIntervalSince($0)) } ?? .infinity
            return changes >= answers || passed >= seconds
        }
    }

    private let storage: ReviewStorage
    private let shares: ItemFacilities
    private let clock: @Sendable () -> Date
    private var release: ReviewedRelease?
    private var cache: AnswerCache?
    /// The contributors at the last look.
    private var contributors = ContributorCount(count: 0, highest: 0)
    /// The learners who reported the present version of a question, by bank and question.
    private var reports: [String: [String: Int]] = [:]
    private var reviews: [String: Review] = [:]

    /// The last review of a bank.
    private struct Review {
        var at: Date
        var reports: [String: Int]
    }

    /// Creates a reviewer without a release.
    ///
    /// - Parameters:
    ///   - storage: The storage of answers and proposals.
    ///   - shares: The facilities that each review updates.
    ///   - clock: The wall clock.
    package init(
        _ storage: ReviewStorage, shares: ItemFacilities = ItemFacilities(),
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.storage = storage
        self.shares = shares
        self.clock = clock
    }

    private var now: Int64 { clock().millisecondsSince1970 }

    /// Switches the review to another release, and ends the proposals that it resolves.
    ///
    /// - Throws: `StorageError`; the review stays on the previous release.
    package func follow(_ release: ReviewedRelease) async throws -> [Proposal] {
        let rule = ProposalRule(now: now, release: release)
        let ended = try await storage.changeProposals { rule.changesByRelease($0) }
        self.release = release
        cache = nil
        reviews = [:]
        shares.clear()
        return ended
    }

    /// Reads new answers and reports, and reviews the banks that are due.
    ///
    /// - Parameter schedule: The schedule of banks.
    /// - Returns: The counts, and the changed proposals.
    /// - Throws: `StorageError`; the next run continues.
    package func run(_ schedule: Schedule = Schedule()) async throws -> Report {
        while try await storage.applyChanges(atMost: ServiceLimits.reviewChangesMax, now: now) {
            try Task.checkCancellation()
        }
        var report = Report()
        guard let release else { return report }
        report.newAnswers = try await readNewAnswers(of: release)
        try await readReports(of: release)
        for bank in dueBanks(schedule) {
            try Task.checkCancellation()
            report.proposals += try await review(bank, of: release)
            report.banks.append(bank)
        }
        report.answers = cache?.count ?? 0
        return report
    }

    // MARK: Reading

    private func readNewAnswers(of release: ReviewedRelease) async throws -> Int {
        var cache = self.cache ?? AnswerCache(release)
        // One owner, so that nothing is copied when answers are added.
        self.cache = nil
        defer { self.cache = cache }
        // Read before the answers: who comes after it is found by the number.
        let present = try await storage.contributorCount(through: nil)
        try await removeThoseWhoLeft(&cache)
        var count = 0
        while true {
            try Task.checkCancellation()
            let answers = try await storage.firstAnswers(
                after: cache.lastNumber, limit: ServiceLimits.firstAnswersPerRead)
            cache.add(answers)
            count += answers.count
            if answers.count < ServiceLimits.firstAnswersPerRead { break }
        }
        contributors = present
        return count
    }

    /// Removes the answers of those who took their consent back, or deleted their account.
    private func removeThoseWhoLeft(_ cache: inout AnswerCache) async throws {
        guard cache.count > 0 else { return }
        let still = try await storage.contributorCount(through: contributors.highest)
        guard
            still.count != contributors.count || cache.highestContributor > contributors.highest
        else { return }
        cache.retain(try await storage.contributors())
    }

    private func readReports(of release: ReviewedRelease) async throws {
        let banks = Dictionary(release.banks.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        // A report of a version that asked something else says nothing about this one.
        reports = try await storage.reportCounts().reduce(into: [:]) { reports, one in
            guard banks[one.bank]?.asksTheSame(one.question, one.version) == true else { return }
            reports[one.bank, default: [:]][one.question, default: 0] += one.learners
        }
    }

    /// Returns the banks with other reports than at their last review, and those with enough new answers.
    private func dueBanks(_ schedule: Schedule) -> [String] {
        let now = clock()
        return (cache?.changeCounts ?? [:]).filter { bank, count in
            let last = reviews[bank]
            return last?.reports ?? [:] != reports[bank] ?? [:]
                || schedule.isDue(changes: count, since: last?.at, now: now)
        }.keys.sorted()
    }

    // MARK: Reviewing

    /// Reviews a bank; when that fails, the next run does it again.
    private func review(
        _ bank: String, of release: ReviewedRelease
    ) async throws -> [Proposal] {
        guard let table = cache?.table(of: bank) else { return [] }
        let known = reports[bank] ?? [:]
        let review = BankReview(bank: bank, table, reports: known)
        shares.take(review)
        let rule = ProposalRule(now: now, release: release)
        let changed = try await storage.changeProposals { rule.changes(review, $0) }
        cache?.noteReview(of: bank)
        reviews[bank] = Review(at: clock(), reports: known)
        return changed
    }
}
