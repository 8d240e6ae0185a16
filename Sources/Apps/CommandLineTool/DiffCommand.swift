import ArgumentParser
import Publishing

struct DiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show changes question by question.",
        discussion: """
            Without numbers, the command compares the content folder with the current release.
            """,
        examples: ["underway diff", "underway diff 16 17 --release release"])

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
            say("\(file.kind.rawValue)  \(file.path)", .bold)
            for change in file.questions {
                let name = change.id.isEmpty ? "settings" : change.id
                say("  \(change.kind.rawValue) \(name)")
                for field in change.fields {
                    say("    \(field.name):")
                    say("      - \(field.old)", .red)
                    say("      + \(field.new)", .green)
                }
            }
            for correction in file.corrections {
                say(
                    "  corrected \(correction.question): the key \"\(correction.was)\" was wrong,"
                        + " \"\(correction.is)\" is right; answers to"
                        + " \(Console.count(correction.versions, "version")) are graded again")
            }
            for correction in file.withdrawn {
                say(
                    "  no longer corrected \(correction.question): answers to"
                        + " \(Console.count(correction.versions, "version")) are graded by"
                        + " \"\(correction.was)\" again", .yellow)
            }
            for change in file.uncorrected {
                say("  \(change.sentence)", .yellow)
            }
        }
    }

    /// Prints content, every line of it indented, so that none can pass for a line of this program.
    private static func say(_ text: String, _ style: Console.Style? = nil) {
        // First, because a carriage return and a line feed are one character.
        let lines = TerminalText.escaped(text).replacing("\n", with: "\n        ")
        Console.say(style.map { Console.styled(lines, $0) } ?? lines)
    }
}
