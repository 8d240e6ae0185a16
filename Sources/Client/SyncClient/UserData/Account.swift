import ContentModel
public import Foundation
import Logging
public import OfflineStorage
import RemoteAssets
import ServiceAPI

/// The account of the device's user: made without asking, upgraded on request, and its tokens.
///
/// ```swift
/// let folder = URL.temporaryDirectory.appending(path: "cards")
/// let userData = try UserStore(folder: folder)
/// let secrets = try FileSecretStore(folder: folder.appending(path: "secrets"))
/// let account = Account(
///     store: userData, secrets: secrets, transport: HTTPTransport(),
///     serverURL: try URL(address: "https://host.example"))
/// do {
///     try await account.upgrade(email: "ada@example.org", password: "correct horse")
/// } catch let error as ServiceError where error.code == .emailTaken {
///     print("Sign in instead.")
/// } catch let error as ServiceError {
///     print(error.message)
/// }
/// ```
public struct Account: Sendable {
    let store: UserStore
    let secrets: any SecretStore
    let client: ServiceClient
    let logger = SDKLogger.make(.account)

    /// Connects a device's store with the accounts of a server; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - store: The store whose user changes with the account.
    ///   - secrets: The storage of the tokens.
    ///   - transport: The network.
    ///   - serverURL: Scheme, host and port, such as `https://host.example`.
    ///   - deadline: The time limit of one request.
    public init(
        store: UserStore, secrets: any SecretStore, transport: any Transport, serverURL: URL,
        deadline: Duration = .seconds(60)
    ) {
        self.store = store
        self.secrets = secrets
        client = ServiceClient(transport: transport, serverURL: serverURL, deadline: deadline)
    }

    func path(_ name: String) -> String { "\(UserDataRoutes.accounts)/\(name)" }

    // MARK: Tokens

    private static func name(_ user: String) -> String { "tokens of \(user)" }

    /// Returns the tokens of a user, when they may be sent to a server; this account's by default.
    ///
    /// Tokens that an earlier version stored belong to the server that is asked first.
    /// - Throws: `ServiceError` `otherServer` naming both servers when another one issued them.
    func tokens(of user: String, at other: ServiceClient? = nil) throws -> AccountBody.Tokens? {
        let client = other ?? client
        guard let bound = try storedTokens(of: user) else { return nil }
        try bound.check(client)
        if bound.origin == nil { try save(bound.tokens, from: client) }
        return bound.tokens
    }

    private func storedTokens(of user: String) throws -> BoundTokens? {
        try secrets.secret(Self.name(user)).flatMap {
            // Damaged ones are as good as none: the user signs in again.
            try? BoundTokens(stored: $0)
        }
    }

    private func save(_ tokens: AccountBody.Tokens, from client: ServiceClient) throws {
        try secrets.set(
            Self.name(tokens.user), try BoundTokens(tokens, from: client).stored)
    }

    /// Replaces tokens that are not valid any more.
    ///
    /// - Throws: `ServiceError`; `unauthorized` when the user has to sign in again.
    func renew(_ user: String) async throws {
        guard let tokens = try tokens(of: user) else {
            throw ServiceError.signInAgain
        }
        let reply = try await client.send(
            "POST", path("refresh"), ["refresh_token": .string(tokens.refreshToken)])
        try save(try ServiceError.reading { try AccountBody.Tokens(reply.body) }, from: client)
        logger.debug("token renewed")
    }

    func withToken<Value: Sendable>(
        _ body: (String) async throws -> Value
    ) async throws -> Value {
        let user = store.user
        guard let tokens = try tokens(of: user) else {
            throw ServiceError(
                .unauthorized, "There is no account yet. Sync, or sign in.", status: 401)
        }
        do {
            return try await body(tokens.accessToken)
        } catch let error as ServiceError where error.code == .unauthorized {
            try await renew(user)
            return try await body(try self.tokens(of: user)?.accessToken ?? "")
        }
    }

    // MARK: Signing in

    /// Makes an account when there is none, so that the user's data can be sent.
    ///
    /// - Returns: The account's id.
    /// - Throws: `ServiceError`, or an error of the store.
    @discardableResult
    public func ensure() async throws -> String {
        let user = store.user
        guard user == UserStore.localUser else { return user }
        let reply = try await client.send("POST", path("anonymous"))
        return try adopt(reply.body, bringing: .everything, from: user)
    }

    /// Saves the tokens, then switches the user: after a crash in between one more sign-in loses nothing.
    private func adopt(
        _ body: [UInt8], bringing: BroughtData, from formerUser: String? = nil,
        hasSignInMethod: Bool = false
    ) throws -> String {
        let tokens = try ServiceError.reading { try AccountBody.Tokens(body) }
        try save(tokens, from: client)
        try store.switchUser(
            to: tokens.user, bringing: bringing, from: formerUser, now: Date())
        if hasSignInMethod { try store.noteSignInMethod() }
        logger.debug("signed in", metadata: ["hasSignInMethod": "\(hasSignInMethod)"])
        return tokens.user
    }

    /// Makes a new account and moves everything on this device to it, as after the account was deleted
    /// on another one.
    ///
    /// - Returns: The new account's id.
    /// - Throws: `ServiceError`, or an error of the store; nothing has changed then.
    @discardableResult
    public func startOver() async throws -> String {
        let reply = try await client.send("POST", path("anonymous"))
        return try adopt(reply.body, bringing: .everything)
    }

    /// Gives the account an email and a password, so that other devices can sign in.
    ///
    /// On an account that has a sign-in method already all other sessions end.
    ///
    /// - Parameters:
    ///   - email: The email.
    ///   - password: The new password.
    ///   - currentPassword: The previous password; `nil` for an account without one, which then needs a sign-in a few
    ///     minutes ago if it has other ways in.
    /// - Throws: `ServiceError` `emailTaken`, `invalidRequest`; `needsFreshSignIn` or
    ///   `wrongCredentials` when the present password must be asked for.
    public func upgrade(
        email: String, password: String, currentPassword: String? = nil
    ) async throws {
        try await ensure()
        try await withToken { token in
            try await client.perform(
                "POST", path("upgrade"),
                .compact([
                    "email": .string(email), "password": .string(password),
                    "current_password": currentPassword.map { .string($0) },
                ]), token: token)
        }
        try store.noteSignInMethod()
        logger.debug("account upgraded")
    }

    /// Signs in.
    ///
    /// - Parameters:
    ///   - email: The account's.
    ///   - password: The account's.
    ///   - bringing: The data of this device that moves to the account; ask the user when there is some
    ///     (`UserStore.hasData`).
    /// - Returns: The account's id.
    /// - Throws: `ServiceError` `wrongCredentials`.
    @discardableResult
    public func signIn(
        email: String, password: String, bringing: BroughtData
    ) async throws -> String {
        let reply = try await client.send(
            "POST", path("sign-in"), ["email": .string(email), "password": .string(password)])
        return try adopt(reply.body, bringing: bringing, hasSignInMethod: true)
    }

    /// Signs in with a token of another issuer, such as that of Sign in with Apple.
    ///
    /// - Parameters:
    ///   - token: A signed token.
    ///   - linking: True to give the identity to the present account, unless it has one.
    ///   - bringing: See `signIn(email:password:bringing:)`.
    /// - Returns: The account's id.
    /// - Throws: `ServiceError` `wrongCredentials`.
    @discardableResult
    public func signIn(
        externalToken token: String, linking: Bool, bringing: BroughtData
    ) async throws -> String {
        let body: JSONValue = ["token": .string(token)]
        let reply =
            linking && store.user != UserStore.localUser
            ? try await withToken {
                try await client.send("POST", path("external"), body, token: $0)
            } : try await client.send("POST", path("external"), body)
        return try adopt(reply.body, bringing: bringing, hasSignInMethod: true)
    }

    // MARK: Signing out

    /// Signs out on this device.
    ///
    /// - Parameters:
    ///   - erasing: True removes the user's data from the device.
    ///   - lossIsAccepted: True when unsent changes may be lost.
    /// - Throws: `StoreError` `unsent` when changes would be lost, so that the app can ask.
    public func signOut(erasing: Bool, lossIsAccepted: Bool = false) async throws {
        let user = store.user
        // Signing out is possible at every address; only the issuer gets the token.
        let bound = try storedTokens(of: user)
        let isIssuer = (try? bound?.check(client)) != nil
        let tokens = isIssuer ? bound?.tokens : nil
        try store.signOut(erasing: erasing, lossIsAccepted: lossIsAccepted)
        try secrets.set(Self.name(user), nil)
        logger.debug("signed out", metadata: ["erasing": "\(erasing)"])
        if let tokens {
            // The token is gone on this device; without this request it expires on the server later.
            try? await client.perform(
                "POST", path("revoke"), ["refresh_token": .string(tokens.refreshToken)])
        }
    }

    /// Returns everything that the server stores of the user, as JSON.
    ///
    /// - Throws: `ServiceError`.
    public func export() async throws -> Data {
        try await withToken { token in
            Data(try await client.send("GET", path("export"), token: token).body)
        }
    }

    /// Deletes the account on the server and the data on the device; there is no way back.
    ///
    /// - Throws: `ServiceError`; nothing is deleted then.
    public func delete() async throws {
        let user = store.user
        try await withToken { token in
            try await client.perform("DELETE", path("account"), token: token)
        }
        try secrets.set(Self.name(user), nil)
        try store.signOut(erasing: true, lossIsAccepted: true)
        logger.debug("account deleted")
    }
}
