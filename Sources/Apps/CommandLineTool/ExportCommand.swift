import ArgumentParser
import ContentModel
import Foundation
import Importing
import Publishing

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract:
            "Write an exam's questions as GIFT, QTI 3 package, CSV, Excel workbook, Moodle XML or cards.",
        examples: ["underway export content/exams/int/swift --output swift.zip"])

    @Argument(
        help: "The exam's folder, for example content/exams/int/swift.",
        transform: PathArgument.path)
    var exam: String

    @Option(
        name: [.customShort("o"), .long], help: "The file to write, which is replaced.",
        transform: PathArgument.output)
    var output: String

    @Option(
        help: ArgumentHelp(
            "The format; without it, the file's extension decides (.gift, .zip, .csv, .xlsx, .xml, .txt).",
            valueName: ExportFormat.allCases.map(\.rawValue).joined(separator: "|")))
    var format: String?

    @Flag(help: "Print JSON, also for errors.")
    var json = false

    private var chosen: ExportFormat? {
        guard let format else { return ExportFormat(file: output) }
        return ExportFormat(rawValue: format)
    }

    func validate() throws {
        if chosen == nil {
            throw ValidationError(
                "Name the format: --format gift, qti3, csv, xlsx, moodle-xml or cards.")
        }
    }

    func run() async throws {
        try await reportingErrors {
            guard let chosen else { return }
            let folder = try ExamFolder(path: exam)
            guard folder.hasHead || !folder.blueprint.questions.isEmpty else {
                throw CommandFailure(
                    .notFound, "There is no exam in \(exam), so nothing was written.", place: exam)
            }
            let media = URL(fileURLWithPath: folder.path + "/media")
            let result = try write(folder.blueprint.questions, as: chosen, media: media)
            if json {
                Console.say(json: [
                    "written": .integer(result.writtenCount),
                    "skipped": .array(
                        result.skipped.map { ["id": .string($0.id), "reason": .string($0.reason)] }),
                ])
            } else {
                for entry in result.skipped { Console.say("skipped \(entry.id): \(entry.reason)") }
                Console.say("Wrote \(Console.count(result.writtenCount, "question")) to \(output).")
            }
        }
    }

    private func write(
        _ questions: [Question], as format: ExportFormat, media: URL
    ) throws -> ExportResult {
        do {
            return try QuestionExporter.write(questions, as: format, to: output) { name in
                guard ContentPath(name) != nil else { return nil }
                return (try? Data(contentsOf: media.appending(path: name))).map { [UInt8]($0) }
            }
        } catch let error as PublishingError where error.code == .unwritable {
            throw CommandFailure(
                .files,
                "\(output) cannot be written. Does its folder exist, and is there room on the disk?",
                place: output)
        }
    }
}
