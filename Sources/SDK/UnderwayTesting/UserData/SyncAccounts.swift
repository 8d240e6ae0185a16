import ContentModel
import Foundation
import ServiceAPI

/// The accounts of a sync server with their passwords and sessions.
struct SyncAccounts: Sendable {
    /// The data of an account and its sign-in methods.
    struct Account: Sendable {
        var data: SyncAccount
        var email: String?
        var password: String?
        /// The identities of other issuers.
        var identities: Set<String> = []

        /// True when another device can sign in.
        var hasSignInMethod: Bool { email != nil || !identities.isEmpty }
    }

    /// A move that is complete.
    struct Move: Sendable {
        var target: String
        var reply: MoveBody.Reply
    }

    /// The session of a device: the tokens that come from one sign-in.
    struct Session: Sendable {
        var user: String
        /// The time of the sign-in; `nil` for one without a password.
        var signedInAt: Date?
        var accessTokens: Set<String> = []
    }

    /// A refresh token that was issued.
    private struct RefreshToken: Sendable {
        var session: Int
        /// The token that it replaced.
        var parent: String?
        var number: Int
        var isUsed = false
        /// The times at which it was renewed within a day.
        var renewals: [Date] = []
    }

    /// The sender of a request.
    struct Caller: Sendable {
        var user: String
        fileprivate var session: Int
    }

    var accounts: [String: Account] = [:]
    /// The accounts that were moved into others.
    var moves: [String: Move] = [:]
    private var sessions: [Int: Session] = [:]
    /// The refresh tokens of all sessions that were ever open.
    private var refreshTokens: [String: RefreshToken] = [:]
    /// The session of each access token that was ever issued.
    private var sessionOfAccessToken: [String: Int] = [:]
    private var count = 0
    /// The time of a request.
    var now = Date.distantPast
    /// The tokens of other issuers that are accepted, with the identity of each.
    var externalTokens: [String: String] = [:]

    /// Returns a unique text.
    mutating func unused(_ prefix: String) -> String {
        count += 1
        return "\(prefix)-\(count)"
    }

    subscript(user: String) -> Account? {
        get { accounts[user] }
        set { accounts[user] = newValue }
    }

    /// Returns the account of an email.
    func user(ofEmail email: String) -> String? {
        accounts.first { $0.value.email == email.lowercased() }?.key
    }

    // MARK: Accounts

    mutating func makeAccount() -> String {
        let user = unused("user")
        accounts[user] = Account(data: SyncAccount(epoch: unused("epoch")))
        return user
    }

    /// Sets an account's email and password; the sessions of others end, if it had a sign-in method before.
    mutating func setPassword(
        _ user: String, email: String, password: String, keeping caller: Caller? = nil
    ) throws(SyncProblem) {
        try Self.check(email: email, password: password)
        let owner = self.user(ofEmail: email)
        guard owner == nil || owner == user else {
            throw SyncProblem(.emailTaken, "The email belongs to another account.")
        }
        if accounts[user]?.hasSignInMethod == true { endSessions(of: user, except: caller) }
        accounts[user]?.email = email.lowercased()
        accounts[user]?.password = password
    }

    /// Checks the form of an email and of a password.
    static func check(email: String, password: String) throws(SyncProblem) {
        guard email.contains("@"), password.count >= 8 else {
            throw SyncProblem(
                .invalidRequest, "An email address and a password of 8 characters are needed.")
        }
    }

    /// Removes an account; requests with its tokens get `noAccount` from now on.
    mutating func remove(_ user: String) { accounts[user] = nil }

    /// Deletes an account, and those that were moved into it.
    mutating func delete(_ user: String) {
        remove(user)
        for (source, move) in moves where move.target == user {
            moves[source] = nil
            delete(source)
        }
    }

    // MARK: Sessions

    /// Opens a session.
    ///
    /// - Parameters:
    ///   - user: The account.
    ///   - isAuthenticated: True after a sign-in, which counts as fresh for some minutes.
    /// - Returns: The account and its first tokens.
    mutating func open(_ user: String, isAuthenticated: Bool) -> AccountBody.Tokens {
        count += 1
        sessions[count] = Session(user: user, signedInAt: isAuthenticated ? now : nil)
        return issue(count, user, parent: nil)
    }

    private mutating func issue(
        _ session: Int, _ user: String, parent: String?
    ) -> AccountBody.Tokens {
        let (access, refresh) = (unused("access"), unused("refresh"))
        sessions[session]?.accessTokens.insert(access)
        sessionOfAccessToken[access] = session
        refreshTokens[refresh] = RefreshToken(session: session, parent: parent, number: count)
        return AccountBody.Tokens(user: user, accessToken: access, refreshToken: refresh)
    }

    /// Opens a session by email and password.
    mutating func signIn(email: String, password: String) throws(SyncProblem) -> AccountBody.Tokens
    {
        guard let user = user(ofEmail: email), accounts[user]?.password == password else {
            throw SyncProblem(.wrongCredentials, "Email and password do not belong together.")
        }
        return open(user, isAuthenticated: true)
    }

    /// Opens a session by a token of another issuer.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - caller: The account of the request, which gets the identity unless another one has it.
    ///   - password: The password of that account, if any was sent.
    /// - Returns: The account and its tokens.
    /// - Throws: `SyncProblem` `wrongCredentials`, `needsFreshSignIn`.
    mutating func signIn(
        externalToken token: String, caller: Caller?, password: String?
    ) throws(SyncProblem) -> AccountBody.Tokens {
        guard let identity = externalTokens[token] else {
            throw SyncProblem(.wrongCredentials, "This token is not valid here.")
        }
        if let known = accounts.first(where: { $0.value.identities.contains(identity) })?.key {
            return open(known, isAuthenticated: true)
        }
        if let caller { try checkFreshness(of: caller, password: password) }
        let user = caller?.user ?? makeAccount()
        if accounts[user]?.hasSignInMethod == true { endSessions(of: user, except: caller) }
        accounts[user]?.identities.insert(identity)
        return open(user, isAuthenticated: true)
    }

    /// Requires the password, or a recent sign-in without one, for an account that has a sign-in method.
    func checkFreshness(of caller: Caller, password: String?) throws(SyncProblem) {
        guard let account = accounts[caller.user], account.hasSignInMethod else { return }
        guard let known = account.password else {
            let signedInAt = sessions[caller.session]?.signedInAt ?? .distantPast
            let age = now.timeIntervalSince(signedInAt)
            guard age > Double(ServiceLimits.freshSignInSeconds) else { return }
            throw SyncProblem(.needsFreshSignIn, "A sign-in a few minutes ago is needed.")
        }
        guard let password else {
            throw SyncProblem(.needsFreshSignIn, "The password is needed for this change.")
        }
        guard password == known else {
            throw SyncProblem(.wrongCredentials, "The password is not right.")
        }
    }

    /// Renews the tokens of a session.
    ///
    /// A token whose successor never arrived may be presented again; after a successor was used, one of the two
    /// presenters has a copy, and the session ends.
    mutating func refresh(_ token: String) throws(SyncProblem) -> AccountBody.Tokens {
        guard let stored = refreshTokens[token], let session = sessions[stored.session] else {
            throw SyncProblem(.unauthorized, "Sign in again.")
        }
        try countRenewal(of: token)
        try checkIsOpen(session.user)
        let others = refreshTokens.filter { other, row in
            row.parent == token
                || row.parent == stored.parent && other != token
                    && stored.parent != nil
        }
        guard !others.values.contains(where: \.isUsed) else {
            guard accounts[session.user]?.hasSignInMethod == true else {
                // Nothing else opens the account: a device was put back from a backup.
                var tokens = open(session.user, isAuthenticated: false)
                tokens.isCopied = true
                return tokens
            }
            sessions[stored.session] = nil
            throw SyncProblem(.reusedToken, "The token was used before. Sign in again.")
        }
        refreshTokens[token]?.isUsed = true
        let spare = others.filter { $0.value.parent == token }
            .sorted { $0.value.number > $1.value.number }
            .dropFirst(ServiceLimits.spareRefreshTokensMax)
        for (old, _) in spare { refreshTokens[old] = nil }
        return issue(stored.session, session.user, parent: token)
    }

    /// Counts a renewal of a token, whose successors are limited each day.
    private mutating func countRenewal(of token: String) throws(SyncProblem) {
        let day: TimeInterval = 24 * 3600
        var times = refreshTokens[token]?.renewals ?? []
        times.removeAll { $0 <= now - day }
        if times.count >= ServiceLimits.renewalsOfTokenPerDay, let first = times.first {
            throw .tooMany(seconds: Int((first + day).timeIntervalSince(now).rounded(.up)))
        }
        refreshTokens[token]?.renewals = times + [now]
    }

    /// Returns the sender of an `Authorization` field.
    func caller(_ authorization: String?) throws(SyncProblem) -> Caller {
        let token = authorization?.split(separator: " ").last.map(String.init) ?? ""
        guard let id = sessionOfAccessToken[token], let session = sessions[id],
            session.accessTokens.contains(token)
        else { throw SyncProblem(.unauthorized, "The access token is not valid.") }
        try checkIsOpen(session.user)
        return Caller(user: session.user, session: id)
    }

    /// Rejects requests of a closed account.
    private func checkIsOpen(_ user: String) throws(SyncProblem) {
        if moves[user] != nil { throw .movedAccount }
        guard accounts[user] != nil else { throw .noAccount }
    }

    /// Returns the session of a refresh token; `nil` for one that has ended.
    func openSession(ofRefreshToken token: String) -> Session? {
        refreshTokens[token].flatMap { sessions[$0.session] }
    }

    /// Returns the account of a refresh token, also of a session that has ended with the account.
    func user(ofRefreshToken token: String) -> String? { openSession(ofRefreshToken: token)?.user }

    /// Expires the access tokens of all sessions; refresh tokens remain valid.
    mutating func expireAccessTokens() {
        for id in sessions.keys { sessions[id]?.accessTokens = [] }
    }

    /// Ends the session of a refresh token.
    mutating func endSession(ofRefreshToken token: String) {
        if let id = refreshTokens[token]?.session { sessions[id] = nil }
    }

    /// Ends the sessions of an account, or of all accounts, except that of a caller.
    mutating func endSessions(of user: String? = nil, except caller: Caller? = nil) {
        sessions = sessions.filter { id, session in
            id == caller?.session || user != nil && session.user != user
        }
        // Their access tokens end too.
        if let caller { sessions[caller.session]?.accessTokens = [] }
    }

    // MARK: Backups

    /// Restores the data of accounts from a backup; sessions and passwords remain.
    ///
    /// Each account gets another epoch, by which devices detect that the server went back.
    mutating func restore(_ backup: SyncAccounts) {
        for user in accounts.keys {
            let epoch = unused("epoch")
            var data = backup.accounts[user]?.data ?? SyncAccount(epoch: epoch)
            data.epoch = epoch
            accounts[user]?.data = data
        }
    }
}

/// A problem document of the server.
struct SyncProblem: Error {
    var code: ProblemCode
    var detail: String
    /// The wait that the server requests, in seconds.
    var retryAfter: Int?

    init(_ code: ProblemCode, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    static let movedAccount = SyncProblem(
        .movedAccount, "This account was joined with another one. Sign in to that one.")
    static let noAccount = SyncProblem(.noAccount, "There is no such account any more.")

    static func tooMany(seconds: Int) -> SyncProblem {
        var problem = SyncProblem(
            .tooManyRequests, "Too many requests. Try again in \(seconds) s.")
        problem.retryAfter = seconds
        return problem
    }

    /// The reply in the form of RFC 9457.
    var reply: TestReply {
        var reply = TestReply(
            code.status, headers: ["content-type": "application/problem+json"])
        if let retryAfter { reply.headers["retry-after"] = String(retryAfter) }
        reply.body =
            JSONValue.object([
                "type": "about:blank", "title": .string(code.title),
                "status": .integer(code.status), "detail": .string(detail),
                "code": .string(code.rawValue),
            ]).canonicalBytes
        return reply
    }
}
