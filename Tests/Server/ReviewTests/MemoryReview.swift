import Accounts
import Foundation
import Ledger
import Review
import Synchronization

/// The storage of the review of keys in memory, whose answers and reports a test puts in.
final class MemoryReview: ReviewStorage {
    private struct State {
        var answers: [StoredFirstAnswer] = []
        var contributors: Set<Int64> = []
        var reports: [ReceivedReport] = []
        var proposals: [Proposal] = []
        var entries: [AuditEntry] = []
        var spread: [Int: ReleaseSpread] = [:]
        var reads = 0
    }

    private let state = Mutex(State())

    /// The entries of the audit log.
    var entries: [AuditEntry] { state.withLock { $0.entries } }
    /// The number of answers that were read.
    var reads: Int { state.withLock { $0.reads } }

    /// Adds an answer; of several of one contributor to one item the first counts.
    func add(_ contributor: Int64, _ answer: FirstAnswer) {
        state.withLock { state in
            state.contributors.insert(contributor)
            let isKnown = state.answers.contains {
                $0.contributor == contributor && $0.answer.item == answer.item
            }
            guard !isKnown else { return }
            state.answers.append(
                StoredFirstAnswer(
                    number: (state.answers.last?.number ?? 0) + 1, contributor: contributor,
                    answer: answer))
        }
    }

    /// Adds answers that are known to be new.
    func add(_ answers: [(contributor: Int64, answer: FirstAnswer)]) {
        state.withLock { state in
            for one in answers {
                state.contributors.insert(one.contributor)
                state.answers.append(
                    StoredFirstAnswer(
                        number: Int64(state.answers.count + 1), contributor: one.contributor,
                        answer: one.answer))
            }
        }
    }

    func remove(_ contributor: Int64) {
        state.withLock { state in
            state.contributors.remove(contributor)
            state.answers.removeAll { $0.contributor == contributor }
        }
    }

    func report(_ bank: String, _ question: String, _ version: String, learners: Int = 1) {
        state.withLock { state in
            state.reports += (0..<learners).map { _ in
                ReceivedReport(
                    bank: bank, question: question, version: version, reason: "wrong-key",
                    text: "", at: 0)
            }
        }
    }

    // MARK: ReviewStorage

    func applyChanges(atMost limit: Int, now: Int64) async throws -> Bool { false }

    func firstAnswers(after number: Int64, limit: Int) async throws -> [StoredFirstAnswer] {
        state.withLock { state in
            let page = Array(state.answers.filter { $0.number > number }.prefix(limit))
            state.reads += page.count
            return page
        }
    }

    func contributorCount(through highest: Int64?) async throws -> ContributorCount {
        state.withLock { state in
            let counted = state.contributors.filter { $0 <= highest ?? .max }
            return ContributorCount(count: counted.count, highest: counted.max() ?? 0)
        }
    }

    func contributors() async throws -> Set<Int64> { state.withLock { $0.contributors } }

    func reportCounts() async throws -> [ReportCount] {
        state.withLock { state in
            Dictionary(grouping: state.reports) { [$0.bank, $0.question, $0.version] }.map {
                ReportCount(
                    bank: $0.key[0], question: $0.key[1], version: $0.key[2],
                    learners: $0.value.count)
            }
        }
    }

    func reports(bank: String?, question: String?, limit: Int) async throws -> [ReceivedReport] {
        state.withLock { Array($0.reports.prefix(limit)) }
    }

    func proposals(in states: Set<Proposal.State>, limit: Int) async throws -> [Proposal] {
        state.withLock { state in
            Array(state.proposals.filter { states.contains($0.state) }.prefix(limit))
        }
    }

    func proposal(_ number: Int64) async throws -> Proposal? {
        state.withLock { state in state.proposals.first { $0.number == number } }
    }

    func changeProposals(
        _ body: @escaping @Sendable ([Proposal]) throws -> ProposalChanges
    ) async throws -> [Proposal] {
        try state.withLock { state in
            let newest = Dictionary(
                state.proposals.map { ([$0.bank, $0.question], $0) },
                uniquingKeysWith: { $0.number > $1.number ? $0 : $1 })
            let changes = try body(newest.values.sorted { $0.number < $1.number })
            var written: [Proposal] = []
            for var proposal in changes.proposals {
                if proposal.number == 0 {
                    proposal.number = Int64(state.proposals.count + 1)
                    state.proposals.append(proposal)
                } else {
                    state.proposals[Int(proposal.number) - 1] = proposal
                }
                written.append(proposal)
            }
            state.entries += changes.entries
            return written
        }
    }

    func releaseSpread(limit: Int) async throws -> [ReleaseSpread] {
        state.withLock { $0.spread.values.sorted { $0.release > $1.release } }
    }

    func set(_ spread: ReleaseSpread) async throws {
        state.withLock { $0.spread[spread.release] = spread }
    }
}
