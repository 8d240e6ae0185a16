import ArgumentParser
import Publishing
import Workflows

struct RollbackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Publish the content of an older release again, under a new number.",
        discussion: """
            The content folder does not change, so the next publish replaces the old content again.
            """,
        examples: ["underway rollback 16 --content content --release release"])

    @Argument(help: "The number of the release to restore.")
    var number: Int

    @OptionGroup var folders: FolderOptions

    @OptionGroup var signing: SigningOptions

    @Flag(help: "Discard edits of served files.")
    var overwrite = false

    func run() async throws {
        let former = try await reportingErrors {
            try folders.publisher.rollout(of: number).map {
                $0.sentence(of: number)
                    + " Now its content goes to every device, as that of each rollback."
            }
        }
        var change = ReleaseChange(.rollBack(to: number))
        change.options.leavesPending = true
        change.options.driftPolicy = overwrite ? .overwrite : .refuse
        let outcome = try await folders.run(change, signing)
        guard let summary = outcome.summary, !folders.json else {
            return Console.say(json: outcome.json)
        }
        let difference = try? ReleaseDiff.between(
            summary.release - 1, and: summary.release, releaseDirectory: folders.release)
        let withdrawn = difference?.files.flatMap(\.withdrawn) ?? []
        summary.say(verb: "Rolled back to \(number) as")
        if let former { Console.note("underway: \(former)") }
        for correction in withdrawn {
            Console.note(
                "answers to \(correction.question) are graded by \"\(correction.was)\" again: release \(number) did not have its correction"
            )
        }
        Console.say(
            "The content folder still has the newer content; correct it before you publish.")
    }
}
