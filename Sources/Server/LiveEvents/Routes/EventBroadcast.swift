import Accounts
import ContentModel
import Foundation
package import Ledger
package import Logging
import NIOCore
import ServiceAPI
import ServiceLifecycle
import Synchronization
import UserData

/// The broadcast of events' places to all watchers.
///
/// One frame serves all watchers of an event; it is built at most twice a second, and only while an event has watchers.
/// Each watcher wakes up and writes the newest frame. A slow reader therefore costs one frame of memory, and misses
/// only outdated frames.
package final class EventBroadcast: Service {
    /// The places of an event as they are sent.
    struct Frame: Sendable {
        /// The digest of the places: the same from every process that knows them.
        let id: String
        let bytes: ByteBuffer
        /// True when no other frame follows.
        let isFinal: Bool
    }

    /// A place in the audience of an event.
    struct Watcher: Sendable {
        /// A signal for each new frame, and for heartbeats; it ends when the watcher has to go.
        let signals: AsyncStream<Void>
        /// Returns the newest frame.
        let frame: @Sendable () -> Frame?
    }

    private struct Listener {
        let continuation: AsyncStream<Void>.Continuation
        let caller: AuthenticatedUser
        let since: ContinuousClock.Instant
    }

    private struct State {
        var nextID = 0
        var audiences: [String: [Int: Listener]] = [:]
        var frames: [String: Frame] = [:]
        var count = 0
        /// The streams of each user, the oldest first.
        var streams: [String: [Int]] = [:]
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let users: UserBackend?
    private let logger: Logger

    /// Prepares a broadcast; `run` builds the frames.
    package init(_ users: UserBackend?, logger: Logger) {
        self.users = users
        self.logger = logger
    }

    /// The number of watchers.
    package var watcherCount: Int { state.withLock { $0.count } }

    // MARK: Audience

    /// Adds a watcher of an event; of a user's streams above the limit the oldest one ends.
    ///
    /// A client that lost its connection comes again before the server knows that the other one is dead.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - caller: The account and the session of the watcher, with which the stream ends.
    /// - Returns: `nil` when there are too many at all.
    func add(_ event: String, caller: AuthenticatedUser) -> Watcher? {
        let user = caller.id
        let (signals, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        var displaced: Listener?
        let id: Int? = state.withLock { state in
            guard !state.hasEnded, state.count < ServiceLimits.eventWatchersMax else { return nil }
            let own = state.streams[user, default: []]
            if own.count >= ServiceLimits.eventWatchersPerUser, let oldest = own.first {
                displaced = state.audiences.values.lazy.compactMap { $0[oldest] }.first
            }
            state.nextID += 1
            state.count += 1
            state.streams[user, default: []].append(state.nextID)
            state.audiences[event, default: [:]][state.nextID] = Listener(
                continuation: continuation, caller: caller, since: .now)
            return state.nextID
        }
        displaced?.continuation.finish()
        guard let id else { return nil }
        continuation.onTermination = { [weak self] _ in self?.remove(id, from: event) }
        // The head of the reply is sent with the first bytes.
        continuation.yield()
        return Watcher(signals: signals) { [weak self] in
            self?.state.withLock { $0.frames[event] }
        }
    }

    private func remove(_ id: Int, from event: String) {
        state.withLock { state in
            guard let listener = state.audiences[event]?.removeValue(forKey: id) else { return }
            state.count -= 1
            let user = listener.caller.id
            let left = state.streams[user, default: []].filter { $0 != id }
            state.streams[user] = left.isEmpty ? nil : left
            guard state.audiences[event]?.isEmpty ?? true else { return }
            // The next audience does not begin with an old frame.
            state.audiences[event] = nil
            state.frames[event] = nil
        }
    }

    // MARK: Frames

    /// Makes frames until a graceful shutdown, which ends all streams.
    func run() async throws {
        // Cancelled at shutdown.
        try? await cancelWhenGracefulShutdown {
            // Frames never wait for the looks at sessions, of which there may be thousands.
            async let looking: Void = self.watchSessions()
            try await self.sendFrames()
            try await looking
        }
        let listeners = state.withLock { state in
            state.hasEnded = true
            return state.audiences.values.flatMap { $0.values }
        }
        for listener in listeners { listener.continuation.finish() }
    }

    private func sendFrames() async throws {
        var heartbeatAt = ContinuousClock.now
        while !Task.isCancelled {
            try await Task.sleep(for: .milliseconds(ServiceLimits.eventFrameMilliseconds))
            await makeFrames()
            guard ContinuousClock.now >= heartbeatAt else { continue }
            heartbeatAt = .now + .seconds(ServiceLimits.eventHeartbeatSeconds)
            beat(at: .now)
        }
    }

    // MARK: Sessions

    private func watchSessions() async throws {
        while !Task.isCancelled {
            try await Task.sleep(for: .seconds(ServiceLimits.eventSessionSeconds))
            await endClosedStreams()
        }
    }

    /// Ends the streams whose session, with its family of tokens, or whose account has ended.
    ///
    /// A look at each session, one after the other, since the session may have ended at another process. A database that
    /// does not answer ends no stream.
    func endClosedStreams() async {
        guard let users else { return }
        let listeners = state.withLock { $0.audiences.values.flatMap { $0.values } }
        for (caller, listeners) in Dictionary(grouping: listeners, by: \.caller) {
            guard !Task.isCancelled else { return }
            guard await users.authentication.hasEnded(caller) else { continue }
            for listener in listeners { listener.continuation.finish() }
        }
    }

    // MARK: Making frames

    /// Makes a frame of each event that is watched, and wakes those for whom it is new.
    func makeFrames() async {
        for event in state.withLock({ Array($0.audiences.keys) }) {
            do {
                guard let frame = try await frame(of: event) else { end(event); continue }
                publish(frame, of: event)
            } catch is CancellationError {
                return
            } catch {
                logger.error(
                    "the places of an event were not read", metadata: ["reason": "\(error)"])
            }
        }
    }

    private func publish(_ frame: Frame, of event: String) {
        let listeners = state.withLock { state -> [Listener] in
            guard let audience = state.audiences[event], state.frames[event]?.id != frame.id
            else { return [] }
            state.frames[event] = frame
            return Array(audience.values)
        }
        for listener in listeners { listener.continuation.yield() }
    }

    /// Ends the streams of an event that was removed.
    private func end(_ event: String) {
        let listeners = state.withLock { Array($0.audiences[event, default: [:]].values) }
        for listener in listeners { listener.continuation.finish() }
    }

    /// Wakes everybody, and ends streams that are as old as they may become.
    private func beat(at now: ContinuousClock.Instant) {
        let listeners = state.withLock { $0.audiences.values.flatMap { $0.values } }
        let oldest = now - .seconds(ServiceLimits.eventStreamSecondsMax)
        for listener in listeners {
            if listener.since < oldest {
                listener.continuation.finish()
            } else {
                listener.continuation.yield()
            }
        }
    }

    private func frame(of event: String) async throws -> Frame? {
        let top = ServiceLimits.boardTopDefault
        guard let page = try await users?.events?.page(event, top: top, for: nil) else {
            return nil
        }
        return Frame(page)
    }
}

extension EventBroadcast.Frame {
    init(_ page: LiveEventPage) {
        // The age alone is no news.
        var timeless = page
        timeless.asOf = Date(timeIntervalSince1970: 0)
        let id = String(Checksum(of: timeless.json.canonicalBytes).hex.prefix(18))
        let message = EventMessage(
            name: "places", id: id, data: String(decoding: page.json.canonicalBytes, as: UTF8.self))
        self.init(id: id, bytes: ByteBuffer(bytes: message.bytes), isFinal: page.isFinal)
    }
}
