import ArgumentParser
import ContentModel
import Publishing
import Workflows

/// The command for which devices take the current release.
struct RolloutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollout",
        abstract: "Release to a share of the devices, or to some versions of the app.",
        discussion: """
            `underway publish --rollout 10` begins a rollout to 10 % of the devices. Each device decides by a random \
            number of its own, which it sends to nobody. All other devices use the release before. A device that \
            installed a release of the rollout does not go back. It also gets the releases that follow, even while \
            the rollout is paused. Each change of the share is a new release with the same content; unpublished \
            edits are not part of it.
            """,
        examples: ["underway rollout set 50"],
        subcommands: [Set.self, Pause.self, Resume.self, Status.self])

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Change the share of devices; 100 releases to all of them.",
            examples: [
                "underway rollout set 50",
                "underway rollout set 100 --min-app-version 2.1",
            ])

        @Argument(help: "The share of devices in percent, from 0 to 100.")
        var percent: Int

        @OptionGroup var versions: RolloutVersions

        @OptionGroup var target: RolloutTarget

        func validate() throws { try RolloutVersions.check(percent: percent) }

        func run() async throws { try await target.run(versions.change(percent: percent)) }
    }

    struct Pause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pause",
            abstract: "Stop further devices from installing the release.",
            discussion: """
                Devices that have installed it do not go back, and get a fix that you publish during the pause. \
                `underway rollback` removes its content from all devices.
                """,
            examples: ["underway rollout pause"])

        @OptionGroup var target: RolloutTarget

        func run() async throws { try await target.run(.pause) }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "resume",
            abstract: "End a pause; the share of devices is the same as before it.",
            examples: ["underway rollout resume"])

        @OptionGroup var target: RolloutTarget

        func run() async throws { try await target.run(.resume) }
    }

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Show which devices install the current release.",
            examples: ["underway rollout status --release release"])

        @OptionGroup var folders: FolderOptions

        func run() async throws {
            let (release, rollout) = try await reportingErrors { [publisher = folders.publisher] in
                try publisher.currentRollout()
            }
            guard !folders.json else {
                return try Console.say(result: RolloutState(release: release, rollout: rollout))
            }
            Console.say(
                rollout?.text(release: release) ?? "Release \(release) goes to every device.")
        }
    }
}

/// The JSON form of `rollout status`.
private struct RolloutState: Encodable {
    var release: Int
    var rollout: RolloutSummary?
}

/// The versions of the app that take a release.
struct RolloutVersions: ParsableArguments {
    @Option(
        help: "The oldest version of the app that installs it, for example 2.1; \"any\" for all.",
        transform: RolloutVersions.version)
    var minAppVersion: String?

    @Option(
        help: "The newest version of the app that installs it; \"any\" for all.",
        transform: RolloutVersions.version)
    var maxAppVersion: String?

    /// - Throws: `ValidationError` for an empty text, as from a script whose variable is not set.
    @Sendable private static func version(_ text: String) throws -> String {
        guard !text.isEmpty else {
            throw ValidationError("Name a version of the app, or \"any\" to lift one.")
        }
        return text
    }

    /// True when a version is named.
    var areNamed: Bool { minAppVersion != nil || maxAppVersion != nil }

    /// Returns the change to a share of the devices.
    func change(percent: Int) -> RolloutChange {
        .set(
            percent: percent, minimumAppVersion: minAppVersion.map { $0 == "any" ? "" : $0 },
            maximumAppVersion: maxAppVersion.map { $0 == "any" ? "" : $0 })
    }

    /// - Throws: `ValidationError` for what is no share.
    static func check(percent: Int) throws {
        guard (0...100).contains(percent) else {
            throw ValidationError("The share of devices is from 0 to 100 percent, not \(percent).")
        }
    }
}

/// The release whose rollout changes, and the keys that sign it.
struct RolloutTarget: ParsableArguments {
    @OptionGroup var folders: FolderOptions

    @OptionGroup var signing: SigningOptions

    /// Makes the change and says what is so then.
    func run(_ rollout: RolloutChange) async throws {
        var change = ReleaseChange(.rollOut(rollout))
        change.options.leavesPending = true
        let outcome = try await folders.run(change, signing)
        guard let summary = outcome.summary, !folders.json else {
            return Console.say(json: outcome.json)
        }
        if !summary.isNew { Console.say("Nothing changed; release \(summary.release) stays.") }
        Console.say(
            summary.rollout?.text(release: summary.release)
                ?? "Release \(summary.release) goes to every device.")
    }
}

extension RolloutSummary {
    /// Says which devices take a release, and what to type next.
    func text(release: Int) -> String {
        sentence(of: release) + next
    }

    private var next: String {
        if isPaused { return " PAUSED: nobody else gets it until `underway rollout resume`." }
        let all =
            minimumAppVersion == nil && maximumAppVersion == nil
            ? "" : " --min-app-version any --max-app-version any"
        return " `underway rollout set 100\(all)` lets all have it."
    }
}
