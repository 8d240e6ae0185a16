import NIOCore
import NIOPosix
import Synchronization

/// A client of one Redis server with one connection, on which the commands of all tasks are pipelined.
///
/// It connects for the first command, and again after a loss. While attempts fail, commands fail at once with
/// `unavailable` instead of waiting. It never retries a command: after `connectionLost` and `timedOut` it may have been
/// executed.
///
/// ```swift
/// let client = RedisClient(try RedisAddress("redis://127.0.0.1"))
/// try await client.send(["SET", "greeting", "hello"])
/// print(try await client.send(["GET", "greeting"]).text ?? "")
/// await client.close()
/// ```
public final class RedisClient: Sendable {
    /// The address.
    public let address: RedisAddress
    /// The limits.
    public let limits: RedisLimits
    private let state = Mutex(State())
    private let inFlight = InFlightCount()

    private struct State {
        var connection: Connection = .none
        var failures = 0
        var retryAt = ContinuousClock.now
        var reconnects = 0
        var isClosed = false
    }

    private enum Connection {
        case none
        case connecting(EventLoopFuture<any Channel>)
        case open(any Channel)
    }

    /// Creates a client, without connecting.
    ///
    /// - Parameters:
    ///   - address: The server.
    ///   - limits: The limits.
    public init(_ address: RedisAddress, limits: RedisLimits = RedisLimits()) {
        self.address = address
        self.limits = limits
    }

    /// True while the client is connected.
    public var isConnected: Bool {
        state.withLock {
            if case .open(let channel) = $0.connection { channel.isActive } else { false }
        }
    }

    /// The number of connections so far.
    public var connectionCount: Int { state.withLock { $0.reconnects } }

    /// The number of commands in flight.
    public var inFlightCount: Int { inFlight.value.load(ordering: .relaxed) }

    // MARK: Commands

    /// Executes a command.
    ///
    /// - Returns: The reply, which is not an error.
    /// - Throws: `RedisError`, or `CancellationError`; the command may be executed nevertheless.
    @discardableResult
    public func send(_ command: RedisCommand) async throws -> RESPValue {
        try await reply(try await start([command])[0])
    }

    /// Executes commands in order, without waiting for replies between them.
    ///
    /// - Returns: The replies, each of which may be an error.
    /// - Throws: `RedisError` if none was sent, or `CancellationError`.
    public func send(_ commands: [RedisCommand]) async throws -> [Result<RESPValue, RedisError>] {
        var results: [Result<RESPValue, RedisError>] = []
        for future in try await start(commands) {
            do {
                results.append(.success(try await reply(future)))
            } catch let error as RedisError {
                results.append(.failure(error))
            }
        }
        return results
    }

    /// Executes a script by its hash, or by its text if the server does not have it.
    ///
    /// - Parameters:
    ///   - script: The script.
    ///   - keys: The keys that the script uses.
    ///   - arguments: The other arguments.
    /// - Returns: The script's reply.
    /// - Throws: `RedisError`, or `CancellationError`.
    public func evaluate(
        _ script: RedisScript, keys: [String], arguments: [String] = []
    ) async throws -> RESPValue {
        do {
            return try await send(
                script.command(byName: true, keys: keys, arguments: arguments))
        } catch let error as RedisError where error.code == .noScript {
            return try await send(
                script.command(byName: false, keys: keys, arguments: arguments))
        }
    }

    private func start(_ commands: [RedisCommand]) async throws -> [EventLoopFuture<RESPValue>] {
        let channel = try await channel()
        return commands.map { Self.write($0, channel) }
    }

    private static func write(
        _ command: RedisCommand, _ channel: any Channel
    ) -> EventLoopFuture<RESPValue> {
        let promise = channel.eventLoop.makePromise(of: RESPValue.self)
        guard channel.isActive else {
            promise.fail(RedisError(.unavailable, "There is no connection to Redis."))
            return promise.futureResult
        }
        channel.write(RedisRequest(command: command, promise: promise)).whenFailure { _ in
            // Closed before the handler saw it.
            promise.fail(RedisError(.unavailable, "There is no connection to Redis."))
        }
        return promise.futureResult
    }

    /// Waits for a reply, or for the task's cancellation, after which the reply is dropped.
    private func reply(_ future: EventLoopFuture<RESPValue>) async throws -> RESPValue {
        let waiting = future.eventLoop.makePromise(of: RESPValue.self)
        future.cascade(to: waiting)
        return try await withTaskCancellationHandler {
            try await waiting.futureResult.get()
        } onCancel: {
            waiting.fail(CancellationError())
        }
    }

    // MARK: Connections

    /// Closes the connection; commands in flight fail.
    public func close() async {
        let connection = state.withLock { state in
            state.isClosed = true
            defer { state.connection = .none }
            return state.connection
        }
        switch connection {
        case .none: break
        // One that is closed already needs no end.
        case .open(let channel): try? await channel.close()
        case .connecting(let future): try? await future.get().close()
        }
    }

    private func channel() async throws -> any Channel {
        let future = try state.withLock { state in try Self.next(&state, connect) }
        return try await future.get()
    }

    private static func next(
        _ state: inout State, _ connect: () -> EventLoopFuture<any Channel>
    ) throws -> EventLoopFuture<any Channel> {
        guard !state.isClosed else { throw RedisError(.closed, "The client was closed.") }
        switch state.connection {
        case .open(let channel) where channel.isActive:
            return channel.eventLoop.makeSucceededFuture(channel)
        case .connecting(let future): return future
        default: break
        }
        guard ContinuousClock.now >= state.retryAt else {
            throw RedisError(.unavailable, "Redis cannot be reached for now.")
        }
        let future = connect()
        state.connection = .connecting(future)
        return future
    }

    /// Connects, greets, and notes how that ended.
    private func connect() -> EventLoopFuture<any Channel> {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let (address, limits, inFlight) = (address, limits, inFlight)
        // After the lock is released, which the outcome takes again.
        return loop.flatSubmit { Self.connect(address, limits, inFlight, on: loop) }.always {
            result in
            self.noteConnecting(result)
        }.flatMapErrorThrowing { error in
            // Nothing but the greeting was sent: whatever was lost, the command was not executed.
            let ambiguous: [RedisError.Code] = [.connectionLost, .timedOut]
            if let error = error as? RedisError, !ambiguous.contains(error.code) { throw error }
            throw RedisError(.unavailable, "Redis cannot be reached at \(address).")
        }
    }

    private func noteConnecting(_ result: Result<any Channel, any Error>) {
        state.withLock { state in
            switch result {
            case .success(let channel) where state.isClosed: channel.close(promise: nil)
            case .success(let channel):
                state.connection = .open(channel)
                state.failures = 0
                state.reconnects += 1
            case .failure:
                state.connection = .none
                state.failures += 1
                state.retryAt =
                    .now
                    + RedisBackoff.delay(
                        after: state.failures, chance: .random(in: 0...1))
            }
        }
    }

    private static func connect(
        _ address: RedisAddress, _ limits: RedisLimits, _ inFlight: InFlightCount,
        on loop: any EventLoop
    ) -> EventLoopFuture<any Channel> {
        let bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(limits.timeout))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    #if RedisTLS
                    if address.usesTLS {
                        try channel.pipeline.syncOperations.addHandler(address.handlerOfTLS())
                    }
                    #endif
                    try channel.pipeline.syncOperations.addHandler(
                        RedisHandler(limits, counting: inFlight))
                }
            }
        return bootstrap.connect(host: address.host, port: address.port).flatMap { channel in
            let greeting = address.greeting.map { write($0, channel) }
            return EventLoopFuture.andAllSucceed(greeting, on: loop).map { channel as any Channel }
                .flatMapErrorThrowing { error in
                    channel.close(promise: nil)
                    throw error
                }
        }
    }
}
