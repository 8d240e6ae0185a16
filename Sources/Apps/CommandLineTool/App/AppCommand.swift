import ArgumentParser
import Foundation
import Logging
import OfflineStorage
import ServiceLifecycle
import StudyModel
import StudyWeb
import SyncClient
import UnixSignals

struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Learn in the browser, with the study app; also offline.",
        discussion: """
            The app runs on this machine alone, and prints the address to open. With the address of a server it also \
            fetches new content and sends the user's data. Stop it with Ctrl-C: every step is saved. An open page \
            works again after the next start, unless another program uses its port.
            """,
        examples: ["underway app", "underway app http://127.0.0.1:8080/api/content/v2"])

    @Argument(
        help: """
            The address of the release for updates, for example http://127.0.0.1:8080/api/content/v2; without it \
            the app is offline.
            """)
    var url: String?

    @OptionGroup var store: StoreOptions

    @OptionGroup var network: NetworkOptions

    @OptionGroup var trust: TrustOptions

    @OptionGroup var chance: ChanceOptions

    @Option(
        help: """
            The port on 127.0.0.1; 0 chooses a free one. Without this option: the port of the last run, \
            if it is free.
            """)
    var port: Int?

    @Flag(
        help: """
            Print an address with 127.0.0.1, for a browser that does not find names ending in \
            .localhost. Browsers then send the app's cookie to other programs at 127.0.0.1 too, \
            so use it for one run: open pages do not work after it.
            """)
    var numericAddress = false

    @Flag(help: "Print JSON, also for errors.")
    var json = false

    func validate() throws {
        guard port.map({ (0...65_535).contains($0) }) != false else {
            throw ValidationError("--port takes numbers from 0 to 65535.")
        }
    }

    func run() async throws {
        try await reportingErrors {
            try await StudyAppProcess(
                store: store, network: network, trust: try trust.policy(), chance: chance, url: url,
                port: port, isNumeric: numericAddress, isJSON: json
            ).run()
        }
    }
}

/// The study app as a process: opens the stores, serves the pages, and syncs beside them.
struct StudyAppProcess {
    let store: StoreOptions
    let network: NetworkOptions
    /// The policy of trusted content.
    var trust = TrustPolicy.unsigned
    let chance: ChanceOptions
    let url: String?
    /// The port; `nil` for the last one, if it is free.
    var port: Int?
    /// True for an address with 127.0.0.1.
    var isNumeric = false
    /// True to print the address as one JSON document.
    var isJSON = false

    func run() async throws {
        let content = try store.open(making: true)
        let userData = try store.userData.openUserData(making: true)
        let transport = network.openTransport()
        defer { transport.close() }
        let folder = URL(fileURLWithPath: store.userData.store)
        let settings = DeviceFile(
            folder.appending(path: "study-settings.json"), initial: StudySettings())
        let log = DeviceFile(folder.appending(path: "study-syncs.json"), initial: SyncLog())
        let address = try url.map { try URL(address: $0) }
        let account = try address.flatMap { DeviceSync.server(of: $0) }.map { server in
            try store.userData.account(userData, transport, server: server)
        }
        let sync = address.map { makeSync(content, userData, transport, $0, account, log) }
        let services = StudyServices(
            content: content, userData: userData, sync: sync,
            announcements: AnnouncementCenter(content: content, userData: userData),
            account: DeviceStudyAccount(userData, account, settings: settings), settings: settings,
            syncLog: log, appVersion: store.appVersion, makeSeed: chance.seeds())
        await SessionPauses(services).pauseAll()
        // What cannot be written now is applied when a screen reads the bank.
        _ = try? userData.applyCorrections(of: content)
        var logger = Logger(label: "underway.app") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        try await serving(on: "127.0.0.1", port ?? 0) {
            let entrance = try await StudyEntrance(folder: folder, port: port, isNumeric: isNumeric)
            let pages = try StudyApplication.build(
                services, link: entrance.link, port: entrance.held.number, logger: logger
            ) { [isJSON] address, port in
                await entrance.opened(address, port: port, isJSON: isJSON)
            }
            var group: [ServiceGroupConfiguration.ServiceConfiguration] = [.init(service: pages)]
            if let sync { group.append(.init(service: StudySyncService(sync: sync))) }
            try await ServiceGroup(
                configuration: .init(
                    services: group, gracefulShutdownSignals: [.sigint, .sigterm], logger: logger)
            ).run()
            // Nobody else takes the port of `::1` until the pages are gone.
            withExtendedLifetime(entrance) {}
        }
    }

    private func makeSync(
        _ content: OfflineStore, _ userData: UserStore, _ transport: HTTPTransport,
        _ address: URL, _ account: Account?, _ log: DeviceFile<SyncLog>
    ) -> DeviceStudySync {
        let contentSync = ContentSync(
            store: content, transport: transport, releaseURL: address, trust: trust)
        var userDataSync: UserDataSync?
        if let account, let server = DeviceSync.server(of: address) {
            userDataSync = UserDataSync(
                store: userData, account: account, transport: transport, serverURL: server)
        }
        return DeviceStudySync(
            content: contentSync, store: userData, userData: userDataSync, log: log)
    }
}

/// Syncs at the start and then at the pace of the sync's schedule.
private struct StudySyncService: Service {
    /// The time between two looks at the schedule.
    private static let pause = Duration.seconds(60)

    let sync: DeviceStudySync

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await sync.syncWhenDue()
                // Ends early when the process ends.
                try? await Task.sleep(for: Self.pause)
            }
        }
    }
}
