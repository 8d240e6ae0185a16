import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import Publishing
import ServiceAPI
import SyncClient
import UserData

/// Where a device's store is.
struct StoreOptions: ParsableArguments {
    /// The folder that is used when none is named.
    static let defaultFolder = ".underway-store"

    @Option(
        help: "The folder of the device's store (default: .underway-store).",
        transform: PathArgument.path)
    var store = StoreOptions.defaultFolder

    @Option(
        help: "The bundled generation, for a device that has nothing yet.",
        transform: PathArgument.path)
    var bundle: String?

    @Option(
        help: """
            The version of the app that this device runs; with a new one, what an older one refused is \
            tried again.
            """)
    var appVersion = Tool.version

    @Option(
        help: "A content folder whose underway.yaml declares the app's collections.",
        transform: PathArgument.path)
    var declared: String?

    /// Opens answers, sessions and records; in the same folder, in a database of their own.
    ///
    /// - Parameter making: True to make a store where there is none; what only reads never does, since
    ///   a mistyped folder would look like an empty one.
    /// - Returns: The store.
    /// - Throws: `CommandFailure` when there is none, or `StoreError`.
    func openUserData(making: Bool = false) throws -> UserStore {
        if !making { try demandStore() }
        try Folder.demandNoFile(store, "--store")
        let settings = try declared.map { try UserDataSettings.read(folder: $0) }
        return try UserStore(
            folder: URL(fileURLWithPath: store),
            collections: settings?.collections.map(\.declaration) ?? [])
    }

    /// How the device speaks for its user to a server.
    func account(_ store: UserStore, _ transport: HTTPTransport, server: URL) throws -> Account {
        let folder = URL(fileURLWithPath: self.store).appending(path: "secrets")
        return Account(
            store: store, secrets: try FileSecretStore(folder: folder), transport: transport,
            serverURL: server)
    }

    /// Opens the content.
    ///
    /// - Parameter making: True to make a store where there is none; with a bundle one is always made.
    /// - Returns: The store.
    /// - Throws: `CommandFailure` when there is none, or `StoreError`.
    func open(making: Bool = false) throws -> OfflineStore {
        let bundle = try wholeBundle(making: making)
        if !making, bundle == nil { try demandStore() }
        try Folder.demandNoFile(store, "--store")
        let opened = try OfflineStore(
            folder: URL(fileURLWithPath: store), appVersion: appVersion)
        if let bundle { Self.install(bundle, into: opened) }
        return opened
    }
}

extension StoreOptions {
    /// The bundle that was named; `nil` when there is none, which only who has no store either has to know
    /// first.
    private func wholeBundle(making: Bool) throws -> ContentBundle? {
        guard let bundle else { return nil }
        guard !FileManager.default.fileExists(atPath: "\(bundle)/manifest.json") else {
            return ContentBundle(folder: URL(fileURLWithPath: bundle))
        }
        let failure = CommandFailure(
            .notFound,
            "There is no bundle in \(bundle): it has no manifest.json. `underway bundle FOLDER` writes"
                + " one from a release.", place: bundle)
        guard try making || DeviceFolder(path: store).hasStore() else { throw failure }
        Console.note("underway: \(failure.message)")
        return nil
    }

    /// Lets a bundle answer.
    ///
    /// What is wrong with it is said, and keeps nobody from what is whole.
    private static func install(_ bundle: ContentBundle, into store: OfflineStore) {
        do {
            try store.installBundle(bundle, now: Date())
        } catch {
            Console.note("underway: \(CommandFailure(error).message) The rest of it is used.")
        }
    }

    private func demandStore() throws {
        guard try !DeviceFolder(path: store).hasStore() else { return }
        throw CommandFailure(
            .notFound,
            "There is no device's store in \(store), and none was made. Name the right folder with"
                + " --store, or make a store: `underway sync URL` fetches content into it.",
            place: store)
    }
}

/// How the device reaches servers.
struct NetworkOptions: ParsableArguments {
    @Flag(
        help: """
            Speak plain HTTP with other machines too; others on the way can read the user's tokens \
            and change the content.
            """)
    var insecureHttp = false

    func openTransport() -> HTTPTransport { HTTPTransport(allowsInsecureHTTP: insecureHttp) }
}

struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Bring a device up to date: content from a served release, user data both ways.",
        discussion: """
            User data moves when the address is that of an Underway server, which ends in \
            /api/content/v2; a static host has none. An account is made when there is something to \
            send and none yet.
            """)

    @Argument(
        help: """
            The address of the release, as http://127.0.0.1:8080/api/content/v2, or of its \
            manifest.json.
            """)
    var url: String

    @OptionGroup var store: StoreOptions

    @OptionGroup var network: NetworkOptions

    @Flag(
        help: """
            Ask now and without a condition, whenever the last check was and whatever the host says has \
            not changed; read all that is stored again; install an older release too.
            """)
    var force = false

    @Option(help: "The most requests in flight for small files, 1 to 32.")
    var requestsInFlight = SyncSettings().requestsInFlight

    @Flag(help: "Install releases that were refused or banned on this device before.")
    var liftBans = false

    @Option(parsing: .upToNextOption, help: "Languages whose audio to fetch too.")
    var audio: [String] = []

    @Flag(help: "Leave user data alone.")
    var contentOnly = false

    @Flag(help: "Answer in JSON.")
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
            let sync = ContentSync(
                store: content, transport: transport, baseURL: try URL(address: url),
                settings: settings)
            let (report, unfetched) = await withProgress(sync) {
                let report = await sync.run(force: force)
                if case .failed = report.outcome { return (report, [UnfetchedAudio]()) }
                return (report, await UnfetchedAudio.fetch(audio, by: sync))
            }
            let moved = try await movedUserData(transport)
            if json {
                Console.say(
                    json: report.json(moved, unfetched: unfetched, appVersion: store.appVersion))
            }
            if case .failed(let failure) = report.outcome {
                if !json { for line in report.remarks { Console.note(line) } }
                if !json, let moved, report.couldNotSave || moved.couldNotSave {
                    Console.note(moved.text(nil))
                }
                var failure = CommandFailure(failure)
                failure.place = url
                throw failure
            }
            if !json {
                Console.say(report.text)
                for line in report.remarks { Console.say(line) }
                if report.isRefused, !report.isUndelivered {
                    Console.say("This device runs version \(store.appVersion).")
                }
                if let moved { Console.say(moved.text(try? self.store.openUserData().status())) }
                for audio in unfetched { Console.note("underway: \(audio.text)") }
            }
            if let problem = report.lastProblem {
                throw CommandFailure.said(.network, "The last check failed: \(problem)")
            }
            switch report.outcome {
            case .refused(let reason), .banned(let reason):
                throw CommandFailure.said(
                    report.isUndelivered ? .network : .contentErrors, reason)
            default: break
            }
            if !report.refused.isEmpty {
                throw CommandFailure.said(
                    report.isUndelivered ? .network : .contentErrors,
                    report.remarks.joined(separator: " "))
            }
            if let failure = UnfetchedAudio.failure(unfetched) { throw failure }
            if let moved, let problem = moved.problem, !moved.serverHasNoUserData {
                throw CommandFailure.said(
                    moved.couldNotSave ? .files : .network, "User data not synced: \(problem)")
            }
        }
    }

    /// Moves user data; a disk in its way is reported beside what became of content.
    private func movedUserData(_ transport: HTTPTransport) async throws -> UserDataReport? {
        do {
            return try await syncUserData(transport)
        } catch {
            let failure = CommandFailure(error)
            guard failure.code == .files else { throw failure }
            var report = UserDataReport()
            report.problem = failure.message
            report.couldNotSave = true
            return report
        }
    }

    /// `nil` where there is no server of user data, or nothing to speak about.
    private func syncUserData(_ transport: HTTPTransport) async throws -> UserDataReport? {
        let trimmed = url.asReleaseAddress
        guard !contentOnly else { return nil }
        guard trimmed.hasSuffix(ContentRoutes.prefix) else { return try unserved() }
        let server = try URL(address: String(trimmed.dropLast(ContentRoutes.prefix.count)))
        let userData = try store.openUserData(making: true)
        if userData.user == UserStore.localUser, try userData.status().waitingCount == 0 {
            return nil
        }
        let account = try store.account(userData, transport, server: server)
        let report = await UserDataSync(
            store: userData, account: account, transport: transport, serverURL: server
        ).sync()
        return report.serverHasNoUserData ? try unserved() : report
    }

    /// What to say of user data where no server takes it: nothing, unless something waits.
    private func unserved() throws -> UserDataReport? {
        let waiting = try store.openUserData().status().waitingCount
        guard waiting > 0 else { return nil }
        var report = UserDataReport()
        report.serverHasNoUserData = true
        report.problem =
            "\(Console.count(waiting, "change")) \(waiting == 1 ? "waits" : "wait") on this device, and"
            + " there is no server of user data at this address (one ends in"
            + " \(ContentRoutes.prefix) and was started with --data)."
        return report
    }

    private func withProgress(
        _ sync: ContentSync, _ body: () async -> (SyncReport, [UnfetchedAudio])
    ) async -> (SyncReport, [UnfetchedAudio]) {
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
        return await body()
    }
}

extension SyncReport {
    /// True when the disk did not take what was fetched.
    var couldNotSave: Bool {
        if case .failed(let failure) = outcome { failure.code == .storage } else { false }
    }

    /// True when the app cannot use what the host has, or a part of it.
    var isRefused: Bool {
        switch outcome {
        case .refused, .banned: true
        default: !refused.isEmpty
        }
    }

    /// True when all that is missing of the release did not arrive yet.
    var isUndelivered: Bool {
        !refused.isEmpty && unlistedRefusedCount == 0 && refused.allSatisfy(\.isTriedAgain)
    }

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
        case .refused where isUndelivered:
            "The newest release is installed, but for what has not arrived yet (\(moved))."
        case .refused where !refused.isEmpty:
            "The newest release is installed, but for what this version cannot read (\(moved))."
        case .refused(let reason): "The new release was refused: \(reason)"
        case .banned(let reason):
            "The newest release is banned on this device: \(reason) What is installed stays."
                + " Publish a corrected release, or try this one again with --lift-bans."
        case .keptNewer(let installed, let offered, let until):
            "Kept release \(installed): the host offers the older release \(offered), as a copy of it"
                + " does that is behind. That one is installed if it is still offered at"
                + " \(until.formatted(.iso8601)), or with --force."
        case .failed(let failure): "Not synced: \(failure.message) What is installed stays."
        }
    }

    /// What the last check met, and what this version could not read, a line for each document.
    var remarks: [String] {
        if let lastProblem { return ["The last check failed: \(lastProblem)"] }
        let base = contentBaseProblem.map { [$0] } ?? []
        guard !refused.isEmpty || !partial.isEmpty else { return base }
        let lines = refused.map { document in
            let shown = document.shownRelease.map { "Release \($0) of it stays." }
            let state = document.isTriedAgain ? "Not here yet" : "Not readable here"
            return "\(state): \(document) \(shown ?? "There is no earlier one.")"
        }
        let isForNewer = !partial.isEmpty || refused.contains { !$0.isTriedAgain }
        let more = unlistedRefusedCount > 0 ? ["And \(unlistedRefusedCount) more."] : []
        return base + lines + more + partial.map { "Left out: \($0)" }
            + (isForNewer ? ["A newer version may read them."] : [])
    }

    func json(
        _ moved: UserDataReport?, unfetched: [UnfetchedAudio], appVersion: String
    ) -> JSONValue {
        let name: String
        var detail: JSONValue = .null
        switch outcome {
        case .notDue(let date): (name, detail) = ("notDue", .string(date.formatted(.iso8601)))
        case .upToDate: name = "upToDate"
        case .installed(let release): (name, detail) = ("installed", .integer(release))
        case .repaired(let count): (name, detail) = ("repaired", .integer(count))
        case .refused(let reason): (name, detail) = ("refused", .string(reason))
        case .banned(let reason): (name, detail) = ("banned", .string(reason))
        case .keptNewer(let installed, let offered, let until):
            name = "keptNewer"
            detail = [
                "installed": .integer(installed), "offered": .integer(offered),
                "until": .string(until.formatted(.iso8601)),
            ]
        case .failed(let failure): (name, detail) = ("failed", .string(failure.code.rawValue))
        }
        return .compact([
            "outcome": .string(name), "detail": detail, "requests": .integer(tally.requests),
            "bodyBytes": .integer(tally.bodyBytes), "blueprints": .integer(tally.blueprints),
            "files": .integer(tally.files), "appVersion": .string(appVersion),
            "userData": moved?.json,
            "unfetchedAudio": unfetched.isEmpty ? nil : .array(unfetched.map(\.json)),
            "refused": .array(refused.map(\.json)),
            "refusedCount": .integer(refused.count + unlistedRefusedCount),
            "leftOut": .array(partial.map(\.json)),
            "contentBaseProblem": contentBaseProblem.map { .string($0) },
        ])
    }
}

extension RefusedDocument {
    var json: JSONValue {
        .compact([
            "kind": .string(kind?.rawValue ?? "files"), "key": .string(key),
            "release": .integer(release), "reason": .string(reason),
            "shownRelease": shownRelease.map { .integer($0) },
        ])
    }
}

extension PartialDocument {
    var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "key": .string(key), "count": .integer(leftOutCount),
            "reason": .string(reason),
        ]
    }
}

extension UserDataReport {
    /// What moved, and what waits as far as that is known.
    func text(_ status: UserDataStatus?) -> String {
        var text =
            "User data: sent \(pushed), received \(pulled)"
            + " (\(Console.count(requests, "request")), \(Console.bytes(sentBytes)) up,"
            + " \(Console.bytes(receivedBytes)) down)."
        if let problem {
            let end = problem.hasSuffix(".") ? "" : "."
            text = "User data not synced: \(problem)\(end) Nothing is lost."
        }
        guard !serverHasNoUserData, let status else { return text }
        let more = [
            status.waitingCount > 0 ? "\(status.waitingCount) wait" : nil,
            status.conflictCount > 0
                ? "\(Console.count(status.conflictCount, "conflict")) (underway conflicts list)"
                : nil,
            status.rejectedCount > 0 ? "\(status.rejectedCount) refused (underway outbox)" : nil,
        ].compactMap { $0 }
        return more.isEmpty ? text : text + " " + more.joined(separator: ", ") + "."
    }

    var json: JSONValue {
        .compact([
            "problem": problem.map { .string($0) }, "isUnserved": serverHasNoUserData ? true : nil,
            "requests": .integer(requests),
            "sentBytes": .integer(sentBytes), "receivedBytes": .integer(receivedBytes),
            "pushed": .integer(pushed), "pulled": .integer(pulled),
        ])
    }
}
