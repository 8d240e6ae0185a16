import ContentServer
public import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded

/// The server's real routes, called without a socket.
public struct InProcessRouter: Sendable {
    /// What the router answered, with its whole body.
    public struct Answer: Sendable {
        public var status: HTTPResponse.Status
        public var headers: HTTPFields
        public var body: [UInt8]
    }

    private let respond: @Sendable (HTTPRequest) async throws -> Answer

    public init(release: String) {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let quiet = logger
        let responder = ContentApplication.responder(release: release, logger: quiet)
        respond = { head in
            let context = ServerContext(
                source: ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: quiet))
            let response = try await responder.respond(
                to: Request(head: head, body: RequestBody(buffer: ByteBuffer())), context: context)
            let collector = BodyCollector()
            try await response.body.write(collector)
            return Answer(
                status: response.status, headers: response.headers, body: collector.bytes)
        }
    }

    public func get(_ path: String, _ headers: HTTPFields = [:]) async throws -> Answer {
        try await send(.get, path, headers)
    }

    public func send(
        _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields = [:]
    ) async throws -> Answer {
        try await respond(
            HTTPRequest(
                method: method, scheme: "http", authority: "test", path: path,
                headerFields: headers))
    }
}

/// Takes in what a body writes.
private final class BodyCollector: ResponseBodyWriter {
    var bytes: [UInt8] = []

    func write(_ buffer: ByteBuffer) async throws { bytes += Array(buffer: buffer) }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
