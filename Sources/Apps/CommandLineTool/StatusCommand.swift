import ArgumentParser
import Publishing

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show what a publish would do, and which served files were edited.",
        discussion: "The command changes nothing.",
        examples: ["underway status --content content --release release"])

    @OptionGroup var folders: FolderOptions

    func run() async throws {
        let summary = try await reportingErrors { try folders.publisher.status() }
        folders.json ? try Console.say(result: summary) : summary.sayStatus()
        if let waiting = folders.publisher.pendingRelease() {
            Console.note(
                "underway: release \(waiting) waits for signatures; `underway trust status` says whose."
            )
        }
    }
}
