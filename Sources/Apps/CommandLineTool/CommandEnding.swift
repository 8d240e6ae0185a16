import ArgumentParser
import ContentModel
import Foundation
import Publishing

/// The end of the program: its last output and its exit code.
enum CommandEnding {
    /// Ends with success, and with the JSON document if one was requested.
    static func succeed() -> Never {
        if let result = Console.takeResult() { Console.write(result.prettyText) }
        guard Console.hasLostOutput else { exit(EXIT_SUCCESS) }
        Console.note(
            "underway: It was done, but the results could not be written to standard output. Is the"
                + " disk full?")
        exit(ExitStatus.files.rawValue)
    }

    /// Ends with an error of any kind.
    ///
    /// - Parameters:
    ///   - error: The error of a command or the parser.
    ///   - arguments: The arguments as typed, for a suggestion.
    static func fail(_ error: any Error, arguments: [String]) -> Never {
        if let failure = error as? CommandFailure { fail(failure) }
        let exitCode = Tool.exitCode(for: error)
        if error is ExitCode { fail(exitCode) }
        if exitCode == .success { help(error, arguments) }
        guard exitCode == .validationFailure else { fail(CommandFailure(error)) }
        if let mistyped = MistypedCommand(arguments, root: Tool.self) {
            fail(CommandFailure(.usage, mistyped.text))
        }
        guard Console.isJSON else { Tool.exit(withError: error) }
        fail(CommandFailure(.usage, Tool.message(for: error)))
    }

    /// Ends with help or the version: with success, except for help on an unknown command.
    private static func help(_ error: any Error, _ arguments: [String]) -> Never {
        if arguments.first == "help",
            let mistyped = MistypedCommand(arguments, root: Tool.self)
        {
            fail(CommandFailure(.usage, mistyped.text))
        }
        let text = Tool.fullMessage(for: error)
        let isOverview = text == Tool.helpMessage()
        guard Console.isJSON else {
            guard isOverview else { Tool.exit(withError: error) }
            Console.say(CommandOverview.text)
            succeed()
        }
        Console.say(
            json: text == Tool.version
                ? ["version": .string(text)]
                : ["help": .string(isOverview ? CommandOverview.text : text)])
        succeed()
    }

    /// Ends after the command has printed the reason itself.
    private static func fail(_ exitCode: ExitCode) -> Never {
        if Console.isJSON, exitCode != .success {
            let code = CommandFailure.Code(exitCode) ?? .unexpected
            write(CommandFailure(code, code.meaning))
        } else if let result = Console.takeResult() {
            Console.write(result.prettyText)
        }
        exit(exitCode.rawValue)
    }

    private static func fail(_ failure: CommandFailure) -> Never {
        if Console.isJSON {
            write(failure)
        } else if !failure.isReported {
            Console.write(Console.shown(ProblemReport.text(failure.problems)))
            Console.note("underway: \(failure.message)")
        }
        exit(failure.code.exitCode.rawValue)
    }

    /// Writes one document: the results so far, and the error.
    private static func write(_ failure: CommandFailure) {
        let result = Console.takeResult()
        if let result, result["$schema"] != nil {
            // A document of another format has no place for our members.
            return Console.write(result.prettyText)
        }
        guard case .object(var members)? = result else {
            let error: JSONValue = ["error": failure.json]
            return Console.write(error.prettyText)
        }
        members["error"] = failure.json
        Console.write(JSONValue.object(members).prettyText)
    }
}
