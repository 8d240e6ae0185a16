import ArgumentParser
import Publishing
import Workflows

struct PublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Check the content folder and make a release of what changed.",
        discussion: "The command makes no release if nothing changed.",
        examples: [
            "underway publish --content content --release release",
            "underway publish --rollout 10",
        ])

    @OptionGroup var folders: FolderOptions

    @OptionGroup var signing: SigningOptions

    @OptionGroup var support: SupportOptions

    @Option(
        help: """
            Release to this share of the devices first, in percent; `underway rollout` changes it. Without it, all \
            devices get the release, or those of the current rollout.
            """)
    var rollout: Int?

    @OptionGroup var versions: RolloutVersions

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Only these steps; the files of other steps stay unchanged.",
            valueName: PublishStep.allCases.map(\.rawValue).joined(separator: "|")))
    var only: [StepArgument] = []

    @Flag(help: "Read every source and every served file again.")
    var verify = false

    @Flag(help: "Copy edits of served files back into the content folder.")
    var adopt = false

    @Flag(help: "Discard edits of served files.")
    var overwrite = false

    func validate() throws {
        if adopt, overwrite { throw ValidationError("Choose one of --adopt and --overwrite.") }
        if let rollout { try RolloutVersions.check(percent: rollout) }
        if versions.areNamed, rollout == nil {
            throw ValidationError(
                "--min-app-version and --max-app-version need --rollout; use --rollout 100 for all devices."
            )
        }
    }

    func run() async throws {
        var change = ReleaseChange(.publish)
        if !only.isEmpty { change.options.steps = Set(only.map(\.step)) }
        change.options.verifies = verify
        change.options.driftPolicy = adopt ? .adopt : overwrite ? .overwrite : .refuse
        change.options.supports = support.supports
        change.options.leavesPending = true
        change.options.rollout = rollout.map { versions.change(percent: $0) }
        let line = ProgressLine()
        change.options.progress = { line.show($0, of: $1, "built") }
        let outcome: Outcome
        do {
            defer { line.end() }
            outcome = try await folders.run(change, signing)
        }
        folders.json ? Console.say(json: outcome.json) : outcome.summary?.say(verb: "Published")
    }
}
