import ArgumentParser
import ContentModel
import Foundation
import OfflineStore
import QuestionEngine

struct StudyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "study",
        abstract: "Take a placement test or a question bank in the terminal; needs no network.")

    @Argument(help: "A language code such as es, or region/exam.")
    var bank: String

    @OptionGroup var store: StoreOptions

    @Flag(help: "Plain lines, no full-screen display (the only kind for now).")
    var plain = false

    @Option(help: "Ask only so many questions; the score is still out of the whole test.")
    var limit: Int?

    @Flag(help: "Answer in JSON at the end.")
    var json = false

    func run() async throws {
        try await reportingErrors {
            let found = try store.open().blueprint(wanted)
            say(found)
            let answers = ask(found.value)
            let result = PlacementResult(answers: answers, blueprint: found.value)
            json ? Console.say(json: result.json) : Console.say(result.text)
        }
    }

    private var wanted: QuestionFilter.Bank {
        Identifier.examKey(bank).map { .exam(region: $0.region, exam: $0.exam) }
            ?? .placement(language: bank)
    }

    private func say(_ found: Fresh<Blueprint>) {
        let days = Int(found.freshness.age(now: Date()) / 86_400)
        Console.say(Console.styled(found.value.title, .bold))
        Console.say(
            "release \(found.freshness.release), \(found.freshness.source.rawValue),"
                + " installed \(days == 0 ? "today" : "\(Console.count(days, "day")) ago")")
    }

    /// Asks until the questions or the input end; an empty line skips a question.
    private func ask(_ blueprint: Blueprint) -> [String: [String]] {
        var answers: [String: [String]] = [:]
        var random = SystemRandomNumberGenerator()
        let questions = blueprint.questions.prefix(limit ?? blueprint.questions.count)
        for (index, question) in questions.enumerated() {
            Console.say("\n\(index + 1)/\(questions.count)  \(question.stem)")
            if let code = question.code {
                for line in code.text.split(separator: "\n", omittingEmptySubsequences: false) {
                    Console.say("    \(line)")
                }
            }
            if let image = question.image { Console.say("    [image: \(image)]") }
            let options = question.optionsInRandomOrder(using: &random)
            for (number, option) in options.enumerated() {
                Console.say("  \(number + 1)) \(option.text.isEmpty ? option.id : option.text)")
            }
            guard let answer = read(question.type, options) else { break }
            guard !answer.isEmpty else { continue }
            answers[question.id] = answer
            say(isCorrect: Grading.isCorrect(answer, to: question), question)
        }
        return answers
    }

    private func say(isCorrect: Bool, _ question: Question) {
        let key = question.correct.map { question.options[$0].text }.joined(separator: ", ")
        Console.say(
            isCorrect
                ? Console.styled("right", .green)
                : Console.styled("wrong", .red) + ": \(key)")
        if let explanation = question.explanation { Console.say("  \(explanation)") }
    }

    /// Reads numbers of options; `nil` at the end of the input.
    private func read(_ type: QuestionType, _ options: [QuestionOption]) -> [String]? {
        let prompt =
            switch type {
            case .singleChoice, .codeSnippet: "your answer"
            case .multiChoice: "your answers, as 1 3"
            case .ordering: "the order, as 2 1 3"
            }
        while true {
            FileHandle.standardOutput.write(Data("\(prompt)> ".utf8))
            guard let line = readLine() else {
                print()
                return nil
            }
            let numbers = line.split { " ,".contains($0) }.map { Int($0) ?? 0 }
            if numbers.allSatisfy({ options.indices.contains($0 - 1) }) {
                return numbers.map { options[$0 - 1].id }
            }
            Console.say("Type numbers from 1 to \(options.count), or nothing to skip.")
        }
    }
}

extension PlacementResult {
    var text: String {
        let level = level.map { ", level \($0)" } ?? ""
        return "\nResult: \(points) of \(questionCount)\(level)"
    }

    var json: JSONValue {
        .compact([
            "points": .integer(points), "questions": .integer(questionCount),
            "level": level.map { .string($0) },
        ])
    }
}
