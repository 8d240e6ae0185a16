import ArgumentParser
import Foundation
import Publishing
import Workflows

/// The content folder and the release directory; every publishing command has them.
struct FolderOptions: ParsableArguments {
    @Option(help: "The content folder (default: content).", transform: PathArgument.path)
    var content = "content"

    @Option(help: "The release directory (default: release).", transform: PathArgument.path)
    var release = "release"

    @Flag(help: "Print JSON, also for errors.")
    var json = false

    /// The publisher for reading and pruning; ``ReleaseChange`` creates releases.
    var publisher: Publisher { Self.reader(of: release, content) }

    /// Returns what looks at a release directory.
    static func reader(of release: String, _ content: String = "") -> Publisher {
        Publisher(folder: content, releaseDirectory: release)
    }

    /// Returns the folders as the place of a workflow.
    func workplace(_ signing: SigningOptions? = nil) -> Workplace {
        Workplace(content: content, release: release, keys: signing?.keys)
    }

    /// Makes a release.
    ///
    /// - Throws: `CommandFailure`.
    func run(_ change: ReleaseChange, _ signing: SigningOptions) async throws -> Outcome {
        try await reportingErrors {
            try await change.run(in: workplace(signing), by: Operator.actor)
        }
    }
}

/// The keys with which a command signs what it publishes.
struct SigningOptions: ParsableArguments {
    @Option(
        help: "The folder of the keys that sign the release, if devices require signatures.",
        transform: PathArgument.path)
    var keys: String?
}

/// The versions of the app that must be able to read the content, beside those of the folder's settings.
struct SupportOptions: ParsableArguments {
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Profiles of shipped versions of the app that must be able to read the content (files, or folders of them).",
            valueName: "file"),
        transform: PathArgument.path)
    var supports: [String] = []
}

/// The form of the output, for commands that have no other need to know it.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON, also for errors.")
    var json = false
}

/// The paths of files and folders in arguments and options.
enum PathArgument {
    /// Parses a path.
    ///
    /// - Throws: `ValidationError` for an empty one, as from a script whose variable is not set: it
    ///   would mean the current folder or the root.
    @Sendable static func path(_ text: String) throws -> String {
        guard !text.isEmpty else {
            throw ValidationError("Name a file or folder; the path is empty.")
        }
        return text
    }

    /// Parses the path of a file to write.
    ///
    /// - Throws: `ValidationError` for `-` too: standard output has the command's own text.
    @Sendable static func output(_ text: String) throws -> String {
        guard text != "-" else {
            throw ValidationError(
                "This command does not write to `-`. Name a file or a pipe (`./-` is a file).")
        }
        return try path(text)
    }
}

/// A step of publishing as an argument.
struct StepArgument: ExpressibleByArgument {
    let step: PublishStep

    init?(argument: String) {
        guard let step = PublishStep(rawValue: argument) else { return nil }
        self.step = step
    }

    static let allValueStrings = PublishStep.allCases.map(\.rawValue)
}

/// The files that commands read as a whole.
enum InputFile {
    /// Reads a file.
    ///
    /// - Throws: `CommandFailure` that distinguishes a missing file from an unreadable one.
    static func read(_ path: String) throws -> Data {
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(.files, "There is no file \(path).", place: path)
        }
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
            throw CommandFailure(.files, "\(path) cannot be read.", place: path)
        }
        return data
    }
}

/// The folders in arguments and options.
enum Folder {
    /// Rejects a file in the place of a folder, with the name of its option.
    static func checkNoFile(_ path: String, _ option: String) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
            !isFolder.boolValue
        else { return }
        throw CommandFailure(
            .files, "\(path) (of \(option)) is a file, not a folder. Name another.", place: path)
    }
}
