package import ContentDatabase
import ContentServer
package import Foundation
package import HTTPTypes
import Hummingbird
package import Ledger
package import Logging
import NIOCore
import NIOEmbedded
import ServerApplication

/// The server's real routes, called without a socket.
package struct InProcessRouter: Sendable {
    /// What the router answered, with its whole body.
    package struct Answer: Sendable {
        package var status: HTTPResponse.Status
        package var headers: HTTPFields
        package var body: [UInt8]

        package init(status: HTTPResponse.Status, headers: HTTPFields, body: [UInt8]) {
            (self.status, self.headers, self.body) = (status, headers, body)
        }
    }

    private let respond: @Sendable (HTTPRequest, [UInt8]) async throws -> Answer

    package init(release: String, users: UserBackend? = nil) {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let quiet = logger
        self.init(
            ContentApplication.responder(release: release, users: users, logger: quiet), quiet)
    }

    package init(
        release: String, tables: ContentTables, clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let quiet = logger
        self.init(
            ContentApplication.responder(
                release: release, tables: tables, clock: clock, logger: quiet), quiet)
    }

    /// The routes with a log that a test reads.
    package init(release: String, users: UserBackend, logger: Logger) {
        self.init(
            ContentApplication.responder(release: release, users: users, logger: logger), logger)
    }

    private init(_ responder: some HTTPResponder<ServerContext>, _ quiet: Logger) {
        respond = { head, body in
            let context = ServerContext(
                source: ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: quiet))
            let response = try await responder.respond(
                to: Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: body))),
                context: context)
            let collector = BodyCollector()
            try await response.body.write(collector)
            return Answer(
                status: response.status, headers: response.headers, body: collector.bytes)
        }
    }

    package func get(_ path: String, _ headers: HTTPFields = [:]) async throws -> Answer {
        try await send(.get, path, headers)
    }

    package func send(
        _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields = [:],
        body: [UInt8] = []
    ) async throws -> Answer {
        try await respond(
            HTTPRequest(
                method: method, scheme: "http", authority: "test", path: path,
                headerFields: headers), body)
    }
}

/// Takes in what a body writes.
private final class BodyCollector: ResponseBodyWriter {
    var bytes: [UInt8] = []

    func write(_ buffer: ByteBuffer) async throws { bytes += Array(buffer: buffer) }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
