import Foundation
package import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import ServiceAPI

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A channel handler directly behind NIO's HTTP parser that serves published files from memory.
///
/// All other requests (ranges, unknown paths, bodies, files not in memory) are passed to the
/// router. While the router works on a request, later requests of the connection are passed on too,
/// so that replies stay in order. Replies bypass the encoder: head, date and body are bytes
/// prepared in advance.
final class PublishedFileHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum RequestState {
        case none
        case file(HTTPRequestHead, ServedFile, FileReply)
        case routed
    }

    private let files: ReleaseFiles
    private let notes: RequestNotes
    private let watch: ConnectionWatch?
    private var current = RequestState.none
    /// The number of requests that the router has not replied to yet.
    private var routerRequests = 0
    private var clock = HeaderClock()
    private var lastAccepted: (field: String?, codings: Set<ContentCoding>)?
    private var encoder: ChannelHandlerContext?

    init(files: ReleaseFiles, notes: RequestNotes, watch: ConnectionWatch? = nil) {
        self.files = files
        self.notes = notes
        self.watch = watch
    }

    func handlerAdded(context: ChannelHandlerContext) {
        encoder = try? context.pipeline.syncOperations.context(
            handlerType: HTTPResponseEncoder.self)
    }

    func handlerRemoved(context: ChannelHandlerContext) { encoder = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            if routerRequests == 0, let (file, reply) = reply(to: head) {
                current = .file(head, file, reply)
            } else {
                current = .routed
                routerRequests += 1
                context.fireChannelRead(data)
            }
        case .body:
            if case .routed = current { context.fireChannelRead(data) }
        case .end:
            if case .file(let head, let file, let reply) = current {
                write(context, head, file, reply)
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

    private func reply(to head: HTTPRequestHead) -> (ServedFile, FileReply)? {
        guard head.method == .GET || head.method == .HEAD, head.version == .http1_1,
            head.uri.utf8.starts(with: Self.prefix.utf8),
            let file = files.cached(String(head.uri.dropFirst(Self.prefix.count)))
        else { return nil }
        var request = FileRequest(isHead: head.method == .HEAD)
        for (name, value) in head.headers {
            // Comparing lengths first leaves most fields unread.
            switch name.utf8.count {
            case 13 where name.isField("if-none-match"): request.ifNoneMatch = value
            case 15 where name.isField("accept-encoding"): request.acceptEncoding = value
            case 5 where name.isField("range"): return nil
            case 6 where name.isField("expect"): return nil
            case 14 where name.isField("content-length"): return nil
            case 17 where name.isField("transfer-encoding"): return nil
            default: break
            }
        }
        request.accepted = accepted(by: request.acceptEncoding)
        return (file, FileReply(request, to: file))
    }

    /// Returns the encodings that a field accepts; a client sends the same field with each request,
    /// so the last result is cached per connection.
    private func accepted(by field: String?) -> Set<ContentCoding> {
        if let known = lastAccepted, known.field == field { return known.codings }
        let codings = ContentCoding.accepted(by: field)
        lastAccepted = (field, codings)
        return codings
    }

    private func write(
        _ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ file: ServedFile,
        _ reply: FileReply
    ) {
        let chosen: ServedFile.Representation
        let isWhole: Bool
        switch reply {
        case .notModified(let index): (chosen, isWhole) = (file.representations[index], false)
        case .whole(let index): (chosen, isWhole) = (file.representations[index], true)
        case .part, .unsatisfiableRange: preconditionFailure("ranges go to the router")
        }
        let closes = !head.isKeepAlive
        var buffer = context.channel.allocator.buffer(capacity: 384)
        buffer.writeBytes(isWhole ? chosen.wholeHead : chosen.unchangedHead)
        buffer.writeString(clock.text)
        buffer.writeStaticString(closes ? "\r\nconnection: close\r\n\r\n" : "\r\n\r\n")
        let body = isWhole && head.method != .HEAD ? chosen.body : nil
        let target = encoder ?? context
        if let body {
            target.write(NIOAny(buffer), promise: nil)
            target.writeAndFlush(NIOAny(body), promise: nil)
        } else {
            target.writeAndFlush(NIOAny(buffer), promise: nil)
        }
        if closes { context.close(promise: nil) }
        watch?.replyEnded()
        notes.published(
            method: head.method.rawValue, path: head.uri, status: isWhole ? 200 : 304,
            bytes: body?.readableBytes ?? 0)
    }

    private static let prefix = ContentRoutes.prefix + "/"
}

extension String {
    /// Returns whether the name of a header field equals a lowercase name, ignoring case.
    func isField(_ lowercase: StaticString) -> Bool {
        var position = lowercase.utf8Start
        for byte in utf8 {
            let folded = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            guard folded == position.pointee else { return false }
            position += 1
        }
        return true
    }
}

/// The current time as the value of a field `Date`, formatted once a second.
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

    /// Formats a time as IMF-fixdate (RFC 9110, 5.6.7).
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
package struct PublishedFileChannel: ServerChildChannel {
    let base: HTTP1Channel
    let files: ReleaseFiles
    let notes: RequestNotes
    let limits: ConnectionLimits
    let hosts: HostPolicy?
    let registry: ConnectionRegistry

    package init(
        base: HTTP1Channel, files: ReleaseFiles, notes: RequestNotes, limits: ConnectionLimits,
        hosts: HostPolicy?, registry: ConnectionRegistry
    ) {
        self.base = base
        self.files = files
        self.notes = notes
        self.limits = limits
        self.hosts = hosts
        self.registry = registry
    }

    package func setup(
        channel: any Channel, logger: Logger
    ) -> EventLoopFuture<HTTP1Channel.Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let operations = channel.pipeline.syncOperations
            let codec = try operations.handler(type: HTTP1ToHTTPServerCodec.self)
            let watch = ConnectionWatch(limits, loop: channel.eventLoop, registry: registry)
            try operations.addHandlers(
                [
                    RequestGuard(
                        watch, rules: RequestRules(hosts: hosts), linger: TimeAmount(limits.linger),
                        notes: notes),
                    PublishedFileHandler(files: files, notes: notes, watch: watch),
                ], position: .before(codec))
            // Back pressure: nothing is read from a client that does not read its replies.
            try operations.addHandlers(
                [ConnectionGuard(watch, tick: limits.tick), BackPressureHandler()],
                position: .first)
            if !registry.admit(channel) {
                notes.metrics?.countRefusedConnection()
                channel.close(promise: nil)
            }
            // One read per event: a request arrives in one piece, and a second read finds nothing.
            try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
            return value
        }
    }

    package func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}
