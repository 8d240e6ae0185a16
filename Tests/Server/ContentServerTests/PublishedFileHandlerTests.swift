import NIOCore
import NIOEmbedded
import NIOHTTP1
import Publishing
import TestSupport
import Testing

@testable import ContentServer

/// The handler in a pipeline without a socket: bytes in, bytes out, and what went on to the
/// router.
@Suite struct PublishedFileHandlerTests {
    /// Stands where the router does: keeps what it gets.
    private final class Router: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart
        var paths: [String] = []
        var context: ChannelHandlerContext?

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .head(let head) = unwrapInboundIn(data) { paths.append(head.uri) }
        }

        func answer(_ status: HTTPResponseStatus) {
            let head = HTTPResponseHead(
                version: .http1_1, status: status, headers: ["content-length": "0"])
            context?.write(wrapOutboundOut(.head(head)), promise: nil)
            context?.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    private let folder: TemporaryFolder
    private let files: ReleaseFiles
    private let channel = EmbeddedChannel()
    private let router = Router()

    init() async throws {
        folder = try TemporaryFolder()
        try folder.writeContent()
        _ = try Publisher(
            folder: folder.path + "/content", releaseDirectory: folder.path + "/release"
        )
        .publish(nowSeconds: 1_900_000_000, generatedAt: "t")
        files = ReleaseFiles(root: folder.path + "/release")
        // What the router serves once is in memory from then on.
        for path in ["manifest.json", "blueprints/es.json"] { _ = try await files.load(path) }
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false,
            withOutboundHeaderValidation: false)
        try channel.pipeline.syncOperations.addHandler(
            PublishedFileHandler(files: files, notes: RequestNotes()))
        try channel.pipeline.syncOperations.addHandler(router)
    }

    private func send(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }

    private func received() throws -> String {
        var text = ""
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) {
            text += String(buffer: buffer)
        }
        return text
    }

    private func get(_ path: String, _ headers: String = "") -> String {
        "GET /api/content/v2/\(path) HTTP/1.1\r\nHost: a\r\n\(headers)\r\n"
    }

    @Test func aFileInMemoryIsAnsweredWithoutTheRouter() throws {
        try send(get("blueprints/es.json"))
        let answer = try received()
        let body = try folder.text("release/blueprints/es.json")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.contains("content-length: \(body.utf8.count)\r\n"))
        #expect(answer.contains("cache-control: no-cache\r\n"))
        #expect(answer.contains("vary: accept-encoding\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n" + body))
        #expect(router.paths.isEmpty)
    }

    @Test func aMatchingTagIsAnsweredWith304() async throws {
        let tag = try #require(try await files.load("manifest.json")?.plain.entityTag)
        try send(get("manifest.json", "If-None-Match: \(tag)\r\n"))
        let answer = try received()
        #expect(answer.hasPrefix("HTTP/1.1 304 Not Modified\r\netag: \(tag)\r\n"))
        #expect(answer.hasSuffix(" GMT\r\n\r\n"))
    }

    @Test func headHasNoBody() throws {
        try send(get("blueprints/es.json").replacing("GET", with: "HEAD"))
        #expect(try received().hasSuffix("GMT\r\n\r\n"))
    }

    @Test(arguments: [
        "GET /api/content/v2/blueprints/en.json HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /api/content/v2/blueprints/es.json HTTP/1.1\r\nHost: a\r\nRange: bytes=1-\r\n\r\n",
        "GET /api/content/v2/blueprints/es.json HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx",
        "GET /api/content/v2/blueprints/es.json HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n",
        "GET /api/content/v2/blueprints/es.json HTTP/1.0\r\n\r\n",
        "POST /api/content/v2/blueprints/es.json HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
        "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n",
    ])
    func everythingElseGoesToTheRouter(request: String) throws {
        try send(request)
        #expect(router.paths.count == 1)
        #expect(try received().isEmpty)
    }

    @Test func whileTheRouterWorksAnswersKeepTheirOrder() throws {
        try send(get("blueprints/en.json") + get("blueprints/es.json"))
        #expect(router.paths.count == 2)
        #expect(try received().isEmpty)
        router.answer(.accepted)
        router.answer(.created)
        // The router has answered everything: the next request is ours again.
        try send(get("blueprints/es.json"))
        let answer = try received()
        #expect(answer.hasPrefix("HTTP/1.1 202"))
        #expect(answer.contains("HTTP/1.1 201"))
        #expect(router.paths.count == 2)
        #expect(answer.contains("HTTP/1.1 200 OK"))
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() throws {
        try send(get("blueprints/es.json") + get("manifest.json"))
        let answer = try received()
        let first = try #require(answer.firstRange(of: "\"kind\":\"placement\""))
        let second = try #require(answer.firstRange(of: "\"schemaVersion\":2"))
        #expect(first.upperBound < second.lowerBound)
    }

    @Test func aRequestInPiecesIsAnsweredOnce() throws {
        let request = get("blueprints/es.json")
        for byte in request.utf8 { try channel.writeInbound(ByteBuffer(bytes: [byte])) }
        #expect(try received().ranges(of: "HTTP/1.1 200").count == 1)
    }

    @Test func aClientThatWantsToCloseIsClosed() throws {
        try send(get("blueprints/es.json", "Connection: close\r\n"))
        #expect(try received().contains("connection: close\r\n"))
        #expect(!channel.isActive)
    }

    @Test func afterAPublishTheOldManifestIsNotAnsweredFromMemory() throws {
        try folder.writeBlueprint("es", key: 1)
        _ = try Publisher(
            folder: folder.path + "/content", releaseDirectory: folder.path + "/release"
        )
        .publish(nowSeconds: 1_900_000_000, generatedAt: "t")
        try send(get("manifest.json") + get("blueprints/es.json"))
        #expect(router.paths.count == 2)
    }

    @Test func theDateIsAnIMFFixdate() {
        var clock = HeaderClock()
        #expect(
            clock.text.wholeMatch(
                of: /(Sun|Mon|Tue|Wed|Thu|Fri|Sat), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/)
                != nil)
    }
}
