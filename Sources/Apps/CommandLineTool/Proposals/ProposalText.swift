import Foundation
import Review
import Workflows

/// Proposals in words.
enum ProposalText {
    /// Returns one line for a list.
    static func line(_ proposal: Proposal) -> String {
        let key = proposal.change() ?? proposal.key
        return
            "\(proposal.number)  \(proposal.state.rawValue)  \(proposal.bank) \(proposal.question)"
            + "  key \(key)  \(proposal.evidenceSentence)"
    }

    /// Returns all that is known, for one proposal.
    static func page(_ proposal: Proposal, _ reports: [ReceivedReport]) -> String {
        var lines = [
            "Proposal \(proposal.number): \(proposal.bank) \(proposal.question), \(proposal.state.rawValue)",
            "Key \(proposal.key)"
                + (proposal.proposed { ", proposed \($0)" }
                    ?? "; too few answers to say which is right"),
            proposal.evidenceSentence, "Flagged \(time(proposal.flaggedAt)).",
        ]
        if let decision = proposal.decision {
            lines.append(
                "Decided by \(decision.actor) \(time(decision.at))"
                    + (decision.reason.isEmpty ? "." : ": \(decision.reason)"))
        }
        if let release = proposal.release, let at = proposal.shippedAt {
            lines.append("Shipped in release \(release), served since \(time(at)).")
        }
        lines += table(proposal)
        lines += reports.map { report in
            "Report \(time(report.at)), \(report.reason)"
                + (report.text.isEmpty ? "" : ": \(report.text)")
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the share of each response, over all learners and from the least to the most able.
    private static func table(_ proposal: Proposal) -> [String] {
        let evidence = proposal.evidence
        guard !evidence.labels.isEmpty else { return [] }
        let width = evidence.labels.map(\.count).max() ?? 0
        let head =
            "Responses, in % of all"
            + (evidence.groups.count > 1
                ? ", then of \(evidence.groups.count) groups from the least to the most able" : "")
        return [head]
            + evidence.labels.indices.map { index in
                let label = evidence.labels[index].padding(
                    toLength: width, withPad: " ", startingAt: 0)
                let shares = [evidence.shares[index]] + evidence.groups.map { $0.shares[index] }
                let mark =
                    switch proposal.role(of: evidence.labels[index]) {
                    case .key: "  key"
                    case .proposed: "  proposed"
                    case .other: ""
                    }
                return "  \(label)" + shares.map { percent($0) }.joined() + mark
            }
    }

    private static func percent(_ share: Double) -> String {
        let text = String(Int((share * 100).rounded()))
        return String(repeating: " ", count: max(1, 5 - text.count)) + text
    }

    private static func time(_ milliseconds: Int64) -> String {
        Date(milliseconds: milliseconds).formatted(.iso8601)
    }
}
