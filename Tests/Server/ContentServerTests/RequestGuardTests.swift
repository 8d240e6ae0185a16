import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import ContentServer

/// The guard behind NIO's parser without a socket: what goes on to the router, what is refused.
@Suite struct RequestGuardTests {
    /// Stands where the router does.
    private final class Router: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart
        var paths: [String] = []
        var bodyBytes = 0
        var errors = 0
        var context: ChannelHandlerContext?

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): paths.append(head.uri)
            case .body(let bytes): bodyBytes += bytes.readableBytes
            case .end: break
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { errors += 1 }

        func answer(_ status: HTTPResponseStatus) {
            let head = HTTPResponseHead(
                version: .http1_1, status: status, headers: ["content-length": "0"])
            context?.write(wrapOutboundOut(.head(head)), promise: nil)
            context?.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    private let channel = EmbeddedChannel()
    private let router = Router()

    init() throws { try addHandlers(RequestRules()) }

    private func addHandlers(_ rules: RequestRules) throws {
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false,
            withOutboundHeaderValidation: false, withEncoderConfiguration: .init(),
            withDecoderLimitConfiguration: {
                var limits = NIOHTTPDecoderLimitConfiguration()
                limits.maxHeaderListSize = 16 * 1024
                return limits
            }())
        let watch = ConnectionWatch(ConnectionLimits(), loop: channel.eventLoop)
        try channel.pipeline.syncOperations.addHandler(
            RequestGuard(watch, rules: rules, linger: .seconds(2), notes: RequestNotes()))
        try channel.pipeline.syncOperations.addHandler(router)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    /// What was written after some bytes came in.
    private func reply(_ text: String) throws -> String {
        // An error that the parser throws was answered before.
        _ = try? channel.writeInbound(ByteBuffer(string: text))
        return try received()
    }

    private func received() throws -> String {
        channel.embeddedEventLoop.run()
        var text = ""
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) {
            text += String(buffer: buffer)
        }
        return text
    }

    private func status(_ text: String) throws -> String {
        String(try reply(text).dropFirst(9).prefix(3))
    }

    // MARK: What is not HTTP

    @Test(arguments: [
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n",
        "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: user@a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n",
        "GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n",
        "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX : b\r\n\r\n",
        "GET / HTTP/1.1\nHost: a\n\n",
        "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: b\rc\r\n\r\n",
        "GET / HTTP/2.0\r\nHost: a\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}",
    ])
    func whatIsNotHTTPIsRefusedAndTheConnectionEnds(request: String) throws {
        let reply = try reply(request + "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(reply.hasPrefix("HTTP/1.1 400 Bad Request\r\n"), "\(reply)")
        #expect(reply.contains("connection: close\r\n"))
        #expect(reply.contains("x-content-type-options: nosniff\r\n"))
        #expect(reply.ranges(of: "HTTP/1.1 ").count == 1)
        #expect(router.paths.isEmpty)
        channel.embeddedEventLoop.advanceTime(by: .seconds(3))
        #expect(!channel.isActive)
    }

    @Test(arguments: ["gzip, chunked", "xchunked"])
    func otherTransferCodingsAreNotImplemented(coding: String) throws {
        let text = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \(coding)\r\n\r\n"
        #expect(try status(text) == "501")
    }

    @Test func aHeadThatIsTooLongIsRefused() throws {
        let field = "X: " + String(repeating: "x", count: 1000) + "\r\n"
        let head = "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: field, count: 20)
        #expect(try status(head + "\r\n") == "431")
    }

    @Test func aChunkThatIsNoneEndsTheRequestThatWaitsForIt() throws {
        let head = "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(try reply(head + "1\r\nx\r\n") == "")
        #expect(try status("zz\r\n") == "400")
        #expect(router.paths == ["/a"] && router.errors == 1)
        // What the router says afterwards is not sent.
        router.answer(.ok)
        #expect(try received() == "")
    }

    // MARK: Hosts

    @Test(arguments: [
        ("localhost:8090", "200"), ("127.0.0.1", "200"), ("[::1]:8090", "200"),
        ("LOCALHOST", "200"), ("mymac.local:8090", "200"), ("localhost.", "200"),
        ("evil.example", "421"), ("localhost.evil.example", "421"),
        ("127.0.0.1.evil.example", "421"),
        ("192.168.1.7", "421"), ("", "421"),
    ])
    func onlyHostsThatWereNamedAreAnswered(host: String, expected: String) throws {
        let rules = RequestRules(hosts: HostPolicy(names: ["mymac.local"]))
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: "/", headers: ["host": host])
        let refusal = rules.refusal(
            head, RequestFraming(head.headers), local: "10.0.0.2")
        #expect((refusal.map { "\($0.status.code)" } ?? "200") == expected)
    }

    /// A phone in the same network asks for the address itself, which is nobody else's name.
    @Test func theAddressThatWasConnectedToIsAHost() {
        let policy = HostPolicy()
        #expect(policy.allows("192.168.1.7:8090", local: "192.168.1.7"))
        #expect(policy.allows("[fd00::7]:8090", local: "fd00::7"))
        #expect(!policy.allows("192.168.1.8:8090", local: "192.168.1.7"))
        #expect(!policy.allows("192.168.1.7.evil.example", local: "192.168.1.7"))
    }

    // MARK: Expectations

    private let expecting =
        "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"

    @Test func aClientIsToldToGoOnOnlyOnceItsBodyIsRead() throws {
        #expect(try reply(expecting) == "")
        channel.pipeline.triggerUserOutboundEvent(BodyRequested(), promise: nil)
        #expect(try received() == "HTTP/1.1 100 Continue\r\n\r\n")
        #expect(try reply("hello") == "")
        #expect(router.bodyBytes == 5)
        router.answer(.ok)
        #expect(!(try received().contains("connection: close")))
        #expect(channel.isActive)
    }

    @Test func aClientThatWasNotToldGetsTheFinalReplyAndIsClosed() throws {
        #expect(try reply(expecting) == "")
        router.answer(.unauthorized)
        let text = try received()
        #expect(text.hasPrefix("HTTP/1.1 401") && text.contains("connection: close"))
        #expect(!text.contains("100 Continue"))
        // The body, sent anyway, is no next request.
        _ = try reply("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(router.paths == ["/a"])
    }

    @Test func otherExpectationsFail() throws {
        #expect(try status(expecting.replacing("100-continue", with: "gold")) == "417")
    }

    @Test func aBodyThatSaysThatItIsTooLongIsNotRead() throws {
        let text = try reply(expecting.replacing("5", with: "2097153"))
        #expect(text.hasPrefix("HTTP/1.1 413") && !text.contains("100 Continue"))
        #expect(router.paths.isEmpty)
    }

    // MARK: Order

    @Test func aRefusalWaitsForTheRepliesBeforeIt() throws {
        let good = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
        #expect(try reply(good + good + "GET /bad HTTP/1.1\r\n\r\n" + good) == "")
        router.answer(.ok)
        router.answer(.created)
        let text = try received()
        let codes = text.matches(of: /HTTP\/1\.1 (\d+)/).map { String($0.1) }
        #expect(codes == ["200", "201", "400"])
        #expect(router.paths == ["/a", "/a"])
    }

    @Test func aReplyBeforeTheEndOfALongBodyClosesTheConnection() throws {
        let head = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n"
        #expect(try reply(head + "x") == "")
        router.answer(.unauthorized)
        #expect(try received().contains("connection: close"))
        #expect(try reply(String(repeating: "x", count: 1000)) == "")
        #expect(router.bodyBytes == 1)
        channel.embeddedEventLoop.advanceTime(by: .seconds(3))
        #expect(!channel.isActive)
    }

    @Test func aReplyBeforeTheEndOfAShortBodyKeepsTheConnection() throws {
        let head = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n"
        #expect(try reply(head + "12345") == "")
        router.answer(.unauthorized)
        #expect(!(try received().contains("connection: close")))
        #expect(try reply("67890GET /b HTTP/1.1\r\nHost: a\r\n\r\n") == "")
        #expect(router.paths == ["/a", "/b"])
    }
}
