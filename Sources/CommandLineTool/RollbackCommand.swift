import ArgumentParser
import Publishing

struct RollbackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Make the content of an older release current again, under a new number.",
        discussion: "The content folder is not changed: the next publish publishes it again.")

    @Argument(help: "The number of the release to restore.")
    var number: Int

    @OptionGroup var folders: FolderOptions

    @OptionGroup var signing: SigningOptions

    @Flag(help: "Discard edits of served files.")
    var overwrite = false

    func run() async throws {
        var publisher = folders.publisher
        publisher.keys = signing.keys
        publisher.leavesPending = true
        publisher.driftPolicy = overwrite ? .overwrite : .refuse
        let moment = PublicationTime()
        let (summary, withdrawn, former) = try await reportingErrors { [publisher] in
            let former = try publisher.rollout(of: number).map {
                $0.sentence(of: number)
                    + " Now its content goes to every device, as that of each rollback."
            }
            let summary = try publisher.rollback(
                to: number, nowSeconds: moment.seconds, generatedAt: moment.text)
            let difference = try? ReleaseDiff.between(
                summary.release - 1, and: summary.release,
                releaseDirectory: publisher.releaseDirectory)
            return (summary, difference?.files.flatMap(\.withdrawn) ?? [], former)
        }
        guard !folders.json else { return try Console.say(result: summary) }
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
