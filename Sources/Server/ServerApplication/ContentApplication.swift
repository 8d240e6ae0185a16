import Accounts
import Boards
package import ContentDatabase
package import ContentServer
package import Foundation
package import Hummingbird
import HummingbirdCore
package import Ledger
import LiveEvents
package import Logging
import NIOCore
import NIOPosix
import Operations
package import Review
import ServiceAPI
package import ServiceLifecycle
package import Telemetry

/// The configuration of a server.
package struct ServerOptions: Sendable {
    /// The release directory.
    package var release: String
    /// The address for listening.
    package var host: String
    /// The port for listening; 0 chooses a free one.
    package var port: Int
    /// The number of event loop threads.
    package var threads: Int
    /// The log of requests; `nil` for none.
    package var accessLog: AccessLog?
    /// The service for accounts and user data; `nil` for a server of content only.
    package var users: UserBackend?
    /// The content tables, which the server fills from the release; `nil` without a database.
    package var tables: ContentTables?
    /// The wall clock of the limits on content requests.
    package var clock: @Sendable () -> Date = { Date() }
    /// The source of development events; `nil` for a server of releases.
    package var development: DevelopmentBroadcast?
    /// The proxies whose `X-Forwarded-For` is trusted.
    package var proxies = ProxyTrust.nobody
    /// The limits on the number and the duration of connections.
    package var connections = ConnectionLimits()
    /// The host names that the server accepts; `nil` for all.
    package var hosts: HostPolicy?
    /// The folder of user data; the server is ready only while it is writable.
    package var dataFolder: String?
    /// True to review the keys of the release by users' answers.
    package var reviewsKeys = false
    /// The facilities of questions, which the review of keys counts.
    package let answerShares = ItemFacilities()
    /// A function that adds the routes of pages beside the interface; `nil` for none.
    package var pages: (@Sendable (Router<ServerContext>) -> Void)?
    /// The metrics of the server; `nil` for none.
    package var metrics: ServerMetrics?
    /// The address of the metrics; `nil` for none.
    package var metricsAddress: MetricsAddress?
    /// The tracer of requests; the default gives each request an identity and records none.
    package var tracer = SpanTracer.silent
    /// The exporter of the tracer's spans, which the server runs; `nil` for none.
    package var traces: TraceExporter?
    /// The time of the last refresh of the boards.
    let refreshes = RefreshTimes()
    /// Further metrics, such as those of a connection pool, read for each scrape.
    package var numbers: @Sendable () async -> [MetricSample] = { [] }
    /// A function that is called with the actual port when the server listens.
    package var onListening: @Sendable (Int) async -> Void

    /// Creates a configuration.
    package init(
        release: String, host: String = "127.0.0.1", port: Int = 8080,
        threads: Int = max(1, ProcessInfo.processInfo.activeProcessorCount),
        accessLog: AccessLog? = nil, users: UserBackend? = nil,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        self.release = release
        self.host = host
        self.port = port
        self.threads = threads
        self.accessLog = accessLog
        self.users = users
        self.onListening = onListening
    }
}

/// The composition root of the server; tests and the command line call the same functions.
package enum ContentApplication {
    /// Builds the whole server as one service, which runs until a graceful shutdown.
    package static func build(_ options: ServerOptions, logger: Logger) -> some Service {
        let files = ReleaseFiles(root: options.release, refusals: RefusalLog(logger))
        let notes = RequestNotes(log: options.accessLog, metrics: options.metrics)
        let readiness = Readiness(
            files: files, users: options.users, dataFolder: options.dataFolder)
        let registry = ConnectionRegistry(options.connections, proxies: options.proxies)
        let broadcast = EventBroadcast(options.users, logger: logger)
        let server = HTTPServerBuilder { responder in
            PublishedFileChannel(
                base: HTTP1Channel(
                    responder: responder,
                    configuration: .init(
                        httpDecoderConfiguration: .init(
                            maxHeaderListSize: ServiceLimits.requestHeaderBytesMax))),
                files: files, notes: notes, limits: options.connections, hosts: options.hosts,
                registry: registry)
        }
        return Application(
            responder: responder(
                files: files, notes: notes, readiness: readiness, broadcast: broadcast,
                options: options, logger: logger),
            server: server,
            configuration: .init(
                address: .hostname(options.host, port: options.port),
                availableConnectionsDelegate: MaximumAvailableConnections(
                    options.connections.all)),
            services: upkeep(options, files, broadcast, logger)
                + metricsServer(options, files, readiness, registry, broadcast, logger),
            onServerRunning: { channel in
                await options.onListening(channel.localAddress?.port ?? options.port)
            },
            eventLoopGroupProvider: .shared(
                MultiThreadedEventLoopGroup(numberOfThreads: options.threads)),
            logger: logger)
    }

    /// Builds the routes only, with the content tables, for tests without a socket.
    package static func responder(
        release: String, tables: ContentTables, clock: @escaping @Sendable () -> Date,
        logger: Logger
    ) -> some HTTPResponder<ServerContext> {
        var options = ServerOptions(release: release)
        options.tables = tables
        options.clock = clock
        return responder(options, logger)
    }

    /// Builds the routes only, for tests without a socket.
    package static func responder(
        release: String, users: UserBackend? = nil, logger: Logger
    ) -> some HTTPResponder<ServerContext> {
        responder(ServerOptions(release: release, users: users), logger)
    }

    private static func responder(
        _ options: ServerOptions, _ logger: Logger
    ) -> some HTTPResponder<ServerContext> {
        let files = ReleaseFiles(root: options.release, refusals: RefusalLog(logger))
        return responder(
            files: files, notes: RequestNotes(metrics: options.metrics),
            readiness: Readiness(
                files: files, users: options.users, dataFolder: options.dataFolder),
            broadcast: EventBroadcast(options.users, logger: logger), options: options,
            logger: logger)
    }

    /// Returns the service that shows the numbers, if they have an address.
    private static func metricsServer(
        _ options: ServerOptions, _ files: ReleaseFiles, _ readiness: Readiness,
        _ registry: ConnectionRegistry, _ broadcast: EventBroadcast, _ logger: Logger
    ) -> [any Service] {
        guard let metrics = options.metrics, let address = options.metricsAddress else { return [] }
        let watch = options.users?.uptake.map {
            UptakeWatch($0, clock: options.clock, logger: logger)
        }
        return [
            MetricsServer(metrics: metrics, address: address, logger: logger) {
                var samples = await readiness.samples()
                samples += [
                    MetricSample("underway_connections", Double(registry.count)),
                    MetricSample("underway_connections_max", Double(options.connections.all)),
                    MetricSample("underway_event_watchers", Double(broadcast.watcherCount)),
                ]
                if let age = options.refreshes.ageSeconds(at: options.clock()) {
                    samples.append(.init("underway_boards_refresh_age_seconds", age))
                }
                if let release = files.release {
                    samples.append(.init("underway_release", Double(release)))
                }
                return samples + (options.traces?.samples ?? [])
                    + (await watch?.samples() ?? []) + ProcessNumbers.samples()
                    + (await options.numbers())
            }
        ]
    }

    private static func upkeep(
        _ options: ServerOptions, _ files: ReleaseFiles, _ broadcast: EventBroadcast,
        _ logger: Logger
    ) -> [any Service] {
        var services: [any Service] = []
        if let exporter = options.traces {
            services.append(TraceExportService(exporter: exporter))
        }
        if let log = options.accessLog { services.append(AccessLogService(log: log)) }
        if let users = options.users {
            services.append(PurgeService(users: users, logger: logger))
            if let boards = users.boards {
                services.append(
                    BoardRefreshService(
                        boards: boards, regrader: users.regrader, release: options.release,
                        times: options.refreshes,
                        logger: logger))
            }
            if let events = users.events {
                services.append(
                    EventUpkeepService(events: events, clock: users.clock, logger: logger))
                services.append(broadcast)
            }
            if let administration = users.administration {
                services.append(
                    ReleaseAudit(
                        files: files, administration: administration,
                        host: ProcessInfo.processInfo.hostName))
            }
            let adoption = users.uptake.map { AdoptionMonitor($0, clock: users.clock) }
            if options.reviewsKeys,
                let review = KeyReviewService(
                    users, release: options.release, shares: options.answerShares, logger: logger,
                    watch: { try await adoption?.follow($0) })
            {
                services.append(review)
            }
            if let difficulties = users.difficulties {
                services.append(
                    DifficultyService(
                        difficulties: difficulties, release: options.release, logger: logger))
            }
        }
        if let tables = options.tables {
            services.append(
                FillService(tables: tables, release: options.release, logger: logger))
        }
        if let development = options.development { services.append(development) }
        return services
    }

    static func responder(
        files: ReleaseFiles, notes: RequestNotes, readiness: Readiness, broadcast: EventBroadcast,
        options: ServerOptions, logger: Logger
    ) -> some HTTPResponder<ServerContext> {
        let router = Router(context: ServerContext.self)
        router.addReplies(tracer: options.tracer, notes: notes, logger: logger)
        HealthController(readiness: readiness).addRoutes(to: router)
        if let users = options.users {
            let caller = RequestAuthenticator(
                users.authentication, rates: users.rateLimits, proxies: options.proxies)
            UserRoutes.add(to: router, users: users, caller: caller, metrics: notes.metrics) {
                // The exchange is committed, whatever becomes of a count for the operator; the device says it again.
                try? await users.uptake?.note($0, of: $1, client: $2, newest: files.release)
            }
            router.get(RouterPath(UserDataRoutes.description)) { request, _ in
                RequestAuthenticator.response(PackageResources.openapi_json, request)
            }
            if users.boards != nil {
                BoardController(users: users, caller: caller).addRoutes(to: router)
            }
            OperationsController(users: users, caller: caller).addRoutes(to: router)
            if users.events != nil {
                EventController(users: users, caller: caller, broadcast: broadcast).addRoutes(
                    to: router)
            }
        }
        if let development = options.development {
            DevelopmentController(broadcast: development).addRoutes(to: router)
        }
        options.pages?(router)
        ExamController(options: options).addRoutes(to: router)
        ContentController(files: files).addRoutes(to: router)
        return router.buildResponder()
    }
}

/// Flushes the log once a second and at shutdown.
private struct AccessLogService: Service {
    let log: AccessLog

    func run() async throws {
        // Cancelled at shutdown; the last lines are flushed below.
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try await Task.sleep(for: .seconds(1))
                log.flush()
            }
        }
        log.flush()
    }
}

/// Purges expired data once an hour.
private struct PurgeService: Service {
    let users: UserBackend
    let logger: Logger

    func run() async throws {
        // Cancelled at shutdown; the next start purges the rest.
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                // A failure of the disk may have passed in an hour.
                _ = try? await users.purge()
                if let days = users.upkeepClock?.daysAhead {
                    logger.warning(
                        "nothing old is deleted until the clock has been so for a day",
                        metadata: ["daysAheadOfTheLastUpkeep": "\(days)"])
                }
                await users.warnOfDamage()
                try await Task.sleep(for: .seconds(3600))
            }
        }
    }
}
