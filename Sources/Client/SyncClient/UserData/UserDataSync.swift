import ContentModel
public import Foundation
public import OfflineStore
import RemoteAssets
import ServiceAPI
import UserData

/// How a sync of user data ended, and what it moved.
public struct UserDataReport: Sendable, Hashable {
    /// What was in the way; `nil` when both sides have the same.
    public var problem: String?
    /// True when the task that asked was cancelled; the next call may ask at once.
    public var isCancelled = false
    /// True when the user has to sign in again.
    public var needsSignIn = false
    /// True when the account was deleted; `Account.startOver` takes its data to a new one, and
    /// `UserStore.export` writes it to a file.
    public var isAccountGone = false
    /// True when this device's disk was in the way.
    public var couldNotSave = false
    /// True when the server keeps no user data.
    public var isUnserved = false
    /// Conflicts that wait for the user.
    public var conflictCount = 0
    /// Changes that the server refused, and that wait for the user.
    public var refusedCount = 0
    /// When to try again; `nil` when there is nothing to wait for.
    public var retryAt: Date?
    /// Requests sent.
    public var requests = 0
    /// Bytes of bodies sent, as they crossed the network.
    public var sentBytes = 0
    /// Bytes of bodies received, unpacked.
    public var receivedBytes = 0
    /// Changes and answers that the server took in.
    public var pushed = 0
    /// Records and answers that came from the server.
    public var pulled = 0

    /// Nothing moved yet.
    public init() {}

    static let cancelled = {
        var report = UserDataReport()
        report.problem = "cancelled"
        report.isCancelled = true
        return report
    }()
}

/// Keeps a user's data and the server's the same: one actor around `DeviceMachine` in its store.
public actor UserDataSync {
    private let store: UserStore
    private let account: Account
    private let client: ServiceClient
    private let clock: @Sendable () -> Date
    private let jitter: @Sendable () -> Double
    private let runs = SharedRun<UserDataReport>()
    /// Failures in a row of what the machine knows nothing of: making an account, renewing a token.
    private var failureCount = 0

    /// Describes how to sync.
    ///
    /// - Parameters:
    ///   - store: The device's.
    ///   - account: Whose tokens are used; made when there is none.
    ///   - transport: The network.
    ///   - serverURL: Scheme, host and port, without a slash at its end.
    ///   - deadline: How long one request may take.
    ///   - clock: The wall clock.
    ///   - jitter: A random number from 0 to 1, so that devices do not come back all at once.
    public init(
        store: UserStore, account: Account, transport: any Transport, serverURL: String,
        deadline: Duration = .seconds(60), clock: @escaping @Sendable () -> Date = { Date() },
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.store = store
        self.account = account
        client = ServiceClient(transport: transport, baseURL: serverURL, deadline: deadline)
        self.clock = clock
        self.jitter = jitter
    }

    // MARK: Once

    /// Pushes and pulls until both sides have the same, or something is in the way.
    ///
    /// A call while one runs joins it and gets the same report. A caller whose task is cancelled gets a
    /// report that says so at once; the sync goes on for the others and stops when nobody waits for
    /// it. What was kept goes on from there next time; being cancelled counts as no failure.
    public func sync() async -> UserDataReport {
        await runs.value { await self.syncOnce() } ?? .cancelled
    }

    private func syncOnce() async -> UserDataReport {
        var report = UserDataReport()
        do {
            let user = try await account.ensure()
            try account.compareMarks(now: clock())
            let effects = try store.handle(.started, now: clock())
            defer { _ = try? store.handle(.stopped, now: clock()) }
            report.retryAt = try await settle(effects, &report)
            guard store.user == user else {
                // What was said to this user says nothing of the one who is here now.
                report.problem = "somebody else signed in meanwhile; sync again"
                return report
            }
            try count(&report)
            failureCount = 0
            try store.note(problem: report.problem, now: clock())
        } catch is CancellationError {
            report.problem = UserDataReport.cancelled.problem
            report.isCancelled = true
        } catch {
            note(error, &report)
        }
        return report
    }

    /// Counts what waits for the user, and names what only whoever runs the server can mend.
    private func count(_ report: inout UserDataReport) throws {
        let refused = try store.setAside()
        report.conflictCount = try store.conflicts().count
        report.refusedCount = refused.count
        let unknown = Set(
            refused.filter { $0.refusal == .unknownCollection }.map(\.operation.key.collection))
        if report.problem == nil, !unknown.isEmpty {
            report.problem =
                "the server does not know \(unknown.sorted().joined(separator: ", "));"
                + " declare it under \"collections\" in underway.yaml and send the changes again"
        }
    }

    /// Says what was in the way, also in the store, as far as that can be written.
    private func note(_ error: any Error, _ report: inout UserDataReport) {
        let problem = error as? ServiceProblem
        let failed = error as? StoreError ?? StoreError(ofSystem: error)
        report.problem = problem?.message ?? failed?.message ?? "\(error)"
        report.couldNotSave = failed.map { [.storage, .damaged].contains($0.code) } ?? false
        report.isAccountGone = problem?.code == .noAccount
        report.isUnserved = problem?.status == 404 && problem?.code == nil
        report.needsSignIn =
            problem?.code == .unauthorized || problem?.code == .reusedToken
            || problem?.code == .noAccount
        if !report.needsSignIn {
            failureCount += 1
            let full = min(pow(2, Double(min(failureCount, 20) - 1)), 15 * 60)
            let wait = max(full * (0.5 + 0.5 * jitter()), Double(problem?.retryAfterSeconds ?? 0))
            report.retryAt = clock().addingTimeInterval(wait)
        }
        // A store that cannot be written says so by its own errors.
        try? store.note(
            problem: report.problem, needsSignIn: report.needsSignIn, now: clock())
    }

    /// Carries out effects until there is nothing to send.
    ///
    /// - Returns: When the machine wants to be woken; `nil` when everything is done.
    private func settle(
        _ first: [DeviceMachine.Effect], _ report: inout UserDataReport
    ) async throws -> Date? {
        var effects = first
        var renewals = 0
        while true {
            try Task.checkCancellation()
            if let request = effects.request {
                effects = try await exchange(request, &report)
            } else if effects.contains(.renewToken) {
                renewals += 1
                guard renewals < 3 else {
                    throw ServiceProblem(
                        status: 401, code: .unauthorized, message: "Sign in again.")
                }
                try await account.renew(store.user)
                effects = try store.handle(.authorized, now: clock())
            } else if let time = effects.wakeTime {
                report.problem = report.problem ?? "the server asks to try again later"
                return time
            } else {
                report.problem = nil
                return nil
            }
        }
    }

    private func exchange(
        _ request: ExchangeRequest, _ report: inout UserDataReport
    ) async throws -> [DeviceMachine.Effect] {
        do {
            let reply = try await send(request, &report)
            report.problem = reply.response.isFull ? "the server takes no more for now" : nil
            let effects = try store.handle(
                .replied(reply.response), now: clock(),
                extras: UserStore.Extras(received: reply.answers))
            report.pushed += reply.response.results.count
            for span in request.answers {
                let end = min(span.last, reply.response.answersHeld[span.client])
                report.pushed += Int(end >= span.first ? end - span.first + 1 : 0)
            }
            report.pulled += reply.response.changes.count
            report.pulled += reply.answers.reduce(0) { $0 + $1.rows.count }
            return effects
        } catch let problem as ServiceProblem {
            report.problem = problem.message
            if problem.code == .noAccount || problem.code == .wrongUser { throw problem }
            return try store.handle(
                .failed(number: request.number, failure(problem), jitter: jitter()), now: clock())
        } catch let failure as WireFailure {
            report.problem = "The server's answer cannot be read: \(failure)."
            return try store.handle(
                .failed(
                    number: request.number, .server(retryAfterMilliseconds: nil),
                    jitter: jitter()), now: clock())
        }
    }

    private func failure(_ problem: ServiceProblem) -> ExchangeFailure {
        switch problem.status {
        case 0: .offline
        case 401: .unauthorized
        case 413: .tooLong
        default:
            .server(retryAfterMilliseconds: problem.retryAfterSeconds.map { Int64($0) * 1000 })
        }
    }

    private func send(
        _ request: ExchangeRequest, _ report: inout UserDataReport
    ) async throws -> ExchangeReply {
        guard let tokens = try account.tokens(of: request.user, at: client) else {
            throw ServiceProblem(status: 401, code: .unauthorized, message: "Sign in again.")
        }
        let call = ExchangeCall(
            request: request, answers: try store.columns(request.answers))
        report.requests += 1
        let json = await Self.json(call)
        let answer = try await client.send(
            "POST", UserDataRoutes.exchange, json, token: tokens.accessToken)
        report.sentBytes += answer.sentBytes
        report.receivedBytes += answer.body.count
        return try await Self.reply(answer.body, request.client)
    }

    /// Thousands of rows take milliseconds, in which the actor can do other things.
    @concurrent private static func json(_ call: ExchangeCall) async -> JSONValue { call.json }

    @concurrent private static func reply(
        _ bytes: [UInt8], _ client: ClientID
    ) async throws -> ExchangeReply {
        try ExchangeReply(bytes, client: client)
    }

    // MARK: For as long as the app runs

    private enum Signal: Sendable {
        /// The app changed something.
        case changed
        /// A moment came that was waited for.
        case woken
        /// Somebody asks for news.
        case wanted
    }

    private let wishes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Asks the running `run` to look for news now, as when a screen appears.
    public nonisolated func wantSync() { wishes.continuation.yield() }

    /// Sends each change as it is made, looks for news now and then, and tries again after failures,
    /// until it is cancelled.
    ///
    /// - Parameter pullInterval: How long to wait between two looks for news.
    public func run(pullInterval: Duration = .seconds(15 * 60)) async {
        // What does not fit follows signals that are still to be looked at.
        let (signals, continuation) = AsyncStream.makeStream(
            of: Signal.self, bufferingPolicy: .bufferingOldest(16))
        let appEffects = store.appEffects()
        let wanted = wishes.stream
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                // An empty list says that somebody signed in or out.
                for await effects in appEffects {
                    continuation.yield(effects.isEmpty ? .wanted : .changed)
                }
            }
            group.addTask { for await _ in wanted { continuation.yield(.wanted) } }
            continuation.yield(.wanted)
            var timing = Timing()
            for await signal in signals {
                if shouldSync(signal, timing) {
                    let report = await sync()
                    timing.isFailing = report.retryAt != nil
                    timing.nextTime =
                        report.retryAt
                        ?? clock().addingTimeInterval(
                            pullInterval.seconds)
                }
                guard let wait = timing.sleep(clock(), max: pullInterval.seconds) else { continue }
                group.addTask {
                    // Cancelled at the end of the run.
                    try? await Task.sleep(for: .seconds(wait))
                    continuation.yield(.woken)
                }
            }
            group.cancelAll()
        }
    }

    private struct Timing {
        var nextTime = Date.distantPast
        var isFailing = false
        /// When the sleeper that wakes first does so.
        var wakesAt: Date?

        /// How long a new sleeper has to sleep; `nil` when one wakes early enough.
        ///
        /// Never longer than a look for news, so that a clock that jumped does no harm.
        mutating func sleep(_ now: Date, max longest: TimeInterval) -> TimeInterval? {
            if let time = wakesAt, now < time, time <= nextTime { return nil }
            let wait = min(Swift.max(0.01, nextTime.timeIntervalSince(now)), longest)
            wakesAt = now.addingTimeInterval(wait)
            return wait
        }
    }

    private func shouldSync(_ signal: Signal, _ timing: Timing) -> Bool {
        switch signal {
        case .wanted: return true
        case .woken: return clock() >= timing.nextTime
        case .changed:
            // After a failure each change waits for its time, as everything does.
            if timing.isFailing, clock() < timing.nextTime { return false }
            return (try? store.status().waitingCount) ?? 0 > 0
        }
    }
}

extension [DeviceMachine.Effect] {
    fileprivate var request: ExchangeRequest? {
        for case .send(let request) in self { return request }
        return nil
    }

    fileprivate var wakeTime: Date? {
        for case .wake(let milliseconds) in self {
            return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        }
        return nil
    }
}
