import ArgumentParser
import Publishing

struct PruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Remove old releases and the files that only they used.",
        discussion: "The current release is never removed.",
        examples: ["underway prune --release release --keep 10"])

    @OptionGroup var folders: FolderOptions

    @Option(help: "The number of releases to keep (default: keepReleases of underway.yaml, or 5).")
    var keep: Int?

    func validate() throws {
        // At least the current release is kept; a smaller number is a mistake.
        if let keep, keep < 1 { throw ValidationError("--keep takes 1 or more, not \(keep).") }
    }

    func run() async throws {
        let summary = try await reportingErrors {
            let publisher = folders.publisher
            return try publisher.prune(keep: try keep ?? publisher.keptReleases())
        }
        if folders.json {
            try Console.say(result: summary)
        } else {
            Console.say(
                "Removed \(Console.count(summary.releases.count, "release")) and"
                    + " \(Console.count(summary.objects, "object")).")
        }
    }
}
