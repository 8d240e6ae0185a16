import ContentModel
import Foundation
import QuestionEngine

/// Questions and responses on the terminal.
enum QuestionPrompt {
    /// Prints a question with its options in the session's order.
    static func show(_ question: Question, order: [String], title: String) {
        Console.say("\n\(title)  \(shown(question.stem, question))")
        if let code = question.code {
            for line in code.text.split(separator: "\n", omittingEmptySubsequences: false) {
                Console.say("    \(line)")
            }
        }
        if let image = question.image { Console.say("    [image: \(image)]") }
        for (number, id) in order.enumerated() {
            let option = question.options.first { $0.id == id }
            let text = shown(option?.text ?? "", question)
            Console.say("  \(number + 1)) \(text.isEmpty ? option?.image ?? id : text)")
        }
    }

    /// What the learner typed at a question.
    enum Entry {
        case response(QuestionResponse)
        /// `u`: the last answer is to be undone.
        case undo
        /// `q`, or the end of the input.
        case leave
    }

    /// Reads an entry; an empty response to skip.
    static func read(_ question: Question, order: [String]) -> Entry {
        switch question.key {
        case .options: readOptions(question.type, order)
        case .number(let key): readNumber(unit: key.unit)
        }
    }

    private static func readOptions(_ type: QuestionType, _ order: [String]) -> Entry {
        let prompt =
            switch type {
            case .singleChoice, .codeSnippet: "your answer"
            case .multiChoice: "your answers, as 1 3"
            case .ordering: "the order, as 2 1 3"
            case .numericEntry: "the number"
            }
        while true {
            let line: String
            switch self.line(prompt) {
            case .text(let text): line = text
            case .command(let entry): return entry
            }
            let numbers = line.split { " ,".contains($0) }.map { Int($0) ?? 0 }
            if numbers.allSatisfy({ order.indices.contains($0 - 1) }) {
                return .response(.options(numbers.map { order[$0 - 1] }))
            }
            Console.say(
                "Type numbers from 1 to \(order.count), nothing to skip, u to undo, or q to leave.")
        }
    }

    /// Asks at the end of a session whether to undo the last answer.
    static func undoesAtTheEnd() -> Bool {
        if case .command(.undo) = line("u to undo the last answer, or nothing to end") {
            return true
        }
        return false
    }

    private static func readNumber(unit: String?) -> Entry {
        while true {
            let line: String
            switch self.line(unit.map { "the number in \($0)" } ?? "the number") {
            case .text(let text): line = text
            case .command(let entry): return entry
            }
            if line.allSatisfy(\.isWhitespace) { return .response([]) }
            do throws(EnteredNumberError) {
                return .response(
                    .number(
                        try DecimalNumber(
                            entered: line, unit: unit, locale: Locale(identifier: "en"))))
            } catch {
                Console.say(error.message)
            }
        }
    }

    /// A line that the learner typed.
    private enum Line {
        case text(String)
        case command(Entry)
    }

    private static func line(_ prompt: String) -> Line {
        Console.ask("\(prompt)> ")
        guard let line = readLine() else {
            Console.say("")
            return .command(.leave)
        }
        return switch line.trimmingCharacters(in: .whitespaces).lowercased() {
        case "q", "quit": .command(.leave)
        case "u", "undo": .command(.undo)
        default: .text(line)
        }
    }

    /// Prints whether a response was right, with the explanation.
    static func say(_ grade: Grade, _ question: Question) {
        Console.say(
            grade.isCorrect
                ? Console.styled("right", .green)
                : Console.styled("wrong", .red) + ": \(key(of: question))")
        for text in grade.options.compactMap(\.text) { Console.say("  \(shown(text, question))") }
        if let explanation = grade.explanation { Console.say("  \(shown(explanation, question))") }
    }

    /// Returns a text as it is typed, or without the marks of its form.
    private static func shown(_ text: String, _ question: Question) -> String {
        question.textForm == .plain ? text : question.richText(text).plainText
    }

    private static func key(of question: Question) -> String {
        switch question.key {
        case .options(let correct):
            correct.map { shown(question.options[$0].text, question) }.joined(separator: ", ")
        case .number(let number): number.text
        }
    }
}
