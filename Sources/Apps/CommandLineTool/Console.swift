import ArgumentParser
import ContentModel
import Foundation
import Synchronization

/// The output of the program: results on standard output, everything else on standard error.
///
/// With `--json` standard output is one JSON document, so all text for people goes to standard
/// error, and the document is written when the command ends (``CommandEnding``).
enum Console {
    /// True when JSON (or SARIF) was requested.
    static let isJSON = asksForJSON(CommandLine.arguments.dropFirst())

    /// True when standard output is a terminal that may show colour.
    static let hasColour =
        !isJSON && isatty(STDOUT_FILENO) == 1
        && ProcessInfo.processInfo.environment["NO_COLOR"] == nil

    private static let result = Mutex<JSONValue?>(nil)
    private static let outputHasFailed = Mutex(false)

    enum Style: String {
        case bold = "1"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case dim = "2"
    }

    /// Returns whether JSON is requested, before the arguments are parsed: wrong usage is reported
    /// in JSON too.
    private static func asksForJSON(_ arguments: ArraySlice<String>) -> Bool {
        let arguments = arguments.prefix { $0 != "--" }
        if arguments.contains("--json") { return true }
        guard arguments.first == "check" else { return false }
        let words = arguments.flatMap { $0.split(separator: "=", maxSplits: 1) }
        return zip(words, words.dropFirst()).contains {
            $0 == "--format" && ($1 == "json" || $1 == "sarif")
        }
    }

    static func styled(_ text: String, _ style: Style) -> String {
        hasColour ? "\(styleMark)[\(style.rawValue)m\(text)\(styleMark)[0m" : text
    }

    /// The placeholder of ESC in text that was styled here, which no other text can contain.
    private static let styleMark = "\u{1B}\(UInt64.random(in: .min ... .max))"

    /// Escapes control characters: text may come from a manifest, a server or a file.
    static func shown(_ text: String) -> String {
        guard hasColour else { return TerminalText.escaped(text) }
        return text.components(separatedBy: styleMark).map(TerminalText.escaped)
            .joined(separator: "\u{1B}")
    }

    /// Prints text for people.
    static func say(_ text: String) {
        isJSON ? note(text) : write(shown(text) + "\n")
    }

    /// Prints the result in the requested form.
    static func say(_ text: @autoclosure () -> String, json: @autoclosure () -> JSONValue) {
        isJSON ? say(json: json()) : say(text())
    }

    /// Stores the result in JSON, which is written when the command ends.
    static func say(json: JSONValue) {
        guard isJSON else { return write(json.prettyText) }
        result.withLock { $0 = json }
    }

    /// Stores the result in its JSON form.
    static func say(result: some Encodable) throws { say(json: try JSONValue(encoding: result)) }

    /// Writes one of many results at once, as a line of JSON.
    static func say(jsonLine json: JSONValue) {
        write(String(decoding: json.canonicalBytes, as: UTF8.self) + "\n")
    }

    /// Prints a prompt, without ending the line.
    static func ask(_ prompt: String) {
        guard isJSON else { return write(shown(prompt)) }
        emit(Data(shown(prompt).utf8), to: .standardError)
    }

    /// Prints text that is not a result, on standard error.
    static func note(_ text: String) {
        emit(Data((shown(text) + "\n").utf8), to: .standardError)
    }

    /// Writes to standard output.
    static func write(_ text: String) { write(Data(text.utf8)) }

    /// Writes to standard output; the command ends with a failure if this fails.
    static func write(_ data: Data) {
        if !emit(data, to: .standardOutput) { outputHasFailed.withLock { $0 = true } }
    }

    /// True when some output could not be written, as to a file on a full disk.
    static var hasLostOutput: Bool { outputHasFailed.withLock { $0 } }

    @discardableResult
    static func emit(_ data: Data, to handle: FileHandle) -> Bool {
        do {
            try handle.write(contentsOf: data)
            return true
        } catch {
            return false
        }
    }

    /// Returns the stored result in JSON, and removes it.
    static func takeResult() -> JSONValue? {
        result.withLock { value in
            defer { value = nil }
            return value
        }
    }

    /// Returns a number with its noun: `1 file`, `2 files`.
    static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Returns a number with two decimals.
    static func decimal(_ value: Double) -> String {
        String(format: "%.2f", value)
    }

    static func bytes(_ count: Int) -> String {
        switch count {
        case ..<1_000: "\(count) B"
        case ..<1_000_000: "\(Double(count / 100) / 10) kB"
        default: "\(Double(count / 100_000) / 10) MB"
        }
    }
}

/// A progress line on a terminal; nothing elsewhere.
struct ProgressLine: Sendable {
    private let isShown = isatty(STDERR_FILENO) == 1
    private let start = ContinuousClock.now

    /// Redraws the line, once the operation has lasted a second.
    func show(_ done: Int, of total: Int, _ what: String) {
        guard isShown, total > 0, ContinuousClock.now - start > .seconds(1) else { return }
        let filled = 30 * done / total
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
        Console.emit(
            Data("\r\(bar) \(done)/\(total) \(TerminalText.escaped(what))\u{1B}[K".utf8),
            to: .standardError)
    }

    func end() {
        if isShown { Console.emit(Data("\r\u{1B}[K".utf8), to: .standardError) }
    }
}

/// The documented exit codes; 64 is that of wrong usage.
enum ExitStatus {
    static let contentErrors = ExitCode(1)
    static let drift = ExitCode(2)
    static let network = ExitCode(3)
    static let notFound = ExitCode(4)
    static let busy = ExitCode(5)
    static let files = ExitCode(6)
    static let refused = ExitCode(7)
    static let pending = ExitCode(8)
    static let unexpected = ExitCode(70)
}
