import ArgumentParser
import ContentModel
import Foundation
import Publishing
import Review

extension ProposalsCommand {
    /// Corrects a key: in the author's file, then, if asked for, in a new release.
    struct Confirm: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "confirm",
            abstract: "Correct a key in the content folder, and publish the fix.",
            discussion: """
                Only the key in the author's file changes; comments and all other bytes stay. The checker must pass, or \
                nothing is saved. An entry in corrections.yaml names the released versions that had the wrong key, so that \
                devices and servers grade earlier answers again; --no-regrade leaves it out, for a key that was right \
                until the world changed. In a git repository the change is committed by your name. With --publish the fix is \
                in a release at once, and on every phone with its next poll.
                """)

        @Argument(help: "The proposal's number.")
        var number: Int64
        @Option(
            help:
                "The right key, if it is not the proposed one: ids of options separated by spaces, or a number."
        )
        var key: String?
        @Flag(help: "Publish the content folder afterwards.")
        var publish = false
        @Flag(
            help:
                "Let earlier answers keep their grades: the key was right until the world changed.")
        var noRegrade = false
        @OptionGroup var folders: FolderOptions
        @OptionGroup var signing: SigningOptions
        @OptionGroup var storage: StorageOptions

        func run() async throws {
            let proposal = try await storage.withReview { review in
                let proposal = try await ProposalDecisions(review).proposal(number)
                guard proposal.state.isPending else {
                    throw CommandFailure(
                        .refused,
                        "Proposal \(number) is \(proposal.state.rawValue): nothing is to be corrected."
                    )
                }
                let decided = proposal.state == .confirmed ? proposal.proposedKey : nil
                guard key == nil || decided == nil || key == decided else {
                    throw CommandFailure(
                        .refused,
                        "Proposal \(number) is confirmed with the key \(decided ?? ""). Leave --key out, or edit the"
                            + " question itself.")
                }
                return proposal
            }
            guard let right = key ?? proposal.proposedKey else {
                throw CommandFailure(
                    .usage, "Proposal \(number) proposes no key: name the right one by --key.")
            }
            let saved = try await reportingErrors { try save(proposal, right) }
            do {
                try await finish(proposal, saved)
            } catch {
                Console.note(text(of: saved, proposal))
                throw error
            }
        }

        /// Notes the decision, and publishes.
        private func finish(_ proposal: Proposal, _ saved: Saved) async throws {
            let decided = try await storage.withReview { review in
                proposal.state == .confirmed
                    ? proposal
                    : try await ProposalDecisions(review).confirm(
                        number, key: saved.key, by: Operator.name)
            }
            let summary = publish ? try await reportingErrors { try publishing() } : nil
            say(decided, saved, summary)
        }

        private struct Saved {
            var file: String
            /// The note by which answers are graded again.
            var note: CorrectionNote?
            /// The key as the question names it now.
            var key: String
            var isNew: Bool
            var commit: String?
        }

        /// Changes the file, and commits it where it is in a repository.
        private func save(_ proposal: Proposal, _ right: String) throws -> Saved {
            let correction = try KeyCorrection(
                in: ContentEditor(folder: folders.content), bank: proposal.bank,
                question: proposal.question, from: proposal.key, to: right,
                regrading: noRegrade ? nil : regrading(proposal))
            try correction.save()
            var saved = Saved(
                file: correction.file, note: correction.note, key: correction.question.keyLabel,
                isNew: !correction.isDone)
            if let repository = ContentRepository(of: folders.content) {
                saved.commit = try repository.commit(
                    correction.files,
                    message: "Correct the key of \(proposal.question) in \(proposal.bank)\n\n"
                        + "\(ProposalText.evidence(proposal)) Proposal \(proposal.number).",
                    author: .init(name: Operator.login, email: Operator.atHost))
            }
            return saved
        }

        private func regrading(_ proposal: Proposal) -> RegradeScope {
            RegradeScope(
                releaseDirectory: folders.release, versions: [proposal.version],
                day: String(PublicationTime().text.prefix(10)))
        }

        private func publishing() throws -> PublishSummary {
            let moment = PublicationTime()
            var publisher = folders.publisher
            publisher.keys = signing.keys
            return try publisher.publish(
                nowSeconds: moment.seconds, generatedAt: moment.text)
        }

        /// What became of the file, which stays true when a later step fails.
        private func text(of saved: Saved, _ proposal: Proposal) -> String {
            let place = "\(folders.content)/\(saved.file)"
            let text =
                saved.isNew
                ? "\(place): the key of \(proposal.question) is \"\(saved.key)\" now, it was"
                    + " \"\(proposal.key)\"."
                : "\(place) has this key already."
            return text + (saved.note?.sentence.map { "\n\($0)" } ?? "")
                + (saved.commit.map { "\nCommitted as \($0)." } ?? "")
        }

        private func say(_ proposal: Proposal, _ saved: Saved, _ summary: PublishSummary?) {
            var text = text(of: saved, proposal)
            if let summary {
                text += "\nRelease \(summary.release) is published."
            } else {
                text += "\n`underway publish` ships it."
            }
            Console.say(
                text,
                json: .compact([
                    "proposal": proposal.json, "file": .string(saved.file),
                    "isChanged": .bool(saved.isNew), "commit": saved.commit.map { .string($0) },
                    "release": summary.map { .integer($0.release) },
                    "correction": saved.note?.correction?.json,
                ]))
        }
    }
}
