import ArgumentParser
import Workflows

extension ProposalsCommand {
    /// Corrects a key: in the author's file, then, if asked for, in a new release.
    struct Confirm: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "confirm",
            abstract: "Correct a key in the content folder, and publish the fix.",
            discussion: """
                Only the key in the author's file changes; comments and all other bytes stay. The checker must pass, or \
                nothing is saved. An entry in corrections.yaml names the released versions that had the wrong key, so that \
                devices and servers grade earlier answers again; --no-regrade leaves it out, for a key that was right \
                until the world changed. In a git repository the change is committed by your name. With --publish the fix is \
                in a release at once, and on every phone with its next poll.
                """)

        @Argument(help: "The proposal's number.")
        var number: Int64
        @Option(
            help:
                "The right key, if it is not the proposed one: ids of options separated by spaces, or a number."
        )
        var key: String?
        @Flag(help: "Publish the fix afterwards, unless other changes wait as well.")
        var publish = false
        @Flag(help: "Publish the content folder afterwards, with all that waits.")
        var publishAll = false
        @Flag(
            help:
                "Let earlier answers keep their grades: the key was right until the world changed.")
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
