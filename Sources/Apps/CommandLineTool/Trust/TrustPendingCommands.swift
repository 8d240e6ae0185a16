import ArgumentParser
import ContentModel
import Foundation
import Publishing

extension TrustCommand {
    /// The command of an author on another machine.
    struct Sign: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign",
            abstract: "Review a release that needs signatures, and sign it as an author.",
            discussion: """
                The command shows the changes question by question, and asks before it signs. It compares with the \
                release before, whose signatures it verifies against a root that you trust: the file that the app \
                ships (--root), or a release directory (--release). Without --keys it signs nothing. Send the signed \
                file back to the person who publishes.
                """,
            examples: ["underway trust sign 18.json --root 1.root.json --keys my-key"])

        @Argument(
            help: "The file that `underway publish` wrote, or a copy.", transform: PathArgument.path
        )
        var pending: String

        @Option(help: "The folder of your private key.", transform: PathArgument.path)
        var keys: String?

        @Option(help: "The root file that the app ships.", transform: PathArgument.path)
        var root: String?

        @Option(
            help: "The release directory, in place of --root (default: release).",
            transform: PathArgument.path)
        var release: String?

        @Flag(help: "Sign without a question, for scripts.")
        var yes = false

        @OptionGroup var output: OutputOptions

        func validate() throws {
            if root != nil, release != nil {
                throw ValidationError("Choose one of --root and --release.")
            }
        }

        func run() async throws {
            // Read once: what is shown is what is signed.
            var review = try await reportingErrors { try read() }
            if !Console.isJSON { DiffCommand.say(review.difference) }
            Console.note(
                "Release \(review.pending.release), after release \(review.base). Its id is"
                    + " \(review.pending.id); other authors see the same. \(review.progress.sentence)"
            )
            if let expired = review.baseExpired {
                Console.note(
                    "The signatures of release \(review.base) expired on \(expired.formatted(.iso8601)): make sure that there is no"
                        + " newer release.")
            }
            guard let keys else { return try say(review, added: []) }
            let held = try await reportingErrors {
                try KeyFolder(keys).load(apart: [release ?? "release"]).map(\.key)
            }
            guard yes || canAsk else {
                throw CommandFailure(
                    .usage,
                    "Nothing was signed, because nobody can answer here. Add --yes to sign without a question."
                )
            }
            guard yes || agrees() else { return Console.say("Nothing was signed.") }
            let added = try await reportingErrors {
                let added = try review.sign(with: held)
                if !added.isEmpty { try OutputFile.write(review.pending.bytes, to: pending) }
                return added
            }
            try say(review, added: added)
        }

        private func read() throws -> PendingReview {
            let file = try PendingRelease(
                Files.read(pending, limit: PendingRelease.bytesMax), path: pending)
            let anchor: PendingReview.Anchor =
                if let root {
                    .root(try Files.read(root, limit: TrustLimits.rootBytesMax))
                } else {
                    .release(release ?? "release")
                }
            return try PendingReview(file, against: anchor, now: Date())
        }

        private var canAsk: Bool { !Console.isJSON && isatty(STDIN_FILENO) == 1 }

        private func agrees() -> Bool {
            Console.ask("Sign this release? Type yes: ")
            return readLine()?.trimmingCharacters(in: .whitespaces).lowercased() == "yes"
        }

        private func say(_ review: PendingReview, added: [String]) throws {
            let ids = added.map { String($0.prefix(12)) }.joined(separator: ", ")
            let done =
                !added.isEmpty
                ? "Signed with \(ids). \(review.progress.sentence) Send \(pending) back, into the folder"
                    + " .underway/pending of the release directory; the command that left it there (`underway publish"
                    + " --keys DIR`, or a rollback or rollout) finishes it."
                : keys == nil
                    ? "Nothing was signed: name the folder of your key with --keys."
                    : "Your keys have signed it already; the file is as it was."
            guard Console.isJSON else { return Console.say(done) }
            Console.say(
                json: [
                    "difference": try JSONValue(encoding: review.difference),
                    "id": .string("\(review.pending.id)"),
                    "release": .integer(review.pending.release),
                    "added": .array(added.map { .string($0) }),
                    "signed": .array(review.progress.signed.map { .string($0) }),
                    "threshold": .integer(review.progress.threshold),
                ])
        }
    }

    /// The command that drops a release which waits.
    struct Discard: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "discard",
            abstract: "Discard the release that needs signatures, with those it has.",
            examples: ["underway trust discard --release release"])

        @Option(help: "The release directory (default: release).", transform: PathArgument.path)
        var release = "release"

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let number = try await reportingErrors {
                try TrustAdministration(releaseDirectory: release, now: Date()).discardPending()
            }
            Console.say(
                "Release \(number) does not wait any more; what is served has not changed.",
                json: ["discarded": .integer(number)])
        }
    }
}
