import ArgumentParser
import ContentModel
import ContentServer
import Foundation
import OfflineStorage
import Publishing
import Review
import SyncClient
import Tables
import Workflows

/// A failed command: a message, the place, and the documented exit code.
struct CommandFailure: Error {
    /// The kind of failure; scripts may rely on names and numbers.
    enum Code: String, CaseIterable {
        case contentErrors
        case drift
        case network
        case notFound
        case busy
        case files
        case refused
        case pending
        case usage
        case unexpected

        /// The exit status of the process; docs/operators.md has the table.
        var exitCode: ExitCode {
            switch self {
            case .contentErrors: ExitStatus.contentErrors
            case .drift: ExitStatus.drift
            case .network: ExitStatus.network
            case .notFound: ExitStatus.notFound
            case .busy: ExitStatus.busy
            case .files: ExitStatus.files
            case .refused: ExitStatus.refused
            case .pending: ExitStatus.pending
            case .usage: ExitCode.validationFailure
            case .unexpected: ExitStatus.unexpected
            }
        }

        /// The meaning as one clause, for the manual.
        var meaning: String {
            switch self {
            case .contentErrors:
                "the content, or what else was checked, has errors, or a device cannot read a release"
            case .drift: "served files were edited by hand"
            case .network: "the network or the server failed"
            case .notFound: "there is no such release, content, record, account or store"
            case .busy: "another publish is running, or a server uses the database"
            case .files: "a file cannot be read or written"
            case .refused:
                "the server refused, as for a wrong password, or data that was not sent would be lost"
            case .pending: "nothing is published yet: the release needs signatures of other authors"
            case .usage: "wrong usage"
            case .unexpected: "a bug in the program"
            }
        }

        /// The meaning in a few words, for the overview of the help.
        var label: String {
            switch self {
            case .contentErrors: "errors found"
            case .drift: "served files edited"
            case .network: "network"
            case .notFound: "not found"
            case .busy: "busy"
            case .files: "file error"
            case .refused: "refused"
            case .pending: "signatures missing"
            case .usage: "wrong usage"
            case .unexpected: "bug"
            }
        }

        init?(_ exitCode: ExitCode) {
            guard let code = Self.allCases.first(where: { $0.exitCode == exitCode }) else {
                return nil
            }
            self = code
        }
    }

    /// The kind of failure.
    var code: Code
    /// The reason and the remedy, as one or two sentences.
    var message: String
    /// The file, folder or address that the failure is about, if any.
    var place: String?
    /// The problems of the content, if they are the reason.
    var problems: [Problem] = []
    /// True when the command has printed the reason already.
    var isReported = false

    init(_ code: Code, _ message: String, place: String? = nil, problems: [Problem] = []) {
        self.code = code
        self.message = message
        self.place = place ?? problems.first.map(Self.place)
        self.problems = problems
    }

    /// Creates a failure whose reason the command has printed in its own words.
    static func reported(_ code: Code, _ message: String, place: String? = nil) -> CommandFailure {
        var failure = CommandFailure(code, message, place: place)
        failure.isReported = true
        return failure
    }

    private static func place(of problem: Problem) -> String {
        "\(problem.file):\(problem.position.line):\(problem.position.column)"
    }

    /// The member `error` of the JSON document.
    var json: JSONValue {
        .compact([
            "code": .string(code.rawValue), "exitCode": .integer(Int(code.exitCode.rawValue)),
            "message": .string(message), "place": place.map { .string($0) },
            "problems": problems.isEmpty ? nil : ProblemReport.json(problems)["problems"],
        ])
    }
}

// MARK: From the errors of the parts

extension CommandFailure {
    /// Translates an error of any module; an unknown one becomes `unexpected`.
    init(_ error: any Error) {
        switch error {
        case let error as CommandFailure: self = error
        case let error as PublishingError:
            self.init(Self.code(of: error), error.message, problems: error.problems)
        case let error as ContentError:
            self.init(.contentErrors, "\(error)", problems: error.problems)
        case let error as ReviewError: self.init(Self.code(of: error), error.message)
        case let error as WorkflowError: self.init(error)
        case StorageError.busy: self.init(.busy, "The database is busy. Try again in a moment.")
        case StorageError.noAccount: self.init(.notFound, "There is no such account any more.")
        case let error as RequestError: self.init(.refused, error.message)
        case let error as ManifestError: self.init(.contentErrors, "\(error)")
        case let error as StoreError: self.init(Self.code(of: error), error.message)
        case let error as SyncError:
            self.init(
                Self.code(of: error),
                error.message
                    + (error.code == .insecureAddress ? NetworkOptions.insecureAdvice : ""))
        case let error as AddressError: self.init(.usage, error.message)
        case let error as ServiceError where error.code == .offline:
            self.init(
                .network,
                "The server cannot be reached (offline). Nothing was lost; try again later.")
        case let error as ServiceError:
            self.init(
                Self.code(of: error),
                error.message
                    + (error.code == .insecureAddress ? NetworkOptions.insecureAdvice : ""))
        case let error as SetupError:
            self.init(.files, error.message, place: error.path)
        case is CancellationError: self.init(.network, "It was cancelled; nothing was lost.")
        default:
            self = Self.ofSystem(error)
        }
    }

    private static func code(of error: PublishingError) -> Code {
        switch error.code {
        case .contentErrors: .contentErrors
        case .drift: .drift
        case .busy: .busy
        case .needsSignatures, .keyPermissions, .rootExpired, .pendingIsStale: .refused
        case .isPending: .pending
        case .noSuchRelease, .noSuchContent: .notFound
        case .invalidRequest: .usage
        case .unreadable, .unwritable: .files
        }
    }

    private static func code(of error: ReviewError) -> Code {
        switch error.code {
        case .unreadableRelease: .files
        case .notFound: .notFound
        case .isDecided: .refused
        case .key, .reason: .usage
        }
    }

    /// Says what holds, and why the rest does not.
    private init(_ error: WorkflowError) {
        self =
            error.cause.map { CommandFailure($0) }
            ?? CommandFailure(
                error.code == .notFound ? .notFound : .refused, "")
        message = [error.message, message].filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func code(of failure: SyncError) -> Code {
        switch failure.code {
        case .storage: .files
        case .badManifest, .unsupportedSchema: .contentErrors
        case .untrusted, .expired, .rolledBack: .refused
        default: .network
        }
    }

    private static func code(of error: StoreError) -> Code {
        switch error.code {
        case .notFound: .notFound
        case .refused, .unsent, .outdated: .refused
        case .vetoed, .banned: .contentErrors
        default: .files
        }
    }

    private static func code(of problem: ServiceError) -> Code {
        switch problem.status {
        case 404: problem.code == .unspecified ? .network : .notFound
        case 429: .network
        case 400..<500: .refused
        default: .network
        }
    }

    /// Translates an error of the file system, of a database, or of an unknown source.
    private static func ofSystem(_ error: any Error) -> CommandFailure {
        if let failure = ofPostgres(error) { return failure }
        if let error = StoreError(ofDatabase: error) {
            return CommandFailure(.files, error.message)
        }
        if let error = error as? CocoaError {
            let path = error.userInfo[NSFilePathErrorKey] as? String
            let place = path ?? (error.userInfo[NSURLErrorKey] as? URL)?.path
            return CommandFailure(
                .files,
                "\(place ?? "A file") cannot be read or written (is the disk full, and do the files"
                    + " belong to this user?).", place: place)
        }
        if error is POSIXError {
            return CommandFailure(.files, "A file cannot be read or written: \(error).")
        }
        return CommandFailure(
            .unexpected, "An unexpected error occurred: \(error). Please report this bug.")
    }
}

extension JSONValue {
    /// Returns the member of an object; `nil` if there is none.
    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// Returns an object with further members; other values unchanged.
    func with(_ more: [String: JSONValue]) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.merging(more, uniquingKeysWith: { $1 }))
    }
}

/// Runs a command and turns every error into one clear message and a documented exit code.
func reportingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
        return try await body()
    } catch let error where !(error is ExitCode) {
        throw CommandFailure(error)
    }
}
