import ArgumentParser
import Workflows

extension ProposalsCommand {
    /// Corrects a key: in the author's file, then, if asked for, in a new release.
    struct Confirm: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "confirm",
            abstract: "Correct a key in the content folder, and publish the fix.",
            discussion: """
                Only the key in the author's file changes. The command saves nothing if the content then has errors. \
                It also adds an entry to corrections.yaml with the released versions that had the wrong key. Devices \
                and servers then grade earlier answers again. Use --no-regrade for a key that was right until the \
                facts changed. In a git repository the command commits the change in your name.
                """,
            examples: ["underway proposals confirm 3 --data users --publish"])

        @Argument(help: "The proposal's number.")
        var number: Int64
        @Option(
            help:
                "The right key, if it is not the proposed one: ids of options separated by spaces, or a number."
        )
        var key: String?
        @Flag(help: "Publish the fix, unless there are other unpublished changes.")
        var publish = false
        @Flag(help: "Publish the fix with all other unpublished changes.")
        var publishAll = false
        @Flag(
            help:
                "Do not grade earlier answers again: the key was right until the facts changed.")
        var noRegrade = false
        @OptionGroup var folders: FolderOptions
        @OptionGroup var signing: SigningOptions
        @OptionGroup var storage: StorageOptions

        func validate() throws {
            if publish, publishAll {
                throw ValidationError("Choose one of --publish and --publish-all.")
            }
        }

        func run() async throws {
            let ships: KeyConfirmation.Ships? = publishAll ? .all : publish ? .alone : nil
            let outcome = try await storage.run(
                KeyConfirmation(number, key: key, regrades: !noRegrade, ships: ships),
                in: folders, signing)
            Console.say(
                outcome.sentence
                    + (ships == nil ? "\n`underway publish` ships what is not published." : ""),
                json: outcome.json)
        }
    }
}
