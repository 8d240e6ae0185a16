import ArgumentParser
import ContentModel
import Foundation
import ServiceAPI

struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create a content folder to start from, with comments.",
        discussion: "The new folder passes `check`.",
        examples: ["underway init content"])

    @Argument(help: "The folder to make (default: content).", transform: PathArgument.path)
    var folder = "content"

    @OptionGroup var outputOptions: OutputOptions

    func run() async throws {
        if FileManager.default.fileExists(atPath: folder) {
            try Folder.checkNoFile(folder, "init")
            let names = try await reportingErrors {
                try FileManager.default.contentsOfDirectory(atPath: folder)
            }
            guard names.isEmpty else {
                throw CommandFailure(
                    .files, "\(folder) is not empty. Name a new folder.", place: folder)
            }
        }
        do {
            for (path, text) in StarterFolder.files {
                let file = URL(fileURLWithPath: folder).appending(path: path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
        } catch {
            throw CommandFailure(
                .files, "\(folder) cannot be written: \(error.localizedDescription)",
                place: folder)
        }
        Console.say(
            """
            Made \(folder). Next:
              underway check \(folder)
              underway publish --content \(folder) --release release
              underway serve --release release
            And as a learner, beside the server:
              underway sync http://127.0.0.1:8080\(ContentRoutes.prefix)
              underway study en
            """,
            json: [
                "folder": .string(folder),
                "files": .array(StarterFolder.files.map { .string($0.path) }),
            ])
    }
}
