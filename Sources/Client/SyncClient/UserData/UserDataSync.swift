import ContentModel
public import Foundation
import Logging
public import OfflineStorage
import RemoteAssets
import ServiceAPI
package import UserData

/// Keeps a user's data and the server's the same: one actor around `DeviceMachine` in its store.
public actor UserDataSync {
    /// Commits an event and its consequences; returns the effects to carry out afterwards.
    package typealias Commit =
        @Sendable (DeviceMachine.Event, _ now: Date, UserStore.Extras) throws
        -> [DeviceMachine.Effect]

    let store: UserStore
    let clock: @Sendable () -> Date
    let runs = SharedRun<UserDataReport>()
    let wishes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// The calls of `run` under way; the machine stays started for them.
    var runCount = 0
    var timing = RunTiming(pullInterval: 0)
    var isExchanging = false
    private let account: Account
    private let client: ServiceClient
    private let jitter: @Sendable () -> Double
    private let commit: Commit
    private let logger = Logger(label: "underway.userdata")

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
        self.init(
            store: store, account: account, transport: transport, serverURL: serverURL,
            deadline: deadline, clock: clock, jitter: jitter,
            commit: { try store.handle($0, now: $1, extras: $2) })
    }

    /// Describes a sync that commits in its own way, as a test's does.
    package init(
        store: UserStore, account: Account, transport: any Transport, serverURL: String,
        deadline: Duration, clock: @escaping @Sendable () -> Date,
        jitter: @escaping @Sendable () -> Double, commit: @escaping Commit
    ) {
        self.store = store
        self.account = account
        self.commit = commit
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
        await runs.value { await self.exchangeOnce(preparing: true) } ?? .cancelled
    }

    /// Commits an event in the store.
    func take(
        _ event: DeviceMachine.Event, extras: UserStore.Extras = .init()
    ) throws -> [DeviceMachine.Effect] {
        try commit(event, clock(), extras)
    }

    /// Exchanges until the machine has nothing to send.
    ///
    /// - Parameter isPreparing: True to make sure of an account and start the machine; false to carry
    ///   on with the request that the machine waits for.
    /// - Returns: The report.
    func exchangeOnce(preparing isPreparing: Bool) async -> UserDataReport {
        isExchanging = true
        defer {
            isExchanging = false
            // While nobody listens, a write must not count as sent. A store that cannot be written
            // says so by its own errors.
            if runCount == 0 { _ = try? take(.stopped) }
        }
        var report = UserDataReport()
        do {
            let user = isPreparing ? try await account.ensure() : store.user
            report.retryAt = try await settle(try first(isPreparing), &report)
            guard store.user == user else {
                // What was said to this user says nothing of the one who is here now.
                report.problem = "somebody else signed in meanwhile; sync again"
                return report
            }
            try count(&report)
            try store.note(problem: report.problem, now: clock())
        } catch is CancellationError {
            report.problem = UserDataReport.cancelled.problem
            report.isCancelled = true
            stopCancelled()
        } catch {
            note(error, &report)
        }
        log(report)
        return report
    }

    /// Returns the effects that an exchange begins with.
    private func first(_ isPreparing: Bool) throws -> [DeviceMachine.Effect] {
        guard isPreparing else { return store.requestInFlight.map { [.send($0)] } ?? [] }
        try account.compareMarks(now: clock())
        return try take(.started)
    }

    /// Gives up the request in flight; a `run` that goes on starts the machine anew.
    private func stopCancelled() {
        // A store that cannot be written says so by its own errors.
        _ = try? take(.stopped)
        if runCount > 0 { wantSync() }
    }

    /// Logs the result: counts, never contents or names.
    private func log(_ report: UserDataReport) {
        let metadata: Logger.Metadata = [
            "requests": "\(report.requests)", "pushed": "\(report.pushed)",
            "pulled": "\(report.pulled)", "conflicts": "\(report.conflictCount)",
        ]
        if report.isCancelled {
            logger.debug("cancelled", metadata: metadata)
        } else if report.problem != nil {
            logger.notice("not synced", metadata: metadata)
        } else {
            logger.debug("synced", metadata: metadata)
        }
    }

    /// Counts what waits for the user, and names what only whoever runs the server can mend.
    private func count(_ report: inout UserDataReport) throws {
        let refused = try store.rejected()
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
        report.serverHasNoUserData = problem?.status == 404 && problem?.code == nil
        report.needsSignIn =
            problem?.code == .unauthorized || problem?.code == .reusedToken
            || problem?.code == .noAccount
        logger.warning(
            "no sync",
            metadata: [
                "status": "\(problem?.status ?? 0)", "code": "\(problem?.code?.rawValue ?? "none")",
            ])
        if report.needsSignIn {
            // A store that cannot be written says so by its own errors.
            _ = try? take(.stopped)
        } else {
            report.retryAt = postponed(problem?.retryAfterSeconds)
        }
        // A store that cannot be written says so by its own errors.
        try? store.note(
            problem: report.problem, needsSignIn: report.needsSignIn, now: clock())
    }

    /// Lets the machine decide when to try again after a failure outside of an exchange.
    private func postponed(_ retryAfterSeconds: Int?) -> Date? {
        let event = DeviceMachine.Event.accessFailed(
            retryAfterMilliseconds: retryAfterSeconds.map { Int64($0) * 1000 }, jitter: jitter())
        // The event changes nothing that is stored: a full disk does not stop it.
        let effects = (try? take(event)) ?? store.takeInMemory(event, now: clock())
        return effects.wakeTime
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
                effects = try take(.authorized)
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
            let effects = try take(
                .replied(reply.response), extras: UserStore.Extras(received: reply.answers))
            report.pushed += reply.response.results.count
            for span in request.answers {
                let end = min(span.last, reply.response.answersHeld[span.client])
                report.pushed += Int(end >= span.first ? end - span.first + 1 : 0)
            }
            report.pulled += reply.response.changes.count
            report.pulled += reply.answers.reduce(0) { $0 + $1.count }
            return effects
        } catch let problem as ServiceProblem {
            report.problem = problem.message
            if problem.code == .noAccount || problem.code == .wrongUser { throw problem }
            return try take(
                .failed(number: request.number, failure(problem), jitter: jitter()))
        } catch let failure as WireFailure {
            report.problem = "The server's answer cannot be read: \(failure)."
            return try take(
                .failed(
                    number: request.number, .server(retryAfterMilliseconds: nil),
                    jitter: jitter()))
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
}

extension [DeviceMachine.Effect] {
    /// The request to send.
    var request: ExchangeRequest? {
        for case .send(let request) in self { return request }
        return nil
    }

    /// The time at which the machine wants to be woken.
    var wakeTime: Date? {
        for case .wake(let milliseconds) in self {
            return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        }
        return nil
    }
}
