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

    @Flag(help: "Discard edits of served files.")
    var overwrite = false

    func run() async throws {
        var publisher = folders.publisher
        publisher.driftPolicy = overwrite ? .overwrite : .refuse
        let moment = Moment()
        let summary = try await reportingErrors { [publisher] in
            try publisher.rollback(
                to: number, nowSeconds: moment.seconds, generatedAt: moment.text)
        }
        guard !folders.json else { return try Console.say(result: summary) }
        summary.say(verb: "Rolled back to \(number) as")
        Console.say(
            "The content folder still has the newer content; correct it before you publish.")
    }
}
