package import Crypto
public import Foundation
public import ServiceAPI
package import Tracing
public import UserData

/// The configuration of the user service.
public struct UserServiceOptions: Sendable {
    /// The folder for the database and the key of the tokens; created if missing.
    public var folder: URL
    /// The declared collections; the built-in ones are always present.
    public var collections: [CollectionRules]
    /// The external issuers whose tokens are trusted.
    public var issuers: [ExternalIssuer]
    /// The parameter N of scrypt for new passwords.
    public var passwordRounds: Int
    /// The folder for the key of the tokens and its companions; `nil` for that of the database.
    public var keysFolder: URL?
    /// The outbox of codes for email addresses; `nil` for a server that sends none.
    public var mailbox: (any MailSender)?
    /// The counters behind the limits of users and addresses.
    package var rateLimits: any RateLimiting = MemoryRateLimits()
    /// The places of running live events.
    package var ranking: any LiveRanking = MemoryRanking()
    /// Returns counters that several servers share, in place of those of the storage; `nil` for these.
    package var sharesRates: (@Sendable (any RateLimiting) -> any RateLimiting)?

    /// The guard of upkeep against a wrong clock; `nil` for none, as in tests that set the clock.
    package var upkeepClock: UpkeepClock?
    /// The tracer of what the service does for a user.
    package var tracer: any Tracer = NoOpTracer()

    /// The name of the database's file in `folder`, on SQLite.
    package static let databaseName = "users.sqlite"

    /// Creates a configuration.
    public init(
        folder: URL, collections: [CollectionRules] = [], issuers: [ExternalIssuer] = [],
        passwordRounds: Int = 1 << 15, keysFolder: URL? = nil, mailbox: (any MailSender)? = nil
    ) {
        self.folder = folder
        self.collections = collections
        self.issuers = issuers
        self.passwordRounds = passwordRounds
        self.keysFolder = keysFolder
        self.mailbox = mailbox
    }
}

/// The tokens of a signed-in device.
public struct SessionTokens: Sendable, Hashable {
    /// The account's id.
    public var user: String
    /// The token that is sent with each request; valid for minutes.
    public var accessToken: String
    /// The token that is exchanged once for new tokens.
    public var refreshToken: String
    /// True when the renewed token had been used before: a copy of the device exists, and got a session of its own.
    public var isCopied = false
}

/// The service for accounts and user data: all operations that the routes offer.
public struct UserBackend: Sendable {
    /// The collections by name.
    public let rules: [String: CollectionRules]
    let ledger: LedgerService
    let accounts: AccountStore
    let passwords: Passwords
    let tokens: AccessTokens
    let external: ExternalIssuers
    let mailbox: (any MailSender)?
    /// The counters behind the limits of users and addresses.
    package let rateLimits: any RateLimiting
    let tracer: any Tracer
    /// The guard of upkeep against a wrong clock.
    package let upkeepClock: UpkeepClock?
    /// The difficulties by which statistics group answers; `nil` where these read the content tables.
    package let difficulties: QuestionDifficulties?
    /// The leaderboards; `nil` for a storage without any.
    package let boards: BoardService?
    /// The live events; `nil` for a storage without any.
    package let events: EventService?
    /// The roles and the audit log; `nil` for a storage without any.
    package let administration: AdministrationService?
    /// The content versions in the field; `nil` for a storage that does not count them.
    package let uptake: UptakeService?
    /// The storage of the review of keys; `nil` for a storage without any.
    package let review: (any ReviewStorage)?
    package let clock: @Sendable () -> Date

    /// Opens the service.
    ///
    /// - Parameters:
    ///   - options: The configuration.
    ///   - clock: The wall clock.
    /// - Throws: `UserServiceSetupError` for an unusable file, or an error of the file system.
    public init(
        _ options: UserServiceOptions, clock: @escaping @Sendable () -> Date = { Date() }
    ) async throws {
        try FileManager.default.createDirectory(
            at: options.folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let keys = options.keysFolder ?? options.folder
        try FileManager.default.createDirectory(
            at: keys, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let path = options.folder.appending(path: UserServiceOptions.databaseName).path
        try await self.init(
            UserDatabase(path: path), options, clock: clock, key: ServerKey.read(in: keys),
            keysFolder: keys)
        try await prepare()
    }

    /// Opens the service on a database of SQLite.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - options: The configuration, whose folders are ignored.
    ///   - clock: The wall clock.
    ///   - key: The server's secret.
    ///   - keysFolder: The folder of the journal and the mark; `nil` for a service in memory.
    /// - Throws: An error of the file system.
    package init(
        _ database: UserDatabase, _ options: UserServiceOptions,
        clock: @escaping @Sendable () -> Date, key: SymmetricKey, keysFolder: URL? = nil
    ) async throws {
        await self.init(
            accounts: try SQLiteAccounts(database, folder: keysFolder),
            ledger: SQLiteLedger(database: database), options, clock: clock, key: key,
            difficulties: QuestionDifficulties(database), boards: SQLiteBoards(database),
            events: SQLiteEvents(database), administration: SQLiteAdministration(database),
            uptake: SQLiteUptake(database), review: SQLiteReview(database))
    }

    /// Opens the service on any storage.
    ///
    /// - Parameters:
    ///   - accounts: The storage of accounts.
    ///   - storage: The storage of the ledger, of the same database.
    ///   - options: The configuration, whose folders are ignored.
    ///   - clock: The wall clock.
    ///   - key: The server's secret, the same in all processes on the storage.
    ///   - difficulties: The difficulties of questions, where the storage has them.
    ///   - boards: The storage of boards, of the same database.
    ///   - events: The storage of live events, of the same database.
    ///   - administration: The storage of roles and of the audit log, of the same database.
    ///   - uptake: The storage of what content devices have, of the same database.
    ///   - review: The storage of the review of keys, of the same database.
    package init(
        accounts: any AccountStorage, ledger storage: any LedgerStorage,
        _ options: UserServiceOptions, clock: @escaping @Sendable () -> Date, key: SymmetricKey,
        difficulties: QuestionDifficulties? = nil, boards: (any BoardStorage)? = nil,
        events: (any EventStorage)? = nil, administration: (any AdministrationStorage)? = nil,
        uptake: (any UptakeStorage)? = nil, review: (any ReviewStorage)? = nil
    ) async {
        let all = CollectionRules.builtIn + options.collections
        rules = Dictionary(all.map { ($0.declaration.name, $0) }, uniquingKeysWith: { $1 })
        self.clock = clock
        ledger = LedgerService(
            Ledger(rules: rules.values), storage: storage,
            clock: { Int64(clock().timeIntervalSince1970 * 1000) },
            makeText: { RandomText.make(bytes: 9) })
        self.accounts = AccountStore(
            storage: accounts, tokens: RefreshTokens(serverKey: key))
        passwords = Passwords(rounds: options.passwordRounds)
        tokens = await AccessTokens(key: key)
        external = ExternalIssuers(options.issuers)
        mailbox = options.mailbox
        rateLimits = options.rateLimits
        tracer = options.tracer
        upkeepClock = options.upkeepClock
        self.difficulties = difficulties
        self.boards = boards.map { BoardService($0, clock: clock) }
        self.events = events.map { EventService($0, ranking: options.ranking, clock: clock) }
        self.administration = administration.map { AdministrationService($0, clock: clock) }
        self.uptake = uptake.map { UptakeService($0, clock: clock) }
        self.review = review
    }

    /// Detects a restore of the database since the last start, and repeats what a restore must not undo.
    ///
    /// - Throws: `UserServiceSetupError` for an unusable file, or an error of the storage.
    package func prepare() async throws {
        try await accounts.storage.detectRestore()
        // A backup younger than the mark's last change cannot be told from the database itself.
        try await accounts.replayRevocations()
        try await accounts.storage.renewMark(now: clock().millisecondsSince1970)
    }

    // MARK: Who asks

    /// Returns the user of an `Authorization` field.
    ///
    /// - Parameter field: The field as sent; `nil` when there was none.
    /// - Returns: The account's id.
    /// - Throws: `UserServiceError` `unauthorized`, `noAccount`.
    public func user(_ field: String?) async throws -> String {
        try await authenticatedUser(field).id
    }

    /// Returns the user and session of an `Authorization` field.
    ///
    /// - Parameter field: The field as sent; `nil` when there was none.
    /// - Returns: The subject of the token.
    /// - Throws: `UserServiceError` `unauthorized`, also for a session that ended and for an
    ///   account that a restored database does not contain; `noAccount` for a deleted one.
    public func authenticatedUser(_ field: String?) async throws -> AuthenticatedUser {
        guard let field, field.lowercased().hasPrefix("bearer "),
            let user = await tokens.user(of: String(field.dropFirst(7)), now: clock())
        else { throw UserServiceError.needsToken }
        try await checkOpen(user)
        return user
    }

    /// Demands that the session of a token that was verified is open still.
    ///
    /// - Throws: `UserServiceError` `unauthorized`, `noAccount`.
    func checkOpen(_ user: AuthenticatedUser) async throws {
        let access = try await tracer.withAnySpan("authenticate") { _ in
            try await accounts.access(user.id, session: user.session)
        }
        guard let account = access.account else {
            if let move = access.move { throw UserServiceError.closed(by: move) }
            throw access.isDeleted
                ? UserServiceError.accountIsDeleted : UserServiceError.needsToken
        }
        guard access.isOpen, user.tokenGeneration == account.tokenGeneration else {
            throw UserServiceError.needsToken
        }
    }

    /// Returns true when the session of an open stream, its family of tokens or its account has ended.
    ///
    /// - Returns: False also when the database does not answer.
    package func hasEnded(_ user: AuthenticatedUser) async -> Bool {
        do {
            try await checkOpen(user)
            return false
        } catch {
            let code = (error as? UserServiceError)?.code
            return code == .unauthorized || code == .noAccount
        }
    }

    func limit(_ limit: RateLimit, _ name: String, cost: Int = 1) async throws {
        let now = Int64(clock().timeIntervalSince1970 * 1000)
        if let seconds = await rateLimits.consume(limit, of: name, cost: cost, now: now) {
            throw UserServiceError.tooMany(seconds)
        }
    }

    // MARK: User data

    /// Pushes and pulls.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - user: The account of its token.
    /// - Returns: The reply; everything that it acknowledges is on the disk.
    /// - Throws: `UserServiceError`.
    public func exchange(_ call: ExchangeCall, of user: String) async throws -> ExchangeReply {
        guard call.request.user == user else {
            throw UserServiceError(.wrongUser, "The token is another user's.")
        }
        try await limit(.exchanges, user)
        return try await translatingErrors(of: user) { try await ledger.exchange(call) }
    }

    /// Translates errors of the ledger to those of the service.
    ///
    /// `noAccount` is believed only when accounts say so too: where a policy of the ledger is missing, every account
    /// seems to be gone, and devices would take it for deleted.
    ///
    /// - Parameters:
    ///   - user: The account.
    ///   - function: The name of the operation, for its span.
    ///   - body: The operation.
    /// - Returns: Its result.
    /// - Throws: `UserServiceError`, or another error of the operation.
    func translatingErrors<Value>(
        of user: String, function: String = #function, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await tracer.withAnySpan(String(function.prefix { $0 != "(" })) { _ in
                try await body()
            }
        } catch LedgerError.noAccount {
            let access = try await accounts.access(user, session: "")
            if let move = access.move { throw UserServiceError.closed(by: move) }
            let isThere = access.account != nil
            throw UserServiceError(
                isThere ? .refused("the ledger does not see an account that exists") : .noAccount)
        } catch let error as LedgerError {
            throw UserServiceError(error)
        }
    }
}

extension UserServiceError {
    static let needsToken = UserServiceError(.unauthorized, "A valid access token is needed.")
}

extension RateLimit {
    static let exchanges = RateLimit(
        "exchanges", perMinute: ServiceLimits.exchangesPerMinute)
    static let signIns = RateLimit("sign-ins", perMinute: ServiceLimits.signInsPerMinute)
}

extension FailureLimit {
    static let signInsByAddress = FailureLimit(
        "sign-ins of an address", ServiceLimits.failedSignInsPerMinute)
    static let signInsByEmail = FailureLimit(
        "sign-ins of an email", ServiceLimits.failedSignInsPerEmailMinute)
    static let renewalsOfToken = FailureLimit(
        "renewals of a token", ServiceLimits.renewalsOfTokenPerDay, windowSeconds: 86_400)
    static let copiesOfAccount = FailureLimit(
        "copies of an account", ServiceLimits.copiedSessionsPerDay, windowSeconds: 86_400)
    static let codesByEmail = FailureLimit(
        "codes of an email", ServiceLimits.emailCodesPerHour, windowSeconds: 3600)
    static let codesByAsker = FailureLimit(
        "codes of an asker", ServiceLimits.askedCodesPerHour, windowSeconds: 3600)
}
