import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import StudyModel

struct AnswersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "answers",
        abstract: "Write the answers on this device as a table for a spreadsheet (CSV).",
        discussion: """
            A row is an answer: local time with its offset from UTC, subject, question, response, right or wrong, and \
            seconds. The table is UTF-8 with a byte order mark. A cell that begins with =, +, -, @, a tab or a carriage \
            return gets an apostrophe before it, so that a spreadsheet does not calculate it. \
            `underway account export` writes everything that the server stores, as JSON.
            """,
        examples: ["underway answers --output answers.csv"])

    @Option(
        name: [.customShort("o"), .long], help: "The file; standard output without it.",
        transform: PathArgument.output)
    var output: String?

    @Option(help: "The language of the header: en, es, de, ja or ar.")
    var language = "en"

    @OptionGroup var store: StoreOptions

    @Flag(help: "Print JSON, also for errors.")
    var json = false

    func validate() throws {
        guard StudyText.languages.contains(where: { $0.code == language }) else {
            let codes = StudyText.languages.map(\.code).joined(separator: ", ")
            throw ValidationError("--language takes one of \(codes).")
        }
        guard !json || output != nil else {
            throw ValidationError("--json prints where the file is: name it with --output.")
        }
    }

    func run() async throws {
        try await reportingErrors {
            let userData = try store.userData.openUserData()
            let services = StudyServices(content: try store.open(), userData: userData)
            let sheet = AnswerSheet(
                services.content, userData, await services.formats(language: language))
            guard let output else {
                for try await part in sheet { Console.write(Data(part.bytes)) }
                return
            }
            let count = try await Self.write(sheet, to: output)
            Console.say(
                "Wrote \(Console.count(count, "answer")) to \(output).",
                json: ["file": .string(output), "answers": .integer(count)])
        }
    }

    private static func write(_ sheet: AnswerSheet, to path: String) async throws -> Int {
        do {
            return try await StreamedFile.write(to: path) { file in
                var count = 0
                for try await part in sheet {
                    try file.write(contentsOf: part.bytes)
                    count += part.answerCount
                }
                return count
            }
        } catch let error as CocoaError {
            throw CommandFailure(
                .files, "\(path) cannot be written: \(error.localizedDescription)", place: path)
        }
    }
}
