import ArgumentParser
import Foundation
import Publishing

/// Where the content folder and the release are; every publishing command takes them.
struct FolderOptions: ParsableArguments {
    @Option(help: "The content folder (default: content).", transform: PathArgument.path)
    var content = "content"

    @Option(help: "The release directory (default: release).", transform: PathArgument.path)
    var release = "release"

    @Flag(help: "Answer in JSON.")
    var json = false

    var publisher: Publisher { Publisher(folder: content, release: release) }
}

/// The form of the answer, for commands that have no other need to know it.
struct AnswerOptions: ParsableArguments {
    @Flag(help: "Answer in JSON, errors included.")
    var json = false
}

/// The files and folders that commands are given; every argument and option of a path is read here.
enum PathArgument {
    /// A path as it was typed.
    ///
    /// - Throws: `ValidationError` for an empty one, as a script gives it whose variable is not set: it
    ///   would stand for the current folder or for the root.
    @Sendable static func path(_ text: String) throws -> String {
        guard !text.isEmpty else {
            throw ValidationError("Name a file or folder; the path is empty.")
        }
        return text
    }

    /// A file to write.
    ///
    /// - Throws: `ValidationError` for `-` too: standard output has the words of the command.
    @Sendable static func output(_ text: String) throws -> String {
        guard text != "-" else {
            throw ValidationError("Name a file or a pipe; `-` is none (`./-` is a file).")
        }
        return try path(text)
    }
}

/// A step of publishing as it is typed.
struct StepArgument: ExpressibleByArgument {
    let step: PublishStep

    init?(argument: String) {
        guard let step = PublishStep(rawValue: argument) else { return nil }
        self.step = step
    }

    static let allValueStrings = PublishStep.allCases.map(\.rawValue)
}

/// The files that commands read whole.
enum InputFile {
    /// - Throws: `CommandFailure` that tells a file that is not there from one that cannot be read.
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

/// The folders that commands are given.
enum Folder {
    /// Refuses a file where a folder is needed, by the name of its option.
    static func demandNoFile(_ path: String, _ option: String) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
            !isFolder.boolValue
        else { return }
        throw CommandFailure(
            .files, "\(path) (of \(option)) is a file, not a folder. Name another.", place: path)
    }
}
