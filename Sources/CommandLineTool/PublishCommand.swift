import ArgumentParser
import Publishing

struct PublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Check the content folder and make a new release of what changed.")

    @OptionGroup var folders: FolderOptions

    @OptionGroup var signing: SigningOptions

    @OptionGroup var support: SupportOptions

    @Option(
        help: """
            Let this share of the devices have it first, in percent; `underway rollout` widens it. Without it all \
            have it, or those of a rollout that is under way.
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
                "Versions of the app need a share of its devices; --rollout 100 is for all of them."
            )
        }
    }

    func run() async throws {
        var publisher = Publisher(
            folder: folders.content, releaseDirectory: folders.release,
            steps: only.isEmpty ? Set(PublishStep.allCases) : Set(only.map(\.step)),
            verifies: verify,
            driftPolicy: adopt ? .adopt : overwrite ? .overwrite : .refuse)
        let line = ProgressLine()
        publisher.author = Operator.atHost
        publisher.keys = signing.keys
        publisher.supports = support.supports
        publisher.leavesPending = true
        publisher.rollout = rollout.map { versions.change(percent: $0) }
        publisher.progress = { line.show($0, of: $1, "built") }
        let moment = PublicationTime()
        let summary = try await reportingErrors { [publisher] in
            defer { line.end() }
            if publisher.keys != nil { try publisher.checkIsSigned() }
            return try publisher.publish(nowSeconds: moment.seconds, generatedAt: moment.text)
        }
        folders.json ? try Console.say(result: summary) : summary.say(verb: "Published")
    }
}
