import Foundation
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import ServiceAPI

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Answers requests for published files that are in memory, straight behind NIO's HTTP parser.
///
/// What it does not know (ranges, unknown paths, bodies, files not in memory) goes on to the
/// router, and while the router works on a request of this connection so does everything that
/// follows on it, so that answers keep their order. Answers are written past the encoder, as
/// bytes that are ready: head, date, body.
final class PublishedFileHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Current {
        case none
        case ours(HTTPRequestHead, ServedFile, FileAnswer)
        case routers
    }

    private let files: ReleaseFiles
    private let log: AccessLog?
    private var current = Current.none
    /// Requests that the router has not answered yet.
    private var routerRequests = 0
    private var clock = HeaderClock()
    private var encoder: ChannelHandlerContext?

    init(files: ReleaseFiles, log: AccessLog?) {
        self.files = files
        self.log = log
    }

    func handlerAdded(context: ChannelHandlerContext) {
        encoder = try? context.pipeline.syncOperations.context(
            handlerType: HTTPResponseEncoder.self)
    }

    func handlerRemoved(context: ChannelHandlerContext) { encoder = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            if routerRequests == 0, let (file, answer) = answer(head) {
                current = .ours(head, file, answer)
            } else {
                current = .routers
                routerRequests += 1
                context.fireChannelRead(data)
            }
        case .body:
            if case .routers = current { context.fireChannelRead(data) }
        case .end:
            if case .ours(let head, let file, let answer) = current {
                write(context, head, file, answer)
            } else {
                context.fireChannelRead(data)
            }
            current = .none
        }
    }

    func write(
        context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
        if case .end = unwrapOutboundIn(data) { routerRequests -= 1 }
        context.write(data, promise: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent {
            if routerRequests == 0 { context.close(promise: nil) }
            return
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func answer(_ head: HTTPRequestHead) -> (ServedFile, FileAnswer)? {
        guard head.method == .GET || head.method == .HEAD, head.version == .http1_1,
            head.uri.utf8.starts(with: Self.prefix.utf8),
            let file = files.cached(String(head.uri.dropFirst(Self.prefix.count)))
        else { return nil }
        var request = FileRequest(isHead: head.method == .HEAD)
        for (name, value) in head.headers {
            // Comparing lengths first leaves most fields unread.
            switch name.utf8.count {
            case 13 where name.lowercased() == "if-none-match": request.ifNoneMatch = value
            case 15 where name.lowercased() == "accept-encoding": request.acceptEncoding = value
            case 5 where name.lowercased() == "range": return nil
            case 6 where name.lowercased() == "expect": return nil
            case 14 where name.lowercased() == "content-length": return nil
            case 17 where name.lowercased() == "transfer-encoding": return nil
            default: break
            }
        }
        return (file, FileAnswer(request, to: file))
    }

    private func write(
        _ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ file: ServedFile,
        _ answer: FileAnswer
    ) {
        var status = 200
        let chosen: ServedFile.Representation
        switch answer {
        case .notModified(let index):
            status = 304
            chosen = file.representations[index]
        case .whole(let index): chosen = file.representations[index]
        case .part, .unsatisfiableRange: preconditionFailure("ranges go to the router")
        }
        var buffer = context.channel.allocator.buffer(capacity: 512)
        buffer.writeString(
            status == 304 ? "HTTP/1.1 304 Not Modified\r\n" : "HTTP/1.1 200 OK\r\n")
        buffer.writeString(Self.fields(file, chosen, isWhole: status == 200))
        buffer.writeString("date: ")
        buffer.writeString(clock.text)
        let closes = !head.isKeepAlive
        buffer.writeString(closes ? "\r\nconnection: close\r\n\r\n" : "\r\n\r\n")
        let sendsBody = status == 200 && head.method != .HEAD
        let target = encoder ?? context
        if sendsBody, let body = chosen.body {
            target.write(NIOAny(buffer), promise: nil)
            target.writeAndFlush(NIOAny(body), promise: nil)
        } else {
            target.writeAndFlush(NIOAny(buffer), promise: nil)
        }
        if closes { context.close(promise: nil) }
        log?.note(
            method: head.method.rawValue, path: head.uri, status: status,
            bytes: sendsBody ? chosen.size : 0)
    }

    /// The same fields as the router's answer has.
    private static func fields(
        _ file: ServedFile, _ chosen: ServedFile.Representation, isWhole: Bool
    ) -> String {
        var text = "etag: \(chosen.entityTag)\r\ncache-control: \(file.cacheControl)\r\n"
        if file.varies { text += "vary: accept-encoding\r\n" }
        guard isWhole else { return text }
        text += "content-type: \(file.contentType)\r\naccept-ranges: bytes\r\n"
        if chosen.coding != .identity { text += "content-encoding: \(chosen.coding.rawValue)\r\n" }
        return text + "content-length: \(chosen.size)\r\n"
    }

    private static let prefix = ContentRoutes.prefix + "/"
}

/// The current time as a field `Date` has it, made anew once a second.
struct HeaderClock {
    private var second = 0
    private var cached = ""

    var text: String {
        mutating get {
            var now = time(nil)
            guard now != second else { return cached }
            second = now
            var parts = tm()
            gmtime_r(&now, &parts)
            cached = Self.format(parts)
            return cached
        }
    }

    /// IMF-fixdate (RFC 9110, 5.6.7).
    static func format(_ parts: tm) -> String {
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        return "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)])"
            + " \(parts.tm_year + 1900) \(time) GMT"
    }
}

/// Hummingbird's HTTP/1 channel with a `PublishedFileHandler` between NIO's codec and its own.
struct PublishedFileChannel: ServerChildChannel {
    let base: HTTP1Channel
    let files: ReleaseFiles
    let log: AccessLog?

    func setup(
        channel: any Channel, logger: Logger
    ) -> EventLoopFuture<HTTP1Channel.Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let operations = channel.pipeline.syncOperations
            let codec = try operations.handler(type: HTTP1ToHTTPServerCodec.self)
            try operations.addHandler(
                PublishedFileHandler(files: files, log: log), position: .before(codec))
            let idle = IdleStateHandler(
                allTimeout: .seconds(Int64(ServiceLimits.connectionIdleSeconds)))
            try operations.addHandler(idle, position: .first)
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}
