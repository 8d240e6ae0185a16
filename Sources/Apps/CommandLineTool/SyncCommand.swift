import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import SyncClient

struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Fetch new content, and sync the user's data with the server.",
        discussion: """
            User data is synced if the address is that of an Underway server, which ends in /api/content/v2. A \
            static host has none. The first sync with data to send creates an account.
            """,
        examples: ["underway sync http://127.0.0.1:8080/api/content/v2"])

    @Argument(
        help: """
            The address of the release, for example http://127.0.0.1:8080/api/content/v2, or of its \
            manifest.json.
            """)
    var url: String

    @OptionGroup var store: StoreOptions

    @OptionGroup var network: NetworkOptions

    @OptionGroup var trust: TrustOptions

    @Flag(
        help: """
            Check now, even if the last check was recent or the host reports no change; read all stored content \
            again; install an older release too.
            """)
    var force = false

    @Option(help: "The most requests in flight for small files, 1 to 32.")
    var requestsInFlight = SyncSettings().requestsInFlight

    @Flag(help: "Install releases that this device refused or banned before.")
    var liftBans = false

    @Option(parsing: .upToNextOption, help: "Fetch the audio of these languages too.")
    var audio: [String] = []

    @Flag(help: "Sync content only.")
    var contentOnly = false

    @Flag(help: "Print JSON, also for errors.")
    var json = false

    func validate() throws {
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
            throw ValidationError("The address must start with http:// or https://.")
        }
        guard (1...32).contains(requestsInFlight) else {
            throw ValidationError("--requests-in-flight takes numbers from 1 to 32.")
        }
    }

    func run() async throws {
        try await reportingErrors {
            let transport = network.openTransport()
            defer { transport.close() }
            let content = try store.open(making: true)
            if liftBans { try content.liftBans() }
            var settings = SyncSettings()
            settings.requestsInFlight = requestsInFlight
            let address = try URL(address: url)
            let sync = ContentSync(
                store: content, transport: transport, releaseURL: address, settings: settings,
                trust: try trust.policy())
            let device = DeviceSync(
                content: sync, transport: transport, address: address,
                userData: contentOnly ? nil : store.userData.userDataAccess(transport))
            let result = try await showingProgress(of: sync) {
                try await device.sync(force: force, audio: audio)
            }
            let summary = DeviceSyncSummary(result, appVersion: store.appVersion)
            json ? try Console.say(result: summary) : say(result)
            if let failure = result.failure { throw CommandFailure(failure, address: url) }
        }
    }

    /// Prints the result for people.
    private func say(_ result: DeviceSyncResult) {
        let report = result.content
        if case .failed = report.outcome {
            for line in report.remarks { Console.note(line) }
            if let moved = result.userData, report.couldNotSave || moved.couldNotSave {
                Console.note(moved.text(nil))
            }
            return
        }
        Console.say(report.text)
        for line in report.remarks { Console.say(line) }
        if report.isRefused, !report.isUndelivered {
            Console.say("This device runs version \(store.appVersion).")
        }
        if let moved = result.userData { Console.say(moved.text(result.status)) }
        for corrected in result.correctedResults { Console.say(corrected.text) }
        for audio in result.unfetchedAudio { Console.note("underway: \(audio.text)") }
    }

    /// Runs a body while showing the progress of the content.
    private func showingProgress<Value>(
        of sync: ContentSync, _ body: () async throws -> Value
    ) async throws -> Value {
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

extension CommandFailure {
    /// Translates a failed sync, which the command has reported except for content that failed.
    init(_ failure: DeviceSyncFailure, address: String) {
        self.init(
            Self.code(of: failure), failure.message + Self.advice(on: failure.cause, address))
        if failure.code == .content { place = address } else { isReported = true }
    }

    /// Returns the remedy in the terms of the command, after a space; empty where the message has it.
    private static func advice(on error: SyncError?, _ address: String) -> String {
        guard let error else { return "" }
        if error.code == .insecureAddress { return NetworkOptions.insecureAdvice }
        guard error.code == .offline, let host = URL(string: address)?.host(),
            !error.message.contains(host)
        else { return "" }
        return " Is this device online, and does a server run at \(address)?"
    }

    private static func code(of failure: DeviceSyncFailure) -> Code {
        switch failure.code {
        case .content: failure.cause.map { CommandFailure($0).code } ?? .network
        case .lastCheck, .undelivered, .userData: .network
        case .refused: .contentErrors
        case .audio where failure.cause?.code == .notFound: .notFound
        case .audio: failure.cause.map { CommandFailure($0).code } ?? .network
        case .userDataNotSaved: .files
        }
    }
}
