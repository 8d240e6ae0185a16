import ArgumentParser
import ContentModel
import Foundation
import HTTPTransport
import OfflineStore
import SyncClient

/// Where a device's store is.
struct StoreOptions: ParsableArguments {
    @Option(help: "The folder of the device's store.")
    var store = ".underway-store"

    @Option(help: "The bundled generation, for a device that has nothing yet.")
    var bundle: String?

    func open() throws -> OfflineStore {
        let opened = try OfflineStore(folder: URL(fileURLWithPath: store))
        if let bundle {
            let bundle = ContentBundle(folder: URL(fileURLWithPath: bundle))
            try opened.installBundle(bundle, now: Date())
        }
        return opened
    }
}

struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Bring a device's store up to date with a served release.")

    @Argument(help: "The address of the release, as http://127.0.0.1:8080/api/content/v2.")
    var url: String

    @OptionGroup var store: StoreOptions

    @Flag(help: "Ask now, whenever the last check was.")
    var force = false

    @Option(parsing: .upToNextOption, help: "Languages whose audio to fetch too.")
    var audio: [String] = []

    @Flag(help: "Answer in JSON.")
    var json = false

    func validate() throws {
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
            throw ValidationError("The address must start with http:// or https://.")
        }
    }

    func run() async throws {
        try await reportingErrors {
            let transport = HTTPTransport()
            defer { transport.close() }
            let sync = ContentSync(store: try store.open(), transport: transport, baseURL: url)
            let report = try await withProgress(sync) {
                let report = await sync.run(force: force)
                for language in audio { _ = try await sync.files(.audio(language: language)) }
                return report
            }
            if json { Console.say(json: report.json) }
            if case .failed(let failure) = report.outcome { throw failure }
            if !json { Console.say(report.text) }
            if case .refused = report.outcome { throw ExitStatus.contentErrors }
        }
    }

    private func withProgress(
        _ sync: ContentSync, _ body: () async throws -> SyncReport
    ) async throws -> SyncReport {
        let events = sync.events()
        let watcher = Task {
            let line = ProgressLine()
            for await event in events {
                switch event {
                case .fetched(let document, let done, let total):
                    line.show(done, of: total, document.key)
                case .fileFetched(let name, let done, let total, _, _):
                    line.show(done, of: total, name)
                default: break
                }
            }
            line.end()
        }
        defer { watcher.cancel() }
        return try await body()
    }
}

extension SyncReport {
    var text: String {
        let moved =
            "\(Console.count(tally.blueprints, "blueprint")),"
            + " \(Console.count(tally.requests, "request")), \(Console.bytes(tally.bodyBytes))"
        return switch outcome {
        case .notDue(let date):
            "Checked not long ago; the next check is due at \(date.formatted(.iso8601))."
                + " --force asks now."
        case .upToDate: "Up to date (\(moved))."
        case .installed(let release): "Installed release \(release) (\(moved))."
        case .repaired(let count): "Repaired \(Console.count(count, "document")) (\(moved))."
        case .refused(let reason): "The new release was refused: \(reason)"
        case .failed(let failure): "Not synced: \(failure.message) What is installed stays."
        }
    }

    var json: JSONValue {
        let name: String
        var detail: JSONValue = .null
        switch outcome {
        case .notDue(let date): (name, detail) = ("notDue", .string(date.formatted(.iso8601)))
        case .upToDate: name = "upToDate"
        case .installed(let release): (name, detail) = ("installed", .integer(release))
        case .repaired(let count): (name, detail) = ("repaired", .integer(count))
        case .refused(let reason): (name, detail) = ("refused", .string(reason))
        case .failed(let failure): (name, detail) = ("failed", .string(failure.code.rawValue))
        }
        return [
            "outcome": .string(name), "detail": detail, "requests": .integer(tally.requests),
            "bodyBytes": .integer(tally.bodyBytes), "blueprints": .integer(tally.blueprints),
            "files": .integer(tally.files),
        ]
    }
}
