import ContentModel
public import Foundation
import Logging
public import OfflineStorage
import ServiceAPI

/// The account of whoever uses the device: made without asking, upgraded when they want, and the
/// tokens that speak for it.
public struct Account: Sendable {
    let store: UserStore
    let secrets: any SecretStore
    let client: ServiceClient
    private let logger = Logger(label: "underway.account")

    /// Describes how to reach the accounts of a server.
    ///
    /// - Parameters:
    ///   - store: Whose user changes with the account.
    ///   - secrets: Where tokens are kept.
    ///   - transport: The network.
    ///   - serverURL: Scheme, host and port, without a slash at its end.
    ///   - deadline: How long one request may take.
    public init(
        store: UserStore, secrets: any SecretStore, transport: any Transport, serverURL: String,
        deadline: Duration = .seconds(60)
    ) {
        self.store = store
        self.secrets = secrets
        client = ServiceClient(transport: transport, baseURL: serverURL, deadline: deadline)
    }

    func path(_ name: String) -> String { "\(UserDataRoutes.accounts)/\(name)" }

    // MARK: Tokens

    private static func name(_ user: String) -> String { "tokens of \(user)" }

    /// The tokens of a user, when they may be sent to a server; this account's where none is named.
    ///
    /// Tokens that an earlier version stored belong to the server that is asked first.
    /// - Throws: `ServiceProblem` naming both servers when another one issued them.
    func tokens(of user: String, at other: ServiceClient? = nil) throws -> AccountBody.Tokens? {
        let client = other ?? client
        guard let bound = try storedTokens(of: user) else { return nil }
        try bound.check(client)
        if bound.origin == nil { try keep(bound.tokens, from: client) }
        return bound.tokens
    }

    private func storedTokens(of user: String) throws -> BoundTokens? {
        try secrets.secret(Self.name(user)).flatMap {
            // Damaged ones are as good as none: the user signs in again.
            try? BoundTokens(stored: $0)
        }
    }

    private func keep(_ tokens: AccountBody.Tokens, from client: ServiceClient) throws {
        try secrets.set(
            Self.name(tokens.user), try BoundTokens(tokens, from: client).stored)
    }

    /// New tokens for those that are not valid any more.
    ///
    /// - Throws: `ServiceProblem`; `unauthorized` when the user has to sign in again.
    func renew(_ user: String) async throws {
        guard let tokens = try tokens(of: user) else {
            throw ServiceProblem(status: 401, code: .unauthorized, message: "Sign in again.")
        }
        let answer = try await client.send(
            "POST", path("refresh"), ["refresh_token": .string(tokens.refreshToken)])
        try keep(try AccountBody.Tokens(answer.body), from: client)
        logger.debug("token renewed")
    }

    func withToken<Value: Sendable>(
        _ body: (String) async throws -> Value
    ) async throws -> Value {
        let user = store.user
        guard let tokens = try tokens(of: user) else {
            throw ServiceProblem(
                status: 401, code: .unauthorized, message: "There is no account yet.")
        }
        do {
            return try await body(tokens.accessToken)
        } catch let problem as ServiceProblem where problem.code == .unauthorized {
            try await renew(user)
            return try await body(try self.tokens(of: user)?.accessToken ?? "")
        }
    }

    // MARK: Ways in

    /// Makes an account when there is none, so that what was done so far can be sent.
    ///
    /// - Returns: The account's id.
    /// - Throws: `ServiceProblem`, or an error of the store.
    @discardableResult
    public func ensure() async throws -> String {
        let user = store.user
        guard user == UserStore.localUser else { return user }
        let answer = try await client.send("POST", path("anonymous"))
        return try take(answer.body, bringing: .everything, from: user)
    }

    /// Keeps the tokens first: whoever is stopped in between signs in once more, with nothing lost.
    private func take(
        _ body: [UInt8], bringing: Bringing, from former: String? = nil, hasWayIn: Bool = false
    ) throws -> String {
        let tokens = try AccountBody.Tokens(body)
        try keep(tokens, from: client)
        try store.switchUser(
            to: tokens.user, bringing: bringing, from: former, now: Date())
        if hasWayIn { try store.noteWayIn() }
        logger.info("signed in", metadata: ["hasWayIn": "\(hasWayIn)"])
        return tokens.user
    }

    /// Makes a new account and takes everything there that is on this device, as after the account was
    /// deleted on another one.
    ///
    /// - Returns: The new account's id.
    /// - Throws: `ServiceProblem`, or an error of the store; nothing has changed then.
    @discardableResult
    public func startOver() async throws -> String {
        let answer = try await client.send("POST", path("anonymous"))
        return try take(answer.body, bringing: .everything)
    }

    /// Gives the account an email and a password, so that other devices can sign in.
    ///
    /// On an account that has a way in already all other sessions end.
    ///
    /// - Parameters:
    ///   - email: The email.
    ///   - password: The new password.
    ///   - currentPassword: The former password; `nil` for an account without one, or within five
    ///     minutes of a sign-in.
    /// - Throws: `ServiceProblem` `emailTaken`, `invalidRequest`; `needsFreshSignIn` or
    ///   `wrongCredentials` when the present password must be asked for.
    public func upgrade(
        email: String, password: String, currentPassword: String? = nil
    ) async throws {
        try await ensure()
        _ = try await withToken { token in
            try await client.send(
                "POST", path("upgrade"),
                .compact([
                    "email": .string(email), "password": .string(password),
                    "current_password": currentPassword.map { .string($0) },
                ]), token: token)
        }
        try store.noteWayIn()
    }

    /// Signs in.
    ///
    /// - Parameters:
    ///   - email: The account's.
    ///   - password: The account's.
    ///   - bringing: Whether what was done on this device before goes over to the account; ask the
    ///     user when there is something (`UserStore.hasData`).
    /// - Returns: The account's id.
    /// - Throws: `ServiceProblem` `wrongCredentials`.
    @discardableResult
    public func signIn(
        email: String, password: String, bringing: Bringing
    ) async throws -> String {
        let answer = try await client.send(
            "POST", path("sign-in"), ["email": .string(email), "password": .string(password)])
        return try take(answer.body, bringing: bringing, hasWayIn: true)
    }

    /// Signs in with a token of another issuer, such as that of Sign in with Apple.
    ///
    /// - Parameters:
    ///   - token: A signed token.
    ///   - linking: True to give the identity to the present account, unless it has one.
    ///   - bringing: See `signIn(email:password:bringing:)`.
    /// - Returns: The account's id.
    /// - Throws: `ServiceProblem` `wrongCredentials`.
    @discardableResult
    public func signIn(
        externalToken token: String, linking: Bool, bringing: Bringing
    ) async throws -> String {
        let body: JSONValue = ["token": .string(token)]
        let answer =
            linking && store.user != UserStore.localUser
            ? try await withToken {
                try await client.send("POST", path("external"), body, token: $0)
            } : try await client.send("POST", path("external"), body)
        return try take(answer.body, bringing: bringing, hasWayIn: true)
    }

    // MARK: Ways out

    /// Signs out on this device.
    ///
    /// - Parameters:
    ///   - erasing: True removes the user's data from the device.
    ///   - lossIsAccepted: True when what was not sent may be lost.
    /// - Throws: `StoreError` `unsent` when something would be lost, so that the app can ask.
    public func signOut(erasing: Bool, lossIsAccepted: Bool = false) async throws {
        let user = store.user
        // Signing out is possible at every address; only the issuer gets the token.
        let bound = try storedTokens(of: user)
        let isIssuer = (try? bound?.check(client)) != nil
        let tokens = isIssuer ? bound?.tokens : nil
        try store.signOut(erasing: erasing, lossIsAccepted: lossIsAccepted)
        try secrets.set(Self.name(user), nil)
        logger.info("signed out", metadata: ["erasing": "\(erasing)"])
        if let tokens {
            // The token is forgotten here; the server forgets it too, or when its time is over.
            _ = try? await client.send(
                "POST", path("revoke"), ["refresh_token": .string(tokens.refreshToken)])
        }
    }

    /// Everything that the server keeps of the user, as JSON.
    ///
    /// - Throws: `ServiceProblem`.
    public func export() async throws -> Data {
        try await withToken { token in
            Data(try await client.send("GET", path("export"), token: token).body)
        }
    }

    /// Deletes the account on the server and the data on the device; there is no way back.
    ///
    /// - Throws: `ServiceProblem`; nothing is deleted then.
    public func delete() async throws {
        let user = store.user
        _ = try await withToken { token in
            try await client.send("DELETE", path("account"), token: token)
        }
        try secrets.set(Self.name(user), nil)
        try store.signOut(erasing: true, lossIsAccepted: true)
    }
}
