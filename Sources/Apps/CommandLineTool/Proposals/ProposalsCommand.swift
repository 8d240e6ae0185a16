import ArgumentParser
import ContentModel
import Foundation
import Ledger
import Review
import ServiceAPI
import Workflows

/// The command for the questions whose key is probably wrong.
struct ProposalsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "proposals",
        abstract: "Show which answer keys are probably wrong, and fix or dismiss them.",
        discussion: """
            A running server reviews the answer keys of its release. It uses learners' reports, and the first \
            answers of learners who agreed. `list` shows the results, and `show` the evidence for one. `confirm` \
            corrects the key in the author's file, and `dismiss` closes a proposal without a change. `review` runs a \
            review at once, without a server.
            """,
        examples: ["underway proposals list --data users"],
        subcommands: [List.self, Show.self, Confirm.self, Dismiss.self, Review.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List proposals, the most urgent first.",
            examples: ["underway proposals list --data users"])

        @Option(
            help:
                "Only this state: open, confirmed, dismissed or shipped (default: open and confirmed)."
        )
        var state: Proposal.State?
        @OptionGroup var storage: StorageOptions
        @OptionGroup var outputOptions: OutputOptions

        func run() async throws {
            let states: Set<Proposal.State> = state.map { [$0] } ?? [.open, .confirmed]
            let proposals = try await storage.withReview { review in
                try await review.proposals(in: states, limit: ServiceLimits.proposalsMax)
            }.sorted { $0.precedes($1) }
            Console.say(
                proposals.isEmpty
                    ? "There is no such proposal."
                    : proposals.map(ProposalText.line).joined(separator: "\n"),
                json: .array(proposals.map(\.json)))
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show why a key is probably wrong, and the decision.",
            examples: ["underway proposals show 3 --data users"])

        @Argument(help: "The proposal's number, as `list` shows it.")
        var number: Int64
        @OptionGroup var storage: StorageOptions
        @OptionGroup var outputOptions: OutputOptions

        func run() async throws {
            let (proposal, reports) = try await storage.withReview { review in
                let proposal = try await review.neededProposal(number)
                let reports = try await review.reports(
                    bank: proposal.bank, question: proposal.question, limit: 20)
                return (proposal, reports.filter { $0.version == proposal.version })
            }
            var json = proposal.json
            if case .object(var members) = json {
                members["reports"] = .array(reports.map(\.json))
                json = .object(members)
            }
            Console.say(ProposalText.page(proposal, reports), json: json)
        }
    }

    struct Dismiss: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "dismiss",
            abstract: "Close a proposal without a change.",
            discussion: """
                The same evidence does not open it again; half as many further answers do, or further reports. If an \
                earlier confirmation changed the content folder, that change remains, and the command names it.
                """,
            examples: ["underway proposals dismiss 3 --reason Checked --data users"])

        @Argument(help: "The proposal's number.")
        var number: Int64
        @Option(help: "The reason, shown if the question is flagged again.")
        var reason: String
        @OptionGroup var folders: FolderOptions
        @OptionGroup var storage: StorageOptions

        func run() async throws {
            let outcome = try await storage.run(KeyDismissal(number, reason: reason), in: folders)
            Console.say(outcome.sentence, json: outcome.json)
        }
    }

    struct Review: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "review",
            abstract: "Review all answer keys of a release now.",
            examples: ["underway proposals review --release release --data users"])

        @Option(
            help: "The release directory (default: release).", transform: PathArgument.path)
        var release = "release"
        @OptionGroup var storage: StorageOptions
        @OptionGroup var outputOptions: OutputOptions

        func run() async throws {
            let present = try await reportingErrors { try ReviewedRelease(directory: release) }
            let (ended, report) = try await storage.withReview { review in
                let reviewer = KeyReviewer(review)
                let ended = try await reviewer.follow(present)
                return (ended, try await reviewer.run(.always))
            }
            let open = (ended + report.proposals).filter { $0.state == .open }
            Console.say(
                "Reviewed \(Console.count(report.answers, "first answer")) to release"
                    + " \(present.number): \(Console.count(open.count, "proposal")) opened or changed,"
                    + " \(Console.count(ended.count(where: { $0.state == .shipped }), "correction")) shipped.",
                json: [
                    "release": .integer(present.number), "answers": .integer(report.answers),
                    "banks": .array(report.banks.map { .string($0) }),
                    "proposals": .array((ended + report.proposals).map(\.json)),
                ])
        }
    }
}

extension Proposal.State: ExpressibleByArgument {}

extension ReceivedReport {
    /// The report as JSON.
    var json: JSONValue {
        [
            "bank": .string(bank), "question": .string(question), "version": .string(version),
            "reason": .string(reason), "text": .string(text),
            "at": .string(Date(milliseconds: at).formatted(.iso8601)),
        ]
    }
}

extension StorageOptions {
    /// Runs a body with the review of keys of a server's data.
    ///
    /// - Throws: `CommandFailure`.
    func withReview<Value: Sendable>(
        _ body: @Sendable (ReviewStorage) async throws -> Value
    ) async throws -> Value {
        try await withUsers { try await body($0.neededReview) }
    }
}

extension UserBackend {
    /// The review of keys.
    ///
    /// - Throws: `CommandFailure` `notFound` for data without one.
    var neededReview: ReviewStorage {
        get throws {
            guard let review else {
                throw CommandFailure(.notFound, "This data has no review of keys.")
            }
            return review
        }
    }
}
