import ContentModel
import ServiceAPI
import UserData

/// The accounts of a sync server with their passwords and sessions.
struct SyncAccounts: Sendable {
    /// The data of an account and the ways into it.
    struct Account: Sendable {
        var data: SyncAccount
        var email: String?
        var password: String?
        /// The identities of other issuers.
        var identities: Set<String> = []

        /// True when another device can sign in.
        var hasSignInMethod: Bool { email != nil || !identities.isEmpty }
    }

    private struct Session: Sendable {
        var user: String
        /// The access and refresh tokens that are valid.
        var accessToken: String
        var refreshToken: String
    }

    private(set) var accounts: [String: Account] = [:]
    private var sessions: [Int: Session] = [:]
    /// The session of each token that was ever issued.
    private var sessionOfToken: [String: Int] = [:]
    private var count = 0
    /// The tokens of other issuers that are accepted, with the identity of each.
    var externalTokens: [String: String] = [:]

    /// Returns a text that was not used before.
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

    /// Gives an account an email and a password.
    mutating func setPassword(
        _ user: String, email: String, password: String
    ) throws(SyncProblem) {
        guard email.contains("@"), password.count >= 8 else {
            throw SyncProblem(
                .invalidRequest, "An email address and a password of 8 characters are needed.")
        }
        let owner = self.user(ofEmail: email)
        guard owner == nil || owner == user else {
            throw SyncProblem(.emailTaken, "The email belongs to another account.")
        }
        accounts[user]?.email = email.lowercased()
        accounts[user]?.password = password
    }

    /// Removes an account; its tokens are answered with `noAccount` from now on.
    mutating func remove(_ user: String) { accounts[user] = nil }

    // MARK: Sessions

    /// Opens a session.
    mutating func open(_ user: String) -> AccountBody.Tokens {
        count += 1
        let id = count
        return issue(id, user)
    }

    private mutating func issue(_ id: Int, _ user: String) -> AccountBody.Tokens {
        let session = Session(
            user: user, accessToken: unused("access"), refreshToken: unused("refresh"))
        sessions[id] = session
        sessionOfToken[session.accessToken] = id
        sessionOfToken[session.refreshToken] = id
        return AccountBody.Tokens(
            user: user, accessToken: session.accessToken, refreshToken: session.refreshToken)
    }

    /// Opens a session by email and password.
    mutating func signIn(email: String, password: String) throws(SyncProblem) -> AccountBody.Tokens
    {
        guard let user = user(ofEmail: email), accounts[user]?.password == password else {
            throw SyncProblem(.wrongCredentials, "Email and password do not belong together.")
        }
        return open(user)
    }

    /// Opens a session by a token of another issuer.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - asking: The account that asks, which gets the identity unless another one has it.
    /// - Returns: The account and its tokens.
    /// - Throws: `SyncProblem` `wrongCredentials`.
    mutating func signIn(
        externalToken token: String, asking: String?
    ) throws(SyncProblem) -> AccountBody.Tokens {
        guard let identity = externalTokens[token] else {
            throw SyncProblem(.wrongCredentials, "This token is not valid here.")
        }
        if let known = accounts.first(where: { $0.value.identities.contains(identity) })?.key {
            return open(known)
        }
        let user = asking ?? makeAccount()
        accounts[user]?.identities.insert(identity)
        return open(user)
    }

    /// Renews the tokens of a session; a refresh token is valid once.
    mutating func refresh(_ token: String) throws(SyncProblem) -> AccountBody.Tokens {
        guard let id = sessionOfToken[token], let session = sessions[id] else {
            throw SyncProblem(.unauthorized, "Sign in again.")
        }
        guard accounts[session.user] != nil else { throw .noAccount }
        guard session.refreshToken == token else {
            sessions[id] = nil
            throw SyncProblem(.reusedToken, "The token was used before. Sign in again.")
        }
        return issue(id, session.user)
    }

    /// Returns the account of an `Authorization` field.
    func user(_ authorization: String?) throws(SyncProblem) -> String {
        let token = authorization?.split(separator: " ").last.map(String.init) ?? ""
        guard let id = sessionOfToken[token], let session = sessions[id],
            session.accessToken == token
        else { throw SyncProblem(.unauthorized, "The access token is not valid.") }
        guard accounts[session.user] != nil else { throw .noAccount }
        return session.user
    }

    /// Ends the access tokens of all sessions; refresh tokens stay valid.
    mutating func expireAccessTokens() {
        for id in sessions.keys { sessions[id]?.accessToken = "" }
    }

    /// Ends the session of a refresh token.
    mutating func endSession(ofRefreshToken token: String) {
        if let id = sessionOfToken[token] { sessions[id] = nil }
    }

    /// Ends the sessions of an account; of all accounts where none is named.
    mutating func endSessions(of user: String? = nil) {
        sessions = sessions.filter { user != nil && $0.value.user != user }
    }

    // MARK: Backups

    /// Puts the data of accounts back as they were in a backup; sessions and passwords stay.
    ///
    /// Each account gets another epoch, by which devices see that the server went back.
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

    init(_ code: ProblemCode, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    static let noAccount = SyncProblem(.noAccount, "There is no such account any more.")

    /// The reply, as RFC 9457 has it.
    var reply: TestReply {
        var reply = TestReply(
            code.status, headers: ["content-type": "application/problem+json"])
        reply.body =
            JSONValue.object([
                "type": "about:blank", "title": .string(code.title),
                "status": .integer(code.status), "detail": .string(detail),
                "code": .string(code.rawValue),
            ]).canonicalBytes
        return reply
    }
}
