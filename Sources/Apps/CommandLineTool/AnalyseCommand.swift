import ArgumentParser
import ContentModel
import Foundation
import Importing
import Publishing
import QuestionEngine

struct AnalyseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyse",
        abstract: "Find questions that are too hard, vague or wrongly keyed.",
        discussion: """
            The input is a CSV file of answers with the columns person, question and answer (ids of options). It \
            needs a column key too, unless --exam names the exam. Only a person's first answer to a question counts. \
            The optional column exposures is the number of times that the person had seen the question before. With \
            the optional column version, answers to other versions of a question do not count.
            """,
        examples: ["underway analyse answers.csv --exam content/exams/int/swift"])

    @Argument(help: "The file of answers.", transform: PathArgument.path)
    var answers: String

    @Option(
        help: "The exam's folder with keys and texts, for example content/exams/int/swift.",
        transform: PathArgument.path)
    var exam: String?

    @Option(
        help: "A CSV file of learners' reports with the columns question and count.",
        transform: PathArgument.path)
    var reports: String?

    @Option(
        help: ArgumentHelp(
            "The expected fraction of wrong keys; 0.01 for a bank that was checked.",
            valueName: "0.05"))
    var prevalence = 0.05

    @Option(
        help:
            "The mode whose answers count: study, repeat, exam or placement; without it all count.",
        transform: { text in
            guard let mode = AnswerMode(rawValue: text) else {
                throw ValidationError("--mode takes study, repeat, exam or placement.")
            }
            return mode
        })
    var mode: AnswerMode?

    @Option(
        help: "Write a report with option curves to this HTML file.", transform: PathArgument.output
    )
    var html: String?

    @Flag(help: "Print JSON, also for errors.")
    var json = false

    func validate() throws {
        guard prevalence > 0, prevalence < 1 else {
            throw ValidationError("--prevalence is a fraction between 0 and 1, such as 0.01.")
        }
    }

    func run() async throws {
        try await reportingErrors {
            let folder = try exam.map { try ExamFolder(path: $0) }
            if let exam, let folder, !folder.hasHead, folder.blueprint.questions.isEmpty {
                throw CommandFailure(.notFound, "There is no exam in \(exam).", place: exam)
            }
            let questions = folder?.blueprint.questions ?? []
            var notes: [String] = []
            let file = try AnswersFile.read(
                [UInt8](try InputFile.read(answers)), file: answers, bank: questions,
                mode: mode, note: { notes.append($0) })
            let report = AnswerReport(
                file, reports: try readReports(), prior: WrongKeyPrior(prevalence: prevalence))
            if let html {
                let page = AnswerReportPage(
                    report, title: folder?.blueprint.title ?? answers, questions: questions
                ).html
                do {
                    try OutputFile.write(Array(page.utf8), to: html)
                } catch {
                    throw CommandFailure(.files, "\(html) cannot be written.", place: html)
                }
                Console.note("Wrote \(html).")
            }
            // Behind all that may fail, whose message stands alone.
            notes.forEach { Console.note($0) }
            json ? try Console.say(result: report) : Console.say(report.text)
        }
    }

    private func readReports() throws -> [String: Int] {
        guard let reports else { return [:] }
        return try AnswersFile.readReports([UInt8](try InputFile.read(reports)), file: reports)
    }
}
