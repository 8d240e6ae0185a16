import ArgumentParser
import Publishing

struct DiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show the changes of a publish, or between two releases, question by question.")

    @Argument(help: "The older release; without it, the current one against the content folder.")
    var old: Int?

    @Argument(help: "The newer release.")
    var new: Int?

    @OptionGroup var folders: FolderOptions

    func validate() throws {
        if (old == nil) != (new == nil) {
            throw ValidationError("Name two releases, or none to compare the content folder.")
        }
    }

    func run() async throws {
        let diff = try await reportingErrors {
            if let old, let new {
                return try ReleaseDiff.between(old, and: new, releaseDirectory: folders.release)
            }
            return try ReleaseDiff.pending(folders.publisher)
        }
        folders.json ? try Console.say(result: diff) : Self.say(diff)
    }

    /// Prints a difference.
    static func say(_ diff: ReleaseDiff) {
        if diff.files.isEmpty { Console.say("No difference.") }
        for file in diff.files {
            Console.say(Console.styled("\(file.kind.rawValue)  \(file.path)", .bold))
            for change in file.questions {
                let name = change.id.isEmpty ? "settings" : change.id
                Console.say("  \(change.kind.rawValue) \(name)")
                for field in change.fields {
                    Console.say("    \(field.name):")
                    Console.say(Console.styled("      - \(field.old)", .red))
                    Console.say(Console.styled("      + \(field.new)", .green))
                }
            }
            for correction in file.corrections {
                Console.say(
                    "  corrected \(correction.question): the key \"\(correction.was)\" was wrong,"
                        + " \"\(correction.is)\" is right; answers to"
                        + " \(Console.count(correction.versions, "version")) are graded again")
            }
            for correction in file.withdrawn {
                Console.say(
                    Console.styled(
                        "  no longer corrected \(correction.question): answers to"
                            + " \(Console.count(correction.versions, "version")) are graded by"
                            + " \"\(correction.was)\" again", .yellow))
            }
            for change in file.uncorrected {
                Console.say(Console.styled("  \(change.sentence)", .yellow))
            }
        }
    }
}
