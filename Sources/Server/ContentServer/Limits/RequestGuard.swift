import ContentModel
import NIOCore
import NIOHTTP1
import ServiceAPI

/// An outbound event: a handler is about to read the request's body.
struct BodyRequested {}

/// A channel handler behind NIO's HTTP parser: rejects invalid HTTP, sends 100 (Continue), and
/// closes the connection after a reply to a request that was not read to its end.
///
/// A refusal is sent in order: after the replies to earlier requests.
final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        case open
        /// Replies to earlier requests come first.
        case refusing(Refusal)
        /// The last reply was written; further input is discarded.
        case closing(discarded: Int)
    }

    private let watch: ConnectionWatch
    private let rules: RequestRules
    private let notes: RequestNotes
    private let linger: TimeAmount
    private var state = State.open
    private var incoming: IncomingRequest?
    /// True when a reply has begun and not ended.
    private var isReplying = false
    private var closesAfterReply = false
    private var end: Scheduled<Void>?

    init(
        _ watch: ConnectionWatch, rules: RequestRules, linger: TimeAmount, notes: RequestNotes
    ) {
        self.watch = watch
        self.rules = rules
        self.linger = linger
        self.notes = notes
    }

    func handlerRemoved(context: ChannelHandlerContext) { end?.cancel() }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        guard case .open = state else { return discard(context, part) }
        switch part {
        case .head(let head):
            let framing = RequestFraming(head.headers)
            let refusal = rules.refusal(
                head, framing, local: context.channel.localAddress?.ipAddress)
            watch.headArrived()
            incoming = IncomingRequest(head, framing)
            if let refusal { return refuse(context, refusal) }
        case .body(let bytes):
            watch.deadlines.bodyArrived(bytes.readableBytes)
            incoming?.received(bytes.readableBytes)
            if incoming?.isTooLong ?? false { return context.close(promise: nil) }
        case .end:
            watch.requestEnded()
            incoming = nil
        }
        context.fireChannelRead(data)
    }

    private func discard(_ context: ChannelHandlerContext, _ part: HTTPServerRequestPart) {
        guard case .closing(let discarded) = state, case .body(let bytes) = part else { return }
        let count = discarded + bytes.readableBytes
        state = .closing(discarded: count)
        if count > ServiceLimits.discardedBytesMax { context.close(promise: nil) }
    }

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard event is BodyRequested else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        promise?.succeed()
        guard incoming?.expectsContinue ?? false, watch.deadlines.pendingReplies == 1, !isReplying
        else { return }
        incoming?.expectsContinue = false
        let head = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .closing = state, event as? ChannelEvent == .inputClosed {
            return context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard case .open = state, error is HTTPParserError else {
            context.fireErrorCaught(error)
            return context.close(promise: nil)
        }
        let isLong = error as? HTTPParserError == .headerOverflow
        let refusal =
            isLong
            ? Refusal(.requestHeaderFieldsTooLarge, "The head of the request is too long.")
            : Refusal(.badRequest, "This is not HTTP/1.1.")
        // Between two requests no handler behind this one waits for input.
        guard incoming != nil else {
            watch.headArrived()
            return refuse(context, refusal)
        }
        if watch.deadlines.pendingReplies > 1 || isReplying {
            context.close(promise: nil)
        } else {
            refuse(context, refusal)
        }
        context.fireErrorCaught(error)
    }

    // MARK: Replies

    func write(
        context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
        if case .closing = state {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head) where head.status.code >= 200:
            isReplying = true
            if watch.deadlines.pendingReplies == 1, incoming?.isNotWorthDraining ?? false {
                closesAfterReply = true
                head.headers.replaceOrAdd(name: "connection", value: "close")
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            isReplying = false
            if closesAfterReply {
                let written = promise ?? context.eventLoop.makePromise(of: Void.self)
                closeAfter(context, written.futureResult)
                context.writeAndFlush(data, promise: written)
            } else {
                context.write(data, promise: promise)
            }
            replyEnded(context)
        default: context.write(data, promise: promise)
        }
    }

    /// Limits the time that a half-closed connection waits for the client's end.
    func close(
        context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?
    ) {
        context.close(mode: mode, promise: promise)
        if mode == .output { endSoon(context) }
    }

    private func endSoon(_ context: ChannelHandlerContext) {
        end?.cancel()
        end = context.eventLoop.assumeIsolated().scheduleTask(in: linger) {
            context.close(promise: nil)
        }
    }

    private func replyEnded(_ context: ChannelHandlerContext) {
        watch.replyEnded()
        if case .refusing(let refusal) = state { refuse(context, refusal) }
    }

    private func refuse(_ context: ChannelHandlerContext, _ refusal: Refusal) {
        // The refused request's own reply is the last that is pending.
        guard watch.deadlines.pendingReplies <= 1 else {
            state = .refusing(refusal)
            return
        }
        let (head, body) = refusal.reply
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        let written = context.eventLoop.makePromise(of: Void.self)
        closeAfter(context, written.futureResult)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
        watch.replyEnded()
        notes.refused(
            method: incoming?.head.method.rawValue ?? "-", path: incoming?.head.uri ?? "-",
            status: Int(refusal.status.code), bytes: body.readableBytes)
    }

    /// Closes our side after the last write, and the client's side a little later: closing a
    /// connection with unread input can discard the reply on the client's side.
    private func closeAfter(_ context: ChannelHandlerContext, _ written: EventLoopFuture<Void>) {
        state = .closing(discarded: 0)
        written.assumeIsolated().whenComplete { _ in
            context.close(mode: .output, promise: nil)
            self.endSoon(context)
        }
    }
}

extension Refusal {
    /// The problem document, after which the connection closes.
    fileprivate var reply: (HTTPResponseHead, ByteBuffer) {
        let json: JSONValue = [
            "type": "about:blank", "title": .string(status.reasonPhrase),
            "status": .integer(Int(status.code)), "detail": .string(detail),
        ]
        let body = ByteBuffer(bytes: json.canonicalBytes)
        let headers: HTTPHeaders = [
            "content-type": "application/problem+json", "cache-control": "no-store",
            "x-content-type-options": "nosniff", "connection": "close",
            "content-length": "\(body.readableBytes)",
        ]
        return (HTTPResponseHead(version: .http1_1, status: status, headers: headers), body)
    }
}
