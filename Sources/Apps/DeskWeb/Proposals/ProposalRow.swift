import ContentModel
import Review

/// A proposal in the list.
struct ProposalRow {
    /// The most rows of the list.
    static let countMax = 100

    var href: String
    var runs: [TextRun]
    var id: String
    /// The key now and the proposed one, as "Float → Double"; `nil` without a proposed one.
    var change: String?
    var tag: ProposalTag
    var isCurrent: Bool

    init(_ proposal: Proposal, _ question: Question?, isCurrent: Bool) {
        href = "\(DeskSection.proposals.path)/\(proposal.number)"
        runs = question.map { TextRun.line(of: $0.stem, in: $0.textForm, countMax: 120) } ?? []
        id = "\(proposal.question) · \(proposal.bank)"
        change = proposal.change { question?.shown($0) ?? $0 }
        tag = ProposalTag(proposal)
        self.isCurrent = isCurrent
    }
}

/// The strength of the evidence, in words and a matching colour.
struct ProposalTag {
    var title: String
    var tone: String

    init(_ proposal: Proposal) {
        switch proposal.state {
        case .confirmed: (title, tone) = ("confirmed", "new")
        case .shipped: (title, tone) = ("shipped", "right")
        case .dismissed: (title, tone) = ("dismissed", "")
        case .open:
            switch proposal.evidence.probability {
            case .some(0.9...): (title, tone) = ("very likely", "wrong")
            case .some(0.5...): (title, tone) = ("likely", "care")
            case .some: (title, tone) = ("unsure", "")
            case nil where proposal.proposed() == nil && proposal.evidence.reports > 0:
                (title, tone) = ("reported", "")
            case nil: (title, tone) = ("unsure", "")
            }
        }
    }
}
