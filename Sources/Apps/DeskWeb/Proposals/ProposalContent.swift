import ContentModel
import Publishing
import Review
import Workflows

/// The state of a proposal's question in the content folder and the release.
struct ProposalContent: Sendable {
    /// The question in the content folder; `nil` when it is not there any more.
    var question: Question?
    /// The question as its file has it.
    var value: JSONValue?
    /// The file of the question.
    var file: String?
    /// The release that is current.
    var release: Int
    /// The devices that get it; `nil` for all.
    var rollout: RolloutSummary?
    /// The pending changes of the next release.
    var waiting: KeyConfirmation.Waiting

    init(_ proposal: Proposal, _ content: ContentSnapshot, _ place: Workplace) {
        let present = content.bank(proposal.bank)?.question(proposal.question)
        (question, value, file) = (present?.question, present?.value, present?.file)
        // Content with errors cannot be published alone either: the page of the publish names them.
        (waiting, release, rollout) =
            (try? KeyConfirmation.waiting(with: proposal, in: place)) ?? (.others, 0, nil)
    }
}

extension Question {
    /// The key as people read it: the texts of its options, or its number.
    var shownKey: String { shown(keyLabel) }

    /// Returns a label of a key as people read it.
    func shown(_ label: String) -> String {
        guard correctNumber == nil else { return label }
        let names = label.split(separator: " ").map { id in
            options.first { $0.id == id }.map { $0.text.isEmpty ? $0.id : line($0.text) }
                ?? String(id)
        }
        return names.joined(separator: type.isOrder ? ", then " : " and ")
    }

    private func line(_ text: String) -> String {
        TextRun.line(of: text, in: textForm).map(\.words).joined()
    }
}
