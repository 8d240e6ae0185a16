package import Crypto
public import Foundation
public import ServiceAPI
public import UserData

/// How a server keeps its users.
public struct UserServiceOptions: Sendable {
    /// The folder for the database and the key of the tokens; made if there is none.
    public var folder: URL
    /// The collections; the built-in ones are always there.
    public var collections: [CollectionRules]
    /// Whose tokens are believed beside the server's own.
    public var issuers: [ExternalIssuer]
    /// scrypt's N for new passwords.
    public var passwordRounds: Int

    /// Describes a service.
    public init(
        folder: URL, collections: [CollectionRules] = [], issuers: [ExternalIssuer] = [],
        passwordRounds: Int = 1 << 15
    ) {
        self.folder = folder
        self.collections = collections
        self.issuers = issuers
        self.passwordRounds = passwordRounds
    }
}

/// What a user is given to speak with the server.
public struct SessionTokens: Sendable, Hashable {
    /// The account's id.
    public var user: String
    /// Valid for minutes; sent with each request.
    public var accessToken: String
    /// Used up once for new tokens.
    public var refreshToken: String
}

/// Everything that the server does about users; the routes call nothing else.
public struct UserDesk: Sendable {
    /// The collections by name.
    public let rules: [String: CollectionRules]
    let database: UserDatabase
    let writer: LedgerWriter
    let accounts: AccountStore
    private let passwords: Passwords
    private let tokens: AccessTokens
    private let external: ExternalIssuers
    private let exchanges = RateLimiter(perMinute: ServiceLimits.exchangesPerMinute)
    private let signIns = RateLimiter(perMinute: ServiceLimits.signInsPerMinute)
    let clock: @Sendable () -> Date

    /// Opens the service.
    ///
    /// - Parameters:
    ///   - options: How it keeps its users.
    ///   - clock: The wall clock.
    /// - Throws: An error of the file system or the database.
    public init(
        _ options: UserServiceOptions, clock: @escaping @Sendable () -> Date = { Date() }
    ) async throws {
        try FileManager.default.createDirectory(
            at: options.folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let path = options.folder.appending(path: "users.sqlite").path
        try await self.init(
            UserDatabase(path: path), options, clock: clock,
            key: KeyFile.key(in: options.folder))
    }

    package init(
        _ database: UserDatabase, _ options: UserServiceOptions,
        clock: @escaping @Sendable () -> Date, key: SymmetricKey
    ) async throws {
        let all = CollectionRules.builtIn + options.collections
        rules = Dictionary(all.map { ($0.declaration.name, $0) }, uniquingKeysWith: { $1 })
        self.database = database
        self.clock = clock
        writer = LedgerWriter(
            database, rules: Array(rules.values),
            clock: { Int64(clock().timeIntervalSince1970 * 1000) },
            makeText: { RandomText.make(bytes: 9) })
        accounts = AccountStore(database: database)
        passwords = Passwords(rounds: options.passwordRounds)
        tokens = await AccessTokens(key: key)
        external = ExternalIssuers(options.issuers)
    }

    // MARK: Who asks

    /// The user of an `Authorization` field.
    ///
    /// - Parameter field: As it was sent; `nil` when there was none.
    /// - Returns: The account's id.
    /// - Throws: `UserServiceError` `unauthorized`.
    public func user(_ field: String?) async throws -> String {
        guard let field, field.lowercased().hasPrefix("bearer "),
            let user = await tokens.user(of: String(field.dropFirst(7)), now: clock())
        else { throw UserServiceError(.unauthorized, "A valid access token is needed.") }
        return user
    }

    private func limit(_ limiter: RateLimiter, _ name: String) throws {
        let now = Int64(clock().timeIntervalSince1970 * 1000)
        if let seconds = limiter.wait(name, now: now) {
            var error = UserServiceError(
                .tooManyRequests, "Too many requests. Try again in \(seconds) s.")
            error.retryAfterSeconds = seconds
            throw error
        }
    }

    // MARK: Accounts

    /// Makes an account for a device that has none.
    ///
    /// - Parameter address: Who asks, for the rate limit.
    /// - Returns: The account and its tokens.
    /// - Throws: `UserServiceError` `tooManyRequests`.
    public func makeAnonymousAccount(address: String) async throws -> SessionTokens {
        try limit(signIns, address)
        let id = "u" + RandomText.make(bytes: 15)
        try await accounts.make(id: id, now: clock())
        return try await openSession(id)
    }

    /// Gives an account an email and a password, so that other devices can sign in.
    ///
    /// - Throws: `UserServiceError` `invalidRequest`, `emailTaken`, `noAccount`.
    public func upgrade(
        _ user: String, email: String, password: String, address: String
    ) async throws {
        try limit(signIns, address)
        guard let email = Email(email) else {
            throw UserServiceError(.invalidRequest, "This is not an email address.")
        }
        guard Passwords.isAcceptable(password) else {
            throw UserServiceError(
                .invalidRequest,
                "A password has at least \(Passwords.charactersMin) characters and at most"
                    + " \(Passwords.bytesMax) bytes.")
        }
        let kept = try await passwords.keep(password)
        try await accounts.setPassword(kept, email: email.text, of: user)
    }

    /// Opens a session by email and password.
    ///
    /// - Throws: `UserServiceError` `wrongCredentials`, `tooManyRequests`.
    public func signIn(
        email: String, password: String, address: String
    ) async throws -> SessionTokens {
        try limit(signIns, address)
        let email = Email(email)?.text ?? ""
        try limit(signIns, "email " + email)
        let known = try await accounts.password(of: email)
        guard password.utf8.count <= Passwords.bytesMax,
            try await passwords.matches(password, known?.kept), let known
        else {
            throw UserServiceError(
                .wrongCredentials, "Email and password do not belong together.")
        }
        return try await openSession(known.id)
    }

    /// Opens a session by a token of another issuer.
    ///
    /// - Parameters:
    ///   - token: A signed token.
    ///   - user: The account that asks, which is the identity's from now on unless it has one.
    ///   - address: Who asks, for the rate limit.
    /// - Returns: The account and its tokens.
    /// - Throws: `UserServiceError` `wrongCredentials`, `tooManyRequests`.
    public func signIn(
        externalToken token: String, user: String?, address: String
    ) async throws -> SessionTokens {
        try limit(signIns, address)
        guard let identity = await external.identity(of: token, now: clock()) else {
            throw UserServiceError(.wrongCredentials, "This token is not valid here.")
        }
        var id = user ?? ""
        if user == nil, try await !accounts.knows(identity) {
            id = "u" + RandomText.make(bytes: 15)
            try await accounts.make(id: id, now: clock())
        }
        return try await openSession(try await accounts.account(of: identity, else: id))
    }

    /// New tokens for a refresh token, which is used up.
    ///
    /// - Throws: `UserServiceError` `unauthorized`, `reusedToken`, `tooManyRequests`.
    public func refresh(_ token: String, address: String) async throws -> SessionTokens {
        try limit(exchanges, "refresh " + address)
        let next = RandomText.make(bytes: 32)
        let user = try await accounts.rotate(token, into: next, now: clock())
        return SessionTokens(
            user: user, accessToken: try await tokens.make(user: user, now: clock()),
            refreshToken: next)
    }

    /// Makes a refresh token and all that came of it void.
    public func revoke(_ token: String) async throws { try await accounts.revoke(token) }

    /// Signs a user out everywhere.
    public func revokeAll(of user: String) async throws { try await accounts.revokeAll(of: user) }

    /// Deletes an account with everything that belongs to it; there is no way back.
    public func delete(_ user: String) async throws { try await accounts.delete(user) }

    private func openSession(_ user: String) async throws -> SessionTokens {
        let token = RandomText.make(bytes: 32)
        try await accounts.keep(
            refreshToken: token, family: RandomText.make(bytes: 12), of: user, now: clock())
        return SessionTokens(
            user: user, accessToken: try await tokens.make(user: user, now: clock()),
            refreshToken: token)
    }

    // MARK: User data

    /// Pushes and pulls.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - user: Whose token came with it.
    /// - Returns: The answer; what it says is on the disk.
    /// - Throws: `UserServiceError`.
    public func exchange(_ call: ExchangeCall, of user: String) async throws -> ExchangeReply {
        guard call.request.user == user else {
            throw UserServiceError(.wrongUser, "The token is another user's.")
        }
        try limit(exchanges, user)
        return try await answered { try await writer.exchange(call) }
    }

    /// Says what the ledger cannot do in the words of the service.
    func answered<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch LedgerError.noAccount {
            throw UserServiceError(.noAccount, "There is no such account any more.")
        }
    }
}

/// An address in the one spelling under which it is kept.
private struct Email {
    let text: String

    init?(_ text: String) {
        let text = text.trimmingCharacters(in: .whitespaces).lowercased()
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].contains("."), text.utf8.count <= 254,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        self.text = text
    }
}

/// Text that nobody can guess.
enum RandomText {
    static func make(bytes: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64URL.text(
            (0..<bytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
}

/// The key of the server's tokens, in a file that only its owner reads.
private enum KeyFile {
    static func key(in folder: URL) throws -> SymmetricKey {
        let file = folder.appending(path: "token-key")
        if let bytes = try? Data(contentsOf: file), bytes.count == 32 {
            return SymmetricKey(data: bytes)
        }
        let key = SymmetricKey(size: .bits256)
        let bytes = key.withUnsafeBytes { Data($0) }
        guard
            FileManager.default.createFile(
                atPath: file.path, contents: bytes, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteNoPermission) }
        return key
    }
}
