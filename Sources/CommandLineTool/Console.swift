import ArgumentParser
import ContentModel
import Foundation
import OfflineStore
import Publishing
import SyncClient

/// What the program says: results on standard output, everything else on standard error.
enum Console {
    /// True when standard output is a terminal that may show colour.
    static let hasColour =
        isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil

    enum Style: String {
        case bold = "1"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case dim = "2"
    }

    static func styled(_ text: String, _ style: Style) -> String {
        hasColour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    static func say(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    static func say(json: JSONValue) {
        FileHandle.standardOutput.write(Data(json.prettyText.utf8))
    }

    static func note(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    /// `1 file`, `2 files`.
    static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// With two digits after the point.
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

/// A line that shows how far something long has come; nothing where no one watches.
struct ProgressLine: Sendable {
    private let isShown = isatty(STDERR_FILENO) == 1
    private let start = ContinuousClock.now

    /// Redraws the line, once the work has lasted a second.
    func show(_ done: Int, of total: Int, _ what: String) {
        guard isShown, total > 0, ContinuousClock.now - start > .seconds(1) else { return }
        let filled = 30 * done / total
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
        FileHandle.standardError.write(Data("\r\(bar) \(done)/\(total) \(what)\u{1B}[K".utf8))
    }

    func end() {
        if isShown { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
    }
}

/// The documented exit codes.
enum ExitStatus {
    static let contentErrors = ExitCode(1)
    static let drift = ExitCode(2)
    static let network = ExitCode(3)
    static let notFound = ExitCode(4)
    static let busy = ExitCode(5)
    static let files = ExitCode(6)

    static func of(_ error: PublishingError) -> ExitCode {
        switch error.code {
        case .contentErrors: contentErrors
        case .drift: drift
        case .busy: busy
        case .noSuchRelease, .invalidRequest: notFound
        case .unreadable, .unwritable: files
        }
    }
}

/// Runs a command and turns every error into one clear message and a documented exit code.
func reportingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
        return try await body()
    } catch let error as PublishingError {
        FileHandle.standardOutput.write(Data(ProblemReport.text(error.problems).utf8))
        Console.note("underway: \(error.message)")
        throw ExitStatus.of(error)
    } catch let error as StoreError {
        Console.note("underway: \(error.message)")
        throw error.code == .notFound ? ExitStatus.notFound : ExitStatus.files
    } catch let error as SyncFailure {
        Console.note("underway: \(error.message)")
        throw error.code == .storage ? ExitStatus.files : ExitStatus.network
    } catch let error as ServiceProblem {
        Console.note("underway: \(error.message)")
        throw error.status == 409 || error.status == 400 ? ExitStatus.notFound : ExitStatus.network
    } catch let error as ContentError {
        FileHandle.standardOutput.write(Data(ProblemReport.text(error.problems).utf8))
        Console.note("underway: \(error)")
        throw ExitStatus.contentErrors
    } catch let error as ManifestError {
        Console.note("underway: \(error)")
        throw ExitStatus.contentErrors
    }
}

/// The moment in the two forms that publishing takes.
struct Moment {
    let seconds: Int
    let text: String

    init(_ date: Date = Date()) {
        seconds = Int(date.timeIntervalSince1970)
        text = date.formatted(.iso8601)
    }
}
