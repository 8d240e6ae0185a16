import NIOCore

/// The state that the handlers of one connection share; used on its event loop only.
final class ConnectionWatch {
    var deadlines: ConnectionDeadlines
    private let loop: any EventLoop
    private let registry: ConnectionRegistry?

    init(
        _ limits: ConnectionLimits, loop: any EventLoop, registry: ConnectionRegistry? = nil
    ) {
        self.loop = loop
        self.registry = registry
        deadlines = ConnectionDeadlines(limits, now: loop.now)
    }

    func bytesArrived() { deadlines.bytesArrived(now: loop.now) }
    func headArrived() { deadlines.headArrived(now: loop.now) }
    func requestEnded() { deadlines.requestEnded(now: loop.now) }
    func replyEnded() { deadlines.replyEnded(now: loop.now) }
    func verdict(sent: Int, buffered: Int) -> ConnectionDeadlines.Verdict {
        deadlines.verdict(
            now: loop.now, sent: sent, buffered: buffered, isCrowded: registry?.isCrowded ?? false)
    }
}

/// A channel handler at the socket that counts bytes and closes a connection beyond its time
/// limits.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let watch: ConnectionWatch
    private let tick: TimeAmount
    private var written = 0
    private var scheduled: Scheduled<Void>?

    init(_ watch: ConnectionWatch, tick: TimeAmount) {
        self.watch = watch
        self.tick = tick
    }

    func handlerAdded(context: ChannelHandlerContext) { schedule(context) }

    func handlerRemoved(context: ChannelHandlerContext) {
        scheduled?.cancel()
        scheduled = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        watch.bytesArrived()
        context.fireChannelRead(data)
    }

    func write(
        context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
        written += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    private func schedule(_ context: ChannelHandlerContext) {
        scheduled = context.eventLoop.assumeIsolated().scheduleTask(in: tick) {
            self.look(context)
        }
    }

    private func look(_ context: ChannelHandlerContext) {
        let options = context.channel.syncOptions
        // A channel without this option, as in tests, has nothing buffered.
        let buffered = (try? options?.getOption(.bufferedWritableBytes)) ?? 0
        guard watch.verdict(sent: written - buffered, buffered: buffered) == .inTime else {
            return context.close(promise: nil)
        }
        schedule(context)
    }
}
