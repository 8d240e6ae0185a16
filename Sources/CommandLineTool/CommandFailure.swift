import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import Publishing
import ServiceAPI
import SyncClient
import UserService

/// Why a command did not do what was asked: a message, the place, and the documented exit code.
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
        case usage
        case unexpected

        /// What the process ends with; the table stands in docs/operators.md.
        var exitCode: ExitCode {
            switch self {
            case .contentErrors: ExitStatus.contentErrors
            case .drift: ExitStatus.drift
            case .network: ExitStatus.network
            case .notFound: ExitStatus.notFound
            case .busy: ExitStatus.busy
            case .files: ExitStatus.files
            case .refused: ExitStatus.refused
            case .usage: ExitCode.validationFailure
            case .unexpected: ExitStatus.unexpected
            }
        }

        /// What it means, in words for the help.
        var meaning: String {
            switch self {
            case .contentErrors: "what was checked has errors, or a device refused a release"
            case .drift: "served files were edited by hand"
            case .network: "the network or the server failed"
            case .notFound: "there is no such release, content, record or store"
            case .busy: "another publish is running"
            case .files: "a file cannot be read or written"
            case .refused: "the server, or a safeguard, refused: a wrong password, unsent data"
            case .usage: "wrong usage"
            case .unexpected: "a mistake of the program"
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
    /// What went wrong and what to do, as one or two sentences.
    var message: String
    /// The file, folder or address that it is about, where there is one.
    var place: String?
    /// The problems of the content, when they are the reason.
    var problems: [Problem] = []
    /// True when the command itself has told people already.
    var isSaid = false

    init(_ code: Code, _ message: String, place: String? = nil, problems: [Problem] = []) {
        self.code = code
        self.message = message
        self.place = place ?? problems.first.map(Self.place)
        self.problems = problems
    }

    /// A failure that people have been told of in the command's own words.
    static func said(_ code: Code, _ message: String, place: String? = nil) -> CommandFailure {
        var failure = CommandFailure(code, message, place: place)
        failure.isSaid = true
        return failure
    }

    private static func place(of problem: Problem) -> String {
        "\(problem.file):\(problem.position.line):\(problem.position.column)"
    }

    /// The `error` member of an answer in JSON.
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
    /// The failure that an error of any part amounts to; what nobody foresaw is `unexpected`.
    init(_ error: any Error) {
        switch error {
        case let error as CommandFailure: self = error
        case let error as PublishingError:
            self.init(Self.code(of: error), error.message, problems: error.problems)
        case let error as ContentError:
            self.init(.contentErrors, "\(error)", problems: error.problems)
        case let error as ManifestError: self.init(.contentErrors, "\(error)")
        case let error as StoreError: self.init(Self.code(of: error), error.message)
        case let error as SyncError:
            self.init(Self.code(of: error), error.message)
        case let error as AddressError: self.init(.usage, error.message)
        case let error as ServiceError where error.code == .offline:
            self.init(
                .network,
                "The server cannot be reached (offline). Nothing was lost; try again later.")
        case let error as ServiceError: self.init(Self.code(of: error), error.message)
        case let error as UserServiceSetupError:
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
        case .noSuchRelease, .noSuchContent: .notFound
        case .invalidRequest: .usage
        case .unreadable, .unwritable: .files
        }
    }

    private static func code(of failure: SyncError) -> Code {
        switch failure.code {
        case .storage: .files
        case .badManifest, .unsupportedSchema: .contentErrors
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

    /// What the file system, a database or something unknown says, in words that help.
    private static func ofSystem(_ error: any Error) -> CommandFailure {
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
            .unexpected, "Something happened that nobody foresaw: \(error). Please report it.")
    }
}

extension JSONValue {
    /// The member of an object; `nil` where there is none.
    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
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
