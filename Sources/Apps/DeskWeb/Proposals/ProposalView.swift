import Accounts
import ContentModel
import PageRendering
import Publishing
import Review
import UserData
import Workflows

/// The page of one proposal: the doubt, the evidence for it, and what a decision does.
struct ProposalView {
    struct Figure {
        var name: String
        var number: String
    }

    struct Report {
        var reason: String
        var text: String
        var time: DeskTime
    }

    struct Choice {
        var value: String
        var runs: [TextRun]
        var isNow: Bool
    }

    struct Button {
        var title: String
        var then: String
        var isFilled: Bool
    }

    var action: String
    /// The mark of what is shown, see ``KeyConfirmation/mark(of:_:)``.
    var shown: String
    var question: String
    var facts: String
    var flagged: DeskTime
    var stem: [TextRun]
    var code: CodeView?
    var tag: ProposalTag
    var keyNow: String
    var keyProposed: String?
    /// The strength of the evidence, such as "97 of 100 such keys"; `nil` for too few answers.
    var sure: String?
    var weak: String?
    var chart: ProposalChart.View?
    var figures: [Figure]
    var reports: [Report]
    var hasReports: Bool
    /// The effect of confirming, or the reason why nothing can be done.
    var effect: String
    var decided: String?
    /// The buttons for the proposed key; none where nobody may press them.
    var buttons: [Button]
    /// The form for another key; `nil` for questions whose key is no single option.
    var choices: [Choice]
    var canDecide: Bool
    /// True also for a confirmed one that has not shipped: who confirmed may have been wrong.
    var canDismiss: Bool
    var canChoose: Bool
    var problem: String?

    init(
        _ proposal: Proposal, _ received: [ReceivedReport], _ content: ProposalContent,
        user: DeskUser, now: Int64, needsApproval: Bool
    ) {
        let (evidence, present) = (proposal.evidence, content.question)
        action = "\(DeskSection.proposals.path)/\(proposal.number)"
        shown = KeyConfirmation.mark(of: proposal, content.value)
        question = proposal.question
        facts =
            "\(proposal.bank) · answered by \(Self.count(evidence.respondents, "person", "people"))"
        flagged = DeskTime(proposal.flaggedAt, now: now)
        stem = TextRun.line(
            of: present?.stem ?? proposal.question, in: present?.textForm ?? .plain)
        code = present?.code.map { CodeView($0, name: "Code of the question") }
        tag = ProposalTag(proposal)
        keyNow = present?.shown(proposal.key) ?? proposal.key
        keyProposed = proposal.proposed { present?.shown($0) ?? $0 }
        sure = evidence.probability.map {
            "\(min(max(Int(($0 * 100).rounded()), 1), 99)) of 100 such keys"
        }
        weak =
            proposal.proposed() == nil && proposal.state == .open
            ? "Too few answers to say which option is right." : nil
        chart = ProposalChart(proposal, present).view
        figures = Self.figures(proposal)
        reports = received.map {
            .init(
                reason: QuestionReport.Reason.words($0.reason), text: $0.text,
                time: DeskTime($0.at, now: now))
        }
        hasReports = !reports.isEmpty
        decided = proposal.decision.map { Self.decision($0, proposal, now) }
        canDecide =
            proposal.state.isPending && user.roles.contains(.author) && present != nil
        canDismiss =
            canDecide || (proposal.state == .confirmed && user.roles.contains(.author))
        let publishes =
            user.roles.contains(.publisher) && !needsApproval && content.waiting != .others
        let isDecided = proposal.state == .confirmed
        let isCorrected = isDecided && proposal.isCorrected(in: present)
        let isLeft = canDecide && !(isCorrected && content.waiting == .nothing)
        effect = Self.effect(
            proposal, content, canDecide: isLeft, publishes: publishes, isCorrected: isCorrected)
        buttons =
            isLeft
            ? keyProposed.map {
                Self.buttons($0, publishes: publishes, isCorrected: isCorrected)
            } ?? [] : []
        choices =
            canDecide && !isDecided
                && present.map { $0.type == .singleChoice || $0.type == .codeSnippet } == true
            ? (present?.options ?? []).map {
                .init(
                    value: $0.id,
                    runs: TextRun.line(
                        of: $0.text.isEmpty ? $0.id : $0.text, in: present?.textForm ?? .plain),
                    isNow: $0.id == proposal.key)
            } : []
        canChoose = !choices.isEmpty
    }

    private static func count(_ count: Int, _ one: String, _ many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }

    private static func figures(_ proposal: Proposal) -> [Figure] {
        let evidence = proposal.evidence
        var figures: [Figure] = []
        if let row = evidence.labels.firstIndex(of: proposal.key) {
            figures.append(
                .init(name: "Chose the key", number: percent(evidence.shares[row])))
            if let best = evidence.groups.last, evidence.groups.count > 2,
                best.shares.indices.contains(row)
            {
                figures.append(
                    .init(
                        name: "Of the strongest learners", number: percent(best.shares[row])))
            }
        }
        figures.append(
            .init(
                name: "Learners reported it",
                number: evidence.reports == 1 ? "once" : "\(evidence.reports) times"))
        return figures
    }

    static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

    private static func buttons(_ key: String, publishes: Bool, isCorrected: Bool) -> [Button] {
        let name = key.count > 40 ? "the proposed key" : key
        let alone = Button(
            title: "Make \(name) right" + (publishes ? " only" : ""), then: "save",
            isFilled: !publishes)
        return
            (publishes
            ? [.init(title: "Make \(name) right and publish", then: "publish", isFilled: true)]
            : [])
            + (isCorrected ? [] : [alone])
    }

    private static func effect(
        _ proposal: Proposal, _ content: ProposalContent, canDecide: Bool, publishes: Bool,
        isCorrected: Bool
    ) -> String {
        guard let file = content.file, content.question != nil else {
            return "The content folder has no such question any more."
        }
        guard canDecide else {
            if proposal.state == .open { return "An author decides about it." }
            return isCorrected
                ? content.rollout.map { $0.sentence(of: content.release) } ?? "" : ""
        }
        let edit =
            isCorrected
            ? "\(file) has this key"
            : "Confirming changes the key in \(file)"
        if publishes {
            let release = " makes release \(content.release + 1)."
            // Whether answers are graded again was decided with the key.
            return isCorrected
                ? edit + ". Publishing" + release
                : edit + " and" + release
                    + " Answers that were given to this key before are graded again."
        }
        return edit + ". "
            + (content.waiting == .others
                ? "Other changes wait for a release as well: they are shown before it is published."
                : "Somebody who may publish ships it.")
    }

    private static func decision(
        _ decision: Proposal.Decision, _ proposal: Proposal, _ now: Int64
    ) -> String {
        let who = decision.actor == "server" ? "The server" : decision.actor
        var text = "\(who) decided \(DeskTime(decision.at, now: now).words)"
        text += decision.reason.isEmpty ? "." : ": \(decision.reason)"
        if let release = proposal.release, let at = proposal.shippedAt {
            text += " Release \(release) has it since \(DeskTime(at, now: now).words)."
        }
        return text
    }
}
