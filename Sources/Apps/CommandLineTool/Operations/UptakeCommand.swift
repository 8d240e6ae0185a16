import ArgumentParser
import Operations
import ServiceAPI

struct UptakeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uptake",
        abstract: "Show how many devices have which release, and what stops others.",
        discussion: """
            A device reports its release when it syncs user data; devices that sync only content are unknown to the \
            server. Devices that synced in the last \(ServiceLimits.uptakeDays) days count.
            """,
        examples: ["underway uptake --data users"])

    @OptionGroup var storage: StorageOptions
    @OptionGroup var outputOptions: OutputOptions

    func run() async throws {
        let uptake = try await storage.withUsers { try await $0.uptake?.uptake() ?? Uptake([]) }
        let lines = uptake.counts.map { count in
            let release = count.release.map { $0 == 0 ? "no release" : "release \($0)" }
            return "\(release ?? "other releases"): \(Console.count(count.devices, "device"))"
                + (count.obstacle.map { ", \($0.text)" } ?? "")
        }
        Console.say(
            lines.isEmpty
                ? "No device has told yet what it has." : lines.joined(separator: "\n"),
            json: uptake.json)
    }
}

extension InstalledContent.Obstacle {
    /// The reason in words.
    fileprivate var text: String {
        switch self {
        case .unreachable: "stopped: the host of the content does not answer them, or not with all"
        case .captivePortal: "stopped: their network wants its user to sign in"
        case .networkNotAllowed: "stopped: the app waits for another network"
        case .damagedDownload: "stopped: what arrives is not what the manifest promises"
        case .badManifest: "stopped: the manifest is not valid"
        case .untrusted: "stopped: what the host has is not signed as the app demands"
        case .expired:
            "stopped: the signatures have expired (`underway trust status`), or their clocks are wrong"
        case .olderRelease: "stopped: their host offers an older release"
        case .rollout: "waiting for a release that is being rolled out to others first"
        case .outdatedApp: "stopped: the content needs a newer app"
        case .vetoed: "stopped: the app refused the release"
        case .banned: "stopped: the release was banned after a crash or refusal"
        case .storage: "stopped: the device cannot store it"
        case .other: "stopped: another reason"
        }
    }
}
