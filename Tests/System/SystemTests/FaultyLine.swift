import Foundation
import SyncClient
import Synchronization
import TestSupport

/// A network that loses and refuses by a seed, and notes who asks before the time that a server named.
final class FaultyLine: Transport {
    private struct State {
        var random: SeededGenerator
        var isBad = false
        var barredUntil: [String: Date] = [:]
        var violations: [String] = []
        var write: (@Sendable () -> Void)?
    }

    private let inner: any Transport
    private let clock: StoryClock
    private let state: Mutex<State>

    init(_ inner: any Transport, _ clock: StoryClock, seed: UInt64) {
        (self.inner, self.clock) = (inner, clock)
        state = Mutex(State(random: SeededGenerator(seed: seed &+ 1)))
    }

    /// True while requests and replies are lost and refused.
    var isBad: Bool {
        get { state.withLock { $0.isBad } }
        set { state.withLock { $0.isBad = newValue } }
    }

    /// Does something while the next request is on its way.
    func whileInFlight(_ write: @escaping @Sendable () -> Void) {
        state.withLock { $0.write = write }
    }

    /// What was to be done during a request that never came.
    func takeUnused() -> (@Sendable () -> Void)? {
        state.withLock { state in
            defer { state.write = nil }
            return state.write
        }
    }

    /// A user who wants news may ask earlier than the server said.
    func wished() { state.withLock { $0.barredUntil = [:] } }

    func takeViolations() -> [String] {
        state.withLock { state in
            defer { state.violations = [] }
            return state.violations
        }
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let token = request.headers["Authorization"] ?? ""
        guard request.url.path().hasSuffix("/exchange") else {
            return try await inner.send(request)
        }
        takeUnused()?()
        let fault = noted(token)
        if fault == 1 { throw TransportError(.offline, "offline") }
        if fault == 2 { return refused(token) }
        let response = try await inner.send(request)
        if fault == 3 { throw TransportError(.offline, "the reply was lost") }
        return response
    }

    /// Notes a request that comes too early, and chooses what becomes of it.
    private func noted(_ token: String) -> Int {
        let now = clock.now
        return state.withLock { state in
            if let time = state.barredUntil[token], now < time {
                state.violations.append("asked \(time.timeIntervalSince(now)) s too early")
            }
            return state.isBad ? Int.random(in: 0..<6, using: &state.random) : 0
        }
    }

    private func refused(_ token: String) -> TransportResponse {
        let time = clock.now.addingTimeInterval(30)
        state.withLock { $0.barredUntil[token] = time }
        let body = AsyncThrowingStream<[UInt8], any Error> { $0.finish() }
        return TransportResponse(status: 503, headers: ["retry-after": "30"], body: body)
    }
}

/// Secrets in memory.
final class MemorySecrets: SecretStore {
    private let secrets = Mutex<[String: Data]>([:])

    func secret(_ name: String) throws -> Data? { secrets.withLock { $0[name] } }

    func set(_ name: String, _ secret: Data?) throws { secrets.withLock { $0[name] = secret } }
}
