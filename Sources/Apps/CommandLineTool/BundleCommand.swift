import ArgumentParser
import ContentModel
import Publishing

struct BundleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundle",
        abstract: "Write the content that ships inside the app, for its first start offline.",
        examples: [
            "underway bundle Bundle --release release",
            "underway bundle Bundle --audio es fr",
        ])

    @Argument(
        help: "The folder to write; it must not exist or be empty.", transform: PathArgument.path)
    var output: String

    @Option(help: "The release directory (default: release).", transform: PathArgument.path)
    var release = "release"

    @Option(parsing: .upToNextOption, help: "Include the audio of these languages.")
    var audio: [String] = []

    @Option(
        help:
            "The root file that the app ships: the command writes only what its keys have signed.",
        transform: PathArgument.path)
    var root: String?

    @Flag(help: "Print JSON, also for errors.")
    var json = false

    func run() async throws {
        let result = try await reportingErrors {
            try BundleWriter.write(
                releaseDirectory: release, to: output,
                audio: audio.isEmpty ? .none : .languages(Set(audio)),
                root: try root.map { try Files.read($0, limit: TrustLimits.rootBytesMax) })
        }
        if json {
            try Console.say(result: result)
        } else {
            Console.say(
                "Wrote \(Console.count(result.objects, "object")), \(Console.bytes(result.bytes)),"
                    + " to \(output). Add the folder to the app's resources.")
            if let rollout = result.rollout {
                Console.note(
                    "underway: \(rollout.text(release: result.release)) Every installation of an app with this bundle has"
                        + " release \(result.release).")
            }
        }
    }
}
