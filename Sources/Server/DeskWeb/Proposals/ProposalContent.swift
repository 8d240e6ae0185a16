import ContentModel
import Publishing
import Review

/// What the content folder and the release say about a proposal.
struct ProposalContent: Sendable {
    /// The question in the content folder; `nil` when it is not there any more.
    var question: Question?
    /// The question as its file has it.
    var value: JSONValue?
    /// The file of the question.
    var file: String?
    /// The release that is current.
    var release: Int
    /// True when the folder has changes that are not published, besides the key of this question.
    var hasOtherChanges: Bool

    init(_ proposal: Proposal, _ content: ContentSnapshot, _ options: DeskOptions) {
        let present = content.bank(proposal.bank)?.question(proposal.question)
        (question, value, file) = (present?.question, present?.value, present?.file)
        // Content with errors cannot be published alone either: the page of the publish names them.
        let status = try? Publisher(
            folder: options.content, releaseDirectory: options.release
        ).status()
        release = status?.release ?? 0
        hasOtherChanges = status.map { !$0.isUpToDate } ?? true
    }
}
