import ContentModel
import Foundation
import QuestionEngine

/// Reads answers to questions from the terminal.
enum Asking {
    /// Shows a question with its options in the session's order.
    static func show(_ question: Question, order: [String], title: String) {
        Console.say("\n\(title)  \(question.stem)")
        if let code = question.code {
            for line in code.text.split(separator: "\n", omittingEmptySubsequences: false) {
                Console.say("    \(line)")
            }
        }
        if let image = question.image { Console.say("    [image: \(image)]") }
        for (number, id) in order.enumerated() {
            let option = question.options.first { $0.id == id }
            let text = option?.text ?? ""
            Console.say("  \(number + 1)) \(text.isEmpty ? option?.image ?? id : text)")
        }
    }

    /// Reads numbers of options; none to skip, `nil` for q or at the end of the input.
    static func read(_ type: QuestionType, order: [String]) -> [String]? {
        let prompt =
            switch type {
            case .singleChoice, .codeSnippet: "your answer"
            case .multiChoice: "your answers, as 1 3"
            case .ordering: "the order, as 2 1 3"
            }
        while true {
            Console.ask("\(prompt)> ")
            guard let line = readLine() else {
                Console.say("")
                return nil
            }
            if ["q", "quit"].contains(line.trimmingCharacters(in: .whitespaces).lowercased()) {
                return nil
            }
            let numbers = line.split { " ,".contains($0) }.map { Int($0) ?? 0 }
            if numbers.allSatisfy({ order.indices.contains($0 - 1) }) {
                return numbers.map { order[$0 - 1] }
            }
            Console.say(
                "Type numbers from 1 to \(order.count), nothing to skip, or q to leave.")
        }
    }

    /// Says whether an answer was right, and why.
    static func say(_ grade: Grade, _ question: Question) {
        let texts = Dictionary(
            question.options.map { ($0.id, $0.text) }, uniquingKeysWith: { $1 })
        let key = grade.correctOptionIDs.map { texts[$0] ?? $0 }.joined(separator: ", ")
        Console.say(
            grade.isCorrect
                ? Console.styled("right", .green)
                : Console.styled("wrong", .red) + ": \(key)")
        for text in grade.options.compactMap(\.text) { Console.say("  \(text)") }
        if let explanation = grade.explanation { Console.say("  \(explanation)") }
    }
}
