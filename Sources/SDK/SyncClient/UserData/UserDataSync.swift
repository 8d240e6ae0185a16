import ContentModel
public import Foundation
import Logging
public import OfflineStorage
import RemoteAssets
import ServiceAPI
package import UserData

/// The sync of a user's data with a server: one actor around `DeviceMachine` in its store.
///
/// ```swift
/// let folder = URL.temporaryDirectory.appending(path: "cards")
/// let userData = try UserStore(folder: folder)
/// let server = try URL(address: "https://host.example")
/// let transport = HTTPTransport()
/// let account = Account(
///     store: userData, secrets: try FileSecretStore(folder: folder.appending(path: "secrets")),
///     transport: transport, serverURL: server)
/// let sync = UserDataSync(
///     store: userData, account: account, transport: transport, serverURL: server)
/// let report = await sync.sync()
/// print(report.problem ?? "synced", report.pushed, report.pulled)
/// ```
public actor UserDataSync {
    /// Commits an event and its consequences; returns the effects to carry out afterwards.
    package typealias Commit =
        @Sendable (DeviceMachine.Event, _ now: Date, UserStore.Extras) throws
        -> [DeviceMachine.Effect]

    let store: UserStore
    let clock: @Sendable () -> Date
    let runs = SharedRun<UserDataReport>()
    let syncRequests = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// The number of calls of `run` under way; the machine remains started for them.
    var runCount = 0
    var timing = RunTiming(pullInterval: 0)
    var isExchanging = false
    /// The access token of the last request, which the server may refuse.
    private var refusedToken = ""
    let statusValue = LatestValue(SyncStatus<UserDataReport>())
    private let account: Account
    private let content: ContentSync?
    private let client: ServiceClient
    private let jitter: @Sendable () -> Double
    private let commit: Commit
    private let logger = SDKLogger.make(.userData)

    /// Creates the sync of a store with a server; it sends nothing yet.
    ///
    /// - Parameters:
    ///   - store: The device's store.
    ///   - account: The account whose tokens are used; the first sync creates it if there is none.
    ///   - transport: The network.
    ///   - serverURL: Scheme, host and port, such as `https://host.example`.
    ///   - content: The device's sync of content. Its installed release and last obstacle are reported to the server,
    ///     so that the operator can see the uptake of a release; `nil` to report nothing.
    ///   - deadline: The time limit of one request.
    ///   - clock: The wall clock.
    ///   - jitter: A random number from 0 to 1, so that devices do not retry in step.
    public init(
        store: UserStore, account: Account, transport: any Transport, serverURL: URL,
        content: ContentSync? = nil, deadline: Duration = .seconds(60),
        clock: @escaping @Sendable () -> Date = { Date() },
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.init(
            store: store, account: account, transport: transport, serverURL: serverURL,
            content: content, deadline: deadline, clock: clock, jitter: jitter,
            commit: { try store.handle($0, now: $1, extras: $2) })
    }

    /// Creates a sync with a commit of its own, for tests.
    package init(
        store: UserStore, account: Account, transport: any Transport, serverURL: URL,
        content: ContentSync? = nil, deadline: Duration, clock: @escaping @Sendable () -> Date,
        jitter: @escaping @Sendable () -> Double, commit: @escaping Commit
    ) {
        self.store = store
        self.account = account
        self.content = content
        self.commit = commit
        client = ServiceClient(transport: transport, serverURL: serverURL, deadline: deadline)
        self.clock = clock
        self.jitter = jitter
    }

    /// The phase, progress and last report of this sync.
    public nonisolated var status: SyncStatus<UserDataReport> { statusValue.value }

    /// Returns a stream of the present status and each newer one; a slow reader gets the newest.
    public nonisolated func statuses() -> AsyncStream<SyncStatus<UserDataReport>> {
        statusValue.stream()
    }

    // MARK: Once

    /// Pushes and pulls until server and device are equal, or an obstacle occurs.
    ///
    /// A call during a sync joins it and gets the same report. A caller whose task is cancelled gets the report of a
    /// cancellation at once. The sync continues for other callers, and stops when there are none. The next call resumes
    /// it; a cancellation does not count as a failure.
    public func sync() async -> UserDataReport {
        await runs.value { await self.exchangeOnce(preparing: true) } ?? .cancelled
    }

    /// Commits an event in the store.
    func handle(
        _ event: DeviceMachine.Event, extras: UserStore.Extras = .init()
    ) throws -> [DeviceMachine.Effect] {
        try commit(event, clock(), extras)
    }

    /// Exchanges until the machine has nothing to send.
    ///
    /// - Parameter isPreparing: True to ensure that there is an account and start the machine; false to continue with
    ///   the request for which the machine waits.
    /// - Returns: The report.
    func exchangeOnce(preparing isPreparing: Bool) async -> UserDataReport {
        isExchanging = true
        statusValue.update { status in
            status.phase = .exchanging
            status.progress = SyncProgress()
        }
        defer {
            isExchanging = false
            // Without a `run`, a write must not count as sent. A store that cannot be written reports its
            // own errors.
            if runCount == 0 { _ = try? handle(.stopped) }
        }
        let report = await reportOfExchange(preparing: isPreparing)
        log(report)
        statusValue.update { status in
            status.phase = .idle
            status.lastReport = report
            status.lastEnd = clock()
            status.nextPoll = report.retryAt
        }
        return report
    }

    private func reportOfExchange(preparing isPreparing: Bool) async -> UserDataReport {
        var report = UserDataReport()
        for attempt in 0..<Self.userChangesMax {
            if await exchanged(preparing: isPreparing || attempt > 0, &report) { return report }
            // What came was about another user, and is dropped.
            if store.user == UserStore.localUser, (try? store.hasData()) != true { break }
        }
        report.error = ServiceError(
            .userChanged, "Somebody else signed in or out meanwhile. Sync again.")
        return report
    }

    /// The maximum number of changes of the user in one sync.
    private static let userChangesMax = 8

    /// Exchanges the data of the current user.
    ///
    /// - Returns: False when the current user has changed during the exchange.
    private func exchanged(
        preparing isPreparing: Bool, _ report: inout UserDataReport
    ) async -> Bool {
        var user = store.user
        do {
            if isPreparing {
                // Nobody is left to be synced.
                if try await account.resumeDeletions() { return true }
                try await account.resumeMoves()
                user = try await account.ensure()
                await account.revokeSignedOut()
            }
            report.retryAt = try await carryOut(try first(isPreparing, user), of: user, &report)
            guard store.user == user else { return false }
            try count(&report)
            try store.note(
                problem: report.problem, code: report.error?.code.rawValue, of: user,
                now: clock())
        } catch is CancellationError {
            report.error = UserDataReport.cancelled.error
            report.isCancelled = true
            stopCancelled()
        } catch let error as StoreError where error.code == .outdated {
            return false
        } catch {
            guard store.user == user else { return false }
            note(error, of: user, &report)
        }
        return true
    }

    /// Exchanges the data of a user whose account is about to move; failures are ignored.
    func exchangeOnce(of user: String) async {
        var report = UserDataReport()
        do {
            _ = try await carryOut(try first(true, user), of: user, &report)
        } catch {
            logger.debug("not synced before a move")
        }
        // A store that cannot be written reports its own errors.
        _ = try? handle(.stopped, extras: UserStore.Extras(user: user))
    }

    /// Returns the effects with which an exchange begins.
    private func first(_ isPreparing: Bool, _ user: String) throws -> [DeviceMachine.Effect] {
        guard isPreparing else { return store.requestInFlight.map { [.send($0)] } ?? [] }
        try account.compareMarks(now: clock())
        return try handle(.started, extras: UserStore.Extras(user: user))
    }

    /// Cancels the request in flight; a `run` under way restarts the machine.
    private func stopCancelled() {
        // A store that cannot be written reports its own errors.
        _ = try? handle(.stopped)
        if runCount > 0 { requestSync() }
    }

    /// Logs the result: counts, never contents or names.
    private func log(_ report: UserDataReport) {
        let metadata: Logger.Metadata = [
            "requests": "\(report.requests)", "pushed": "\(report.pushed)",
            "pulled": "\(report.pulled)", "conflicts": "\(report.conflictCount)",
        ]
        if report.isCancelled {
            logger.debug("cancelled", metadata: metadata)
        } else if report.error != nil {
            logger.debug("not synced", metadata: metadata)
        } else {
            logger.debug("synced", metadata: metadata)
        }
    }

    /// Counts the conflicts and rejected changes that await the user, and reports unknown collections, which only the
    /// server's operator can declare.
    private func count(_ report: inout UserDataReport) throws {
        let status = try store.status()
        if status.differingAnswerCount > 0 || status.waitingCount == 0 && !status.hasSameAnswers,
            report.error == nil || report.error?.code == .postponed
        {
            report.error = .answersDiffer(status.differingAnswerCount)
        }
        let rejected = try store.rejected()
        report.conflictCount = try store.conflicts().count
        report.rejectedCount = rejected.count
        let unknown = Set(
            rejected.filter { $0.refusal == .unknownCollection }.map(\.operation.key.collection))
        if report.error == nil, !unknown.isEmpty {
            report.error = ServiceError(
                .unknownCollection,
                "The server does not know \(unknown.sorted().joined(separator: ", ")). Declare it under"
                    + " \"collections\" in underway.yaml and send the changes again.")
        }
    }

    /// The refusals after which the user must sign in.
    private static let wantsSignIn: Set<ServiceError.Code> = [
        .unauthorized, .reusedToken, .noAccount, .movedAccount,
    ]

    /// Reports a failure, also in the store if that can be written.
    private func note(_ error: any Error, of user: String, _ report: inout UserDataReport) {
        let problem = error as? ServiceError
        let failed = error as? StoreError ?? StoreError(ofSystem: error)
        report.error =
            problem ?? failed.map(ServiceError.init(store:)) ?? ServiceError(other: error)
        report.couldNotSave = failed.map { [.storage, .damaged].contains($0.code) } ?? false
        report.isAccountGone = problem?.code == .noAccount
        report.isAccountMoved = problem?.code == .movedAccount
        report.serverHasNoUserData = problem?.status == 404 && problem?.code == .unspecified
        report.needsSignIn =
            problem.map { Self.wantsSignIn.contains($0.code) } ?? false
        if report.needsSignIn { report.error = inWords(report.error) }
        logger.debug(
            "sync failed",
            metadata: [
                "status": "\(problem?.status ?? 0)", "code": "\(problem?.code.rawValue ?? "none")",
            ])
        if report.needsSignIn {
            // A store that cannot be written reports its own errors.
            _ = try? handle(.stopped)
        } else {
            report.retryAt = postponed(problem?.retryAfter)
        }
        // A store that cannot be written reports its own errors.
        try? store.note(
            problem: report.problem, code: report.error?.code.rawValue,
            needsSignIn: report.needsSignIn, of: user, now: clock())
    }

    /// Returns an error after which the user must act, with the text for the known state of the account.
    private func inWords(_ error: ServiceError?) -> ServiceError? {
        switch error?.code {
        case .movedAccount?:
            // A store that cannot be read has its own errors.
            return .joinedElsewhere((try? store.status().waitingCount) ?? 0)
        case .noAccount?: return .deletedElsewhere
        case .unauthorized?, .reusedToken?:
            guard let error, (try? store.hasSignInMethod()) == false else { return error }
            return .unreachableAccount(error.code)
        default: return error
        }
    }

    /// Returns the machine's time for a retry after a failure outside of an exchange.
    private func postponed(_ retryAfter: Duration?) -> Date? {
        let event = DeviceMachine.Event.accessFailed(
            retryAfterMilliseconds: retryAfter.map(\.wholeMilliseconds), jitter: jitter())
        // The event changes nothing that is stored: a full disk does not stop it.
        let effects = (try? handle(event)) ?? store.takeInMemory(event, now: clock())
        return effects.wakeTime
    }

    /// Performs effects until there is nothing to send.
    ///
    /// - Returns: The time of the machine's next wake; `nil` when everything is done.
    private func carryOut(
        _ first: [DeviceMachine.Effect], of user: String, _ report: inout UserDataReport
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
                    throw ServiceError.signInAgain
                }
                try await account.renew(user, insteadOf: refusedToken)
                effects = try handle(.authorized, extras: UserStore.Extras(user: user))
            } else if let time = effects.wakeTime {
                report.error =
                    report.error
                    ?? ServiceError(.postponed, "The server asks to try again later. Sync then.")
                return time
            } else {
                report.error = nil
                return nil
            }
        }
    }

    private func exchange(
        _ request: ExchangeRequest, _ report: inout UserDataReport
    ) async throws -> [DeviceMachine.Effect] {
        do {
            let (reply, serverTime) = try await send(request, &report)
            report.error =
                reply.response.isFull
                ? ServiceError(.full, "The server accepts no more data for now. Sync again later.")
                : nil
            let effects = try handle(
                .replied(reply.response),
                extras: UserStore.Extras(
                    received: reply.answers, user: request.user, serverTime: serverTime))
            report.pushed += reply.response.results.count
            for span in request.answers {
                let end = min(span.last, reply.response.knownAnswers[span.client])
                report.pushed += Int(end >= span.first ? end - span.first + 1 : 0)
            }
            report.pulled += reply.response.changes.count
            report.pulled += reply.answers.reduce(0) { $0 + $1.count }
            return effects
        } catch let problem as ServiceError {
            report.error = problem
            if Self.final.contains(problem.code) { throw problem }
            return try handle(
                .failed(number: request.number, failure(problem), jitter: jitter()),
                extras: UserStore.Extras(user: request.user))
        } catch let failure as WireError {
            report.error = .unreadable(failure)
            return try handle(
                .failed(
                    number: request.number, .server(retryAfterMilliseconds: nil),
                    jitter: jitter()), extras: UserStore.Extras(user: request.user))
        }
    }

    /// The refusals that no retry of the request resolves.
    private static let final: Set<ServiceError.Code> = [.noAccount, .movedAccount, .wrongUser]

    private func failure(_ problem: ServiceError) -> ExchangeFailure {
        switch problem.status {
        case 0: .offline
        case 401: .unauthorized
        case 413: .tooLong
        default:
            .server(retryAfterMilliseconds: problem.retryAfter.map(\.wholeMilliseconds))
        }
    }

    private func send(
        _ request: ExchangeRequest, _ report: inout UserDataReport
    ) async throws -> (ExchangeReply, serverTime: Date?) {
        guard let tokens = try account.tokens(of: request.user, at: client) else {
            throw ServiceError.signInAgain
        }
        let call = ExchangeCall(
            request: request, answers: try store.columns(request.answers))
        report.requests += 1
        refusedToken = tokens.accessToken
        show(report)
        let json = await Self.json(call)
        var fields: [String: String] = [:]
        if let installed = await content?.installed() {
            fields[InstalledContent.fieldName] = installed.field
        }
        let reply = try await client.send(
            "POST", UserDataRoutes.exchange, json, token: tokens.accessToken, fields: fields)
        report.sentBytes += reply.sentBytes
        report.receivedBytes += reply.body.count
        show(report)
        return (try await Self.reply(reply.body, request.client), reply.date)
    }

    /// Publishes the progress of an exchange.
    private func show(_ report: UserDataReport) {
        statusValue.update { status in
            status.progress.requests = report.requests
            status.progress.bytesDone = report.sentBytes + report.receivedBytes
        }
    }

    /// Encodes a request off the actor: thousands of rows take milliseconds.
    @concurrent private static func json(_ call: ExchangeCall) async -> JSONValue { call.json }

    @concurrent private static func reply(
        _ bytes: [UInt8], _ client: ClientID
    ) async throws -> ExchangeReply {
        try ExchangeReply(bytes, client: client)
    }
}

extension Duration {
    /// The whole seconds in milliseconds.
    fileprivate var wholeMilliseconds: Int64 { components.seconds * 1000 }
}

extension [DeviceMachine.Effect] {
    /// The request to send.
    var request: ExchangeRequest? {
        for case .send(let request) in self { return request }
        return nil
    }

    /// The time of the machine's next wake.
    var wakeTime: Date? {
        for case .wake(let milliseconds) in self {
            return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        }
        return nil
    }
}
