package import Ledger

/// The storage behind the review of keys: what a database adapter implements.
///
/// It has first answers, reports, proposals, and how releases reach devices.
package protocol ReviewStorage: Sendable {
    // MARK: What users sent

    /// Applies what users changed of their consents and reports since the last call, a bounded number of them.
    ///
    /// Who agreed becomes a contributor, whose earlier first answers are added; who took it back is none any more, and
    /// their answers are removed. A call that is killed leaves its changes for the next one.
    /// - Parameters:
    ///   - limit: The most changes.
    ///   - now: The wall clock, in milliseconds since 1970.
    /// - Returns: True when more wait.
    /// - Throws: `LedgerError`.
    func applyChanges(atMost limit: Int, now: Int64) async throws -> Bool

    /// Reads first answers in the order of their numbers.
    ///
    /// - Parameters:
    ///   - number: The number of the last one that is known; 0 for none.
    ///   - limit: The most answers.
    /// - Returns: The answers; fewer than `limit` are the last.
    /// - Throws: `LedgerError`.
    func firstAnswers(after number: Int64, limit: Int) async throws -> [StoredFirstAnswer]

    /// Counts the contributors.
    ///
    /// - Parameter highest: The highest number that is counted; `nil` for all.
    /// - Returns: Their number, and the highest number among them.
    /// - Throws: `LedgerError`.
    func contributorCount(through highest: Int64?) async throws -> ContributorCount

    /// Reads the numbers of all contributors.
    ///
    /// - Throws: `LedgerError`.
    func contributors() async throws -> Set<Int64>

    // MARK: Reports

    /// Counts the learners who reported each version of a question.
    ///
    /// - Throws: `LedgerError`.
    func reportCounts() async throws -> [ReportCount]

    /// Reads reports, the newest first.
    ///
    /// - Parameters:
    ///   - bank: The bank; `nil` for all.
    ///   - question: The question; `nil` for all.
    ///   - limit: The most reports.
    /// - Returns: The reports.
    /// - Throws: `LedgerError`.
    func reports(bank: String?, question: String?, limit: Int) async throws -> [ReceivedReport]

    // MARK: Proposals

    /// Reads proposals: open ones first, by what speaks for them, then the others, the last changed first.
    ///
    /// - Parameters:
    ///   - states: The states.
    ///   - limit: The most proposals.
    /// - Returns: The proposals.
    /// - Throws: `LedgerError`.
    func proposals(in states: Set<Proposal.State>, limit: Int) async throws -> [Proposal]

    /// Reads a proposal; `nil` when there is none of this number.
    ///
    /// - Throws: `LedgerError`.
    func proposal(_ number: Int64) async throws -> Proposal?

    /// Changes proposals in a transaction that excludes every other change of proposals.
    ///
    /// - Parameter body: Takes the newest proposal of each question, and returns what is written. It may run again, so
    ///   it has no side effects.
    /// - Returns: The proposals as they are stored now, with their numbers.
    /// - Throws: `LedgerError`, or what `body` throws; nothing is written then.
    func changeProposals(
        _ body: @escaping @Sendable ([Proposal]) throws -> ProposalChanges
    ) async throws -> [Proposal]

    // MARK: Releases

    /// Reads how releases reached devices, the newest first.
    ///
    /// - Throws: `LedgerError`.
    func releaseSpread(limit: Int) async throws -> [ReleaseSpread]

    /// Writes how a release reached devices, in place of what is there.
    ///
    /// - Throws: `LedgerError`.
    func set(_ spread: ReleaseSpread) async throws
}

/// How a release reached the devices that are in use.
package struct ReleaseSpread: Sendable, Hashable {
    /// The release.
    package var release: Int
    /// The time since which it is served, in milliseconds since 1970.
    package var servedAt: Int64
    /// The times at which 50, 95 and 99 % of the devices had it or a later one; `nil` before that.
    package var reachedAt: [Int64?] = [nil, nil, nil]

    /// The shares of ``reachedAt``.
    package static let shares = [0.5, 0.95, 0.99]

    package init(release: Int, servedAt: Int64) {
        self.release = release
        self.servedAt = servedAt
    }
}
