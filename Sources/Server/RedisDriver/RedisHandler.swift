import NIOCore
import Synchronization

/// A command in flight, with the promise of its reply.
struct RedisRequest: Sendable {
    let command: RedisCommand
    let promise: EventLoopPromise<RESPValue>
}

/// The number of commands in flight, which others than the event loop read.
final class InFlightCount: Sendable {
    let value = Atomic(0)
}

/// The shell of a connection: writes commands, and hands replies to those who wait.
///
/// All commands of one turn of the event loop travel in one piece. A handler belongs to its loop.
final class RedisHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = RedisRequest
    typealias OutboundOut = ByteBuffer

    /// The time between two looks at deadlines.
    private static let tick = TimeAmount.milliseconds(50)

    private let limits: RedisLimits
    private var decoder: RESPDecoder
    private var pipeline: RedisPipeline<EventLoopPromise<RESPValue>>
    private var received = ByteBuffer()
    private var unsent = ByteBuffer()
    private var isFlushPlanned = false
    private var timer: RepeatedTask?
    private var isLost = false
    /// The reason for which this end closed the connection.
    private var reason: RedisError?

    private let inFlight: InFlightCount

    init(_ limits: RedisLimits, counting inFlight: InFlightCount) {
        self.limits = limits
        self.inFlight = inFlight
        decoder = RESPDecoder(limits)
        pipeline = RedisPipeline(limits, now: .now())
    }

    func channelActive(context: ChannelHandlerContext) {
        let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleRepeatedTask(
            initialDelay: Self.tick, delay: Self.tick
        ) { _ in
            let (handler, context) = loopBound.value
            handler.timePassed(context)
        }
        context.fireChannelActive()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let request = unwrapOutboundIn(data)
        // The promise of the write says nothing: the reply does.
        promise?.succeed()
        let size = request.command.byteCount
        guard !isLost else {
            return request.promise.fail(
                RedisError(.unavailable, "There is no connection to Redis."))
        }
        guard pipeline.admit(request.promise, bytes: size, now: .now()) else {
            return request.promise.fail(
                RedisError(.busy, "Too many commands wait for Redis; this one was not sent."))
        }
        inFlight.value.store(pipeline.count, ordering: .relaxed)
        request.command.write(to: &unsent)
        guard !isFlushPlanned else { return }
        isFlushPlanned = true
        let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.execute {
            let (handler, context) = loopBound.value
            handler.sendUnsent(context)
        }
    }

    private func sendUnsent(_ context: ChannelHandlerContext) {
        isFlushPlanned = false
        guard unsent.readableBytes > 0 else { return }
        let bytes = unsent
        unsent = ByteBuffer()
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        do throws(RedisError) {
            while let value = try decoder.next(&received) { try replyArrived(value) }
            if received.readableBytes == 0 {
                received = ByteBuffer()
            } else {
                received.discardReadBytes()
            }
        } catch {
            close(context, error)
        }
    }

    private func replyArrived(_ value: RESPValue) throws(RedisError) {
        // Nothing is subscribed to; a push answers nobody.
        if case .push = value { return }
        let waiting = try pipeline.replyArrived(now: .now())
        inFlight.value.store(pipeline.count, ordering: .relaxed)
        guard let promise = waiting else { return }
        if case .error(let text) = value {
            promise.fail(RedisError(reply: text))
        } else {
            promise.succeed(value)
        }
    }

    private func timePassed(_ context: ChannelHandlerContext) {
        let (overdue, isSilent) = pipeline.timePassed(now: .now())
        for promise in overdue {
            promise.fail(RedisError(.timedOut, "Redis did not reply in time."))
        }
        if isSilent { close(context, RedisError(.timedOut, "Redis is silent.")) }
    }

    private func close(_ context: ChannelHandlerContext, _ error: RedisError) {
        reason = error
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        isLost = true
        inFlight.value.store(0, ordering: .relaxed)
        let lost = reason ?? RedisError(.connectionLost, "The connection to Redis was lost.")
        for promise in pipeline.connectionLost() { promise.fail(lost) }
        context.fireChannelInactive()
    }
}

// It is used on its event loop alone, and `NIOLoopBound` asserts so.
@available(*, unavailable)
extension RedisHandler: Sendable {}
