import ArgumentParser
import ContentModel
import Publishing

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Find errors in a content folder, each with its file, line and remedy.",
        examples: ["underway check content", "underway check content --strict --format sarif"])

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
        case sarif
    }

    @Argument(help: "The content folder (default: content).", transform: PathArgument.path)
    var content = "content"

    @Option(
        name: .customLong("content"), help: "The same as the argument.",
        transform: PathArgument.path)
    var contentOption: String?

    @OptionGroup var support: SupportOptions

    @Option(help: "The form of the report: text, json or sarif.")
    var format = Format.text

    @Flag(help: "The same as --format json.")
    var json = false

    @Flag(help: "Fail on warnings too.")
    var strict = false

    func run() async throws {
        let line = ProgressLine()
        let folder = contentOption ?? content
        let supports = support.supports
        let problems = try await reportingErrors {
            defer { line.end() }
            return try ContentChecker.check(folder: folder, supports: supports) {
                line.show($0, of: $1, "checked")
            }
        }
        switch json ? .json : format {
        case .text: sayText(problems, folder)
        case .json: try Console.say(result: ProblemSummary(problems))
        case .sarif:
            Console.say(json: ProblemReport.sarif(problems, toolVersion: Tool.version))
        }
        let fails = problems.contains { strict || $0.rule.severity == .error }
        if fails { throw ExitStatus.contentErrors }
    }

    private func sayText(_ problems: [Problem], _ folder: String) {
        for problem in problems {
            let style: Console.Style = problem.rule.severity == .error ? .red : .yellow
            Console.say(Console.styled(problem.summary, style))
            Console.say("    \(problem.hint)")
        }
        let errors = problems.count { $0.rule.severity == .error }
        let warnings = problems.count - errors
        Console.say(
            "\(folder): \(Console.count(errors, "error")), \(Console.count(warnings, "warning"))")
    }
}
