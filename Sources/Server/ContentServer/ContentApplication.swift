public import Foundation
public import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
import NIOPosix
import ServiceAPI
public import ServiceLifecycle

/// How the server runs.
public struct ServerOptions: Sendable {
    /// The release directory.
    public var release: String
    /// The address to listen on.
    public var host: String
    /// The port to listen on; 0 takes a free one.
    public var port: Int
    /// How many threads answer.
    public var threads: Int
    /// Where requests are logged; `nil` for nowhere.
    public var accessLog: AccessLog?
    /// Called with the real port once the server listens.
    public var onListening: @Sendable (Int) async -> Void

    /// Describes a server.
    public init(
        release: String, host: String = "127.0.0.1", port: Int = 8080,
        threads: Int = max(1, ProcessInfo.processInfo.activeProcessorCount),
        accessLog: AccessLog? = nil,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        self.release = release
        self.host = host
        self.port = port
        self.threads = threads
        self.accessLog = accessLog
        self.onListening = onListening
    }
}

/// Builds the server; tests and the command line call the same function.
public enum ContentApplication {
    /// Everything that the server does, as one service: it serves until a graceful shutdown.
    public static func build(_ options: ServerOptions, logger: Logger) -> some Service {
        let files = ReleaseFiles(root: options.release)
        let log = options.accessLog
        let server = HTTPServerBuilder { responder in
            PublishedFileChannel(
                base: HTTP1Channel(
                    responder: responder,
                    configuration: .init(
                        httpDecoderConfiguration: .init(
                            maxHeaderListSize: ServiceLimits.requestHeaderBytesMax))),
                files: files, log: log)
        }
        return Application(
            responder: responder(files: files, log: log, logger: logger), server: server,
            configuration: .init(
                address: .hostname(options.host, port: options.port),
                availableConnectionsDelegate: MaximumAvailableConnections(
                    ServiceLimits.connectionsMax)),
            services: log.map { [AccessLogService(log: $0)] } ?? [],
            onServerRunning: { channel in
                await options.onListening(channel.localAddress?.port ?? options.port)
            },
            eventLoopGroupProvider: .shared(
                MultiThreadedEventLoopGroup(numberOfThreads: options.threads)),
            logger: logger)
    }

    /// The routes alone, for tests that need no socket.
    public static func responder(
        release: String, logger: Logger
    ) -> some HTTPResponder<BasicRequestContext> {
        responder(files: ReleaseFiles(root: release), log: nil, logger: logger)
    }

    static func responder(
        files: ReleaseFiles, log: AccessLog?, logger: Logger
    ) -> some HTTPResponder<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self)
        if let log { router.add(middleware: AccessLogMiddleware(log: log)) }
        router.add(middleware: NotFoundMiddleware())
        router.get("/health/live") { _, _ in HTTPResponse.Status.ok }
        router.get("/health/ready") { _, _ -> Response in
            files.isReady
                ? Response(status: .ok)
                : ProblemDocument.response(
                    .serviceUnavailable, "There is no release to serve yet. Publish one.")
        }
        ContentController(files: files, logger: logger).addRoutes(to: router)
        return router.buildResponder()
    }
}

/// Notes what the router answered.
private struct AccessLogMiddleware<Context: RequestContext>: RouterMiddleware {
    let log: AccessLog

    @concurrent func handle(
        _ request: Request, context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        log.note(
            method: request.method.rawValue, path: request.uri.path,
            status: response.status.code, bytes: response.body.contentLength ?? 0)
        return response
    }
}

/// Turns the router's own errors into problem documents.
private struct NotFoundMiddleware<Context: RequestContext>: RouterMiddleware {
    @concurrent func handle(
        _ request: Request, context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError {
            return ProblemDocument.response(error.status, "There is nothing at this address.")
        }
    }
}

/// Writes the log out once a second and at the end.
private struct AccessLogService: Service {
    let log: AccessLog

    func run() async throws {
        // Cancelled at shutdown; the last lines are written then.
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try await Task.sleep(for: .seconds(1))
                log.flush()
            }
        }
        log.flush()
    }
}
