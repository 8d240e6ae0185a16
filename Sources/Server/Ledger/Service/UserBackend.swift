package import Accounts
package import ContentModel
import ContentServer
package import Crypto
package import Foundation
package import ServiceAPI
import Tables
package import Tracing
package import UserData

/// The configuration of the user service.
package struct UserServiceOptions: Sendable {
    /// The folder for the database and the token key; created if missing.
    package var folder: URL
    /// The declared collections; the built-in ones are always present.
    package var collections: [CollectionRules]
    /// The external issuers whose tokens are trusted.
    package var issuers: [ExternalIssuer]
    /// The parameter N of scrypt for new passwords.
    package var passwordRounds: Int
    /// The folder for the token key and its companion files; `nil` for the database's folder.
    package var keysFolder: URL?
    /// The sender of codes by email; `nil` for a server that sends none.
    package var mailbox: (any MailSender)?
    /// The counters behind the limits of users and addresses.
    package var rateLimits: any RateLimiting = MemoryRateLimits()
    /// A function that replaces the storage's counters by shared ones; `nil` to use the storage's.
    package var sharesRates: (@Sendable (any RateLimiting) -> any RateLimiting)?

    /// The guard of upkeep against a wrong clock; `nil` for none, as in tests that set the clock.
    package var upkeepClock: UpkeepClock?
    /// The tracer of the service's operations.
    package var tracer: any Tracer = NoOpTracer()

    /// The name of the database's file in `folder`, on SQLite.
    package static let databaseName = "users.sqlite"

    /// Creates a configuration.
    package init(
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
package struct SessionTokens: Sendable, Hashable {
    /// The account's id.
    package var user: String
    /// The token for each request; valid for minutes.
    package var accessToken: String
    /// The token that is exchanged once for new tokens.
    package var refreshToken: String
    /// True when the renewed token had been used before: a copy of the device exists and got its own session.
    package var isCopied = false
}

/// The service for accounts and user data: all operations that the routes offer.
package struct UserBackend: Sendable {
    /// The collections, by name.
    package let rules: [String: CollectionRules]
    let ledger: LedgerService
    /// The authentication of requests.
    package let authentication: Authentication
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
    /// The difficulties by which statistics group answers; `nil` if the storage reads them from the content tables.
    package let difficulties: QuestionDifficulties?
    /// The roles and the audit log; `nil` if the storage has none.
    package let administration: AdministrationService?
    /// The services of features on the same database.
    package var rooms = RoomServices()
    /// The additions of features to the export of a user, by the name of the JSON member.
    package var exported: [String: @Sendable (_ user: String) async throws -> JSONValue?] = [:]
    package let clock: @Sendable () -> Date

    /// Opens the service on any storage.
    ///
    /// - Parameters:
    ///   - accounts: The storage of accounts.
    ///   - storage: The storage of the ledger, of the same database.
    ///   - options: The configuration, whose folders are ignored.
    ///   - clock: The wall clock.
    ///   - key: The server's secret, the same in all processes of the storage.
    ///   - difficulties: The difficulties of questions, if the storage has them.
    ///   - administration: The storage of roles and of the audit log, of the same database.
    package init(
        accounts: any AccountStorage, ledger storage: any LedgerStorage,
        _ options: UserServiceOptions, clock: @escaping @Sendable () -> Date, key: SymmetricKey,
        difficulties: QuestionDifficulties? = nil,
        administration: AdministrationStorage? = nil
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
        authentication = Authentication(
            accounts: self.accounts, tokens: tokens, tracer: tracer, clock: clock)
        self.difficulties = difficulties
        self.administration = administration.map { AdministrationService($0, clock: clock) }
    }

    /// Detects a restore of the database since the last start, and replays the revocations that must survive it.
    ///
    /// - Throws: `SetupError` for an unusable file, or an error of the storage.
    package func prepare() async throws {
        try await accounts.storage.detectRestore()
        // A backup younger than the mark's last change cannot be told from the database itself.
        try await accounts.replayRevocations()
        try await accounts.storage.renewMark(now: clock().millisecondsSince1970)
    }

    func limit(_ limit: RateLimit, _ name: String, cost: Int = 1) async throws {
        let now = Int64(clock().timeIntervalSince1970 * 1000)
        if let seconds = await rateLimits.consume(limit, of: name, cost: cost, now: now) {
            throw RequestError.tooMany(seconds)
        }
    }

    // MARK: User data

    /// Applies a push, and replies with a pull.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - user: The account of its token.
    /// - Returns: The reply; everything that it acknowledges is on disk.
    /// - Throws: `RequestError`.
    package func exchange(_ call: ExchangeCall, of user: String) async throws -> ExchangeReply {
        guard call.request.user == user else {
            throw RequestError(.wrongUser, "The token is another user's.")
        }
        try await limit(.exchanges, user)
        return try await translatingErrors(of: user) { try await ledger.exchange(call) }
    }

    /// Translates errors of the ledger to those of the service.
    ///
    /// `noAccount` counts only if the storage of accounts confirms it: without a policy of the ledger every account
    /// would seem deleted, and devices would believe it.
    ///
    /// - Parameters:
    ///   - user: The account.
    ///   - function: The name of the operation, for its span.
    ///   - body: The operation.
    /// - Returns: Its result.
    /// - Throws: `RequestError`, or another error of the operation.
    package func translatingErrors<Value>(
        of user: String, function: String = #function, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await tracer.withAnySpan(String(function.prefix { $0 != "(" })) { _ in
                try await body()
            }
        } catch StorageError.noAccount {
            let access = try await accounts.access(user, session: "")
            if let move = access.move { throw RequestError.closed(by: move) }
            let isThere = access.account != nil
            throw RequestError(
                isThere ? .refused("the ledger does not see an account that exists") : .noAccount)
        } catch let error as StorageError {
            throw RequestError(error)
        }
    }
}
