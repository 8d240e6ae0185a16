import ContentModel
public import Foundation
import Logging
public import OfflineStorage
import RemoteAssets
import ServiceAPI

/// The account of the device's user, with its tokens: created anonymously, upgraded on request.
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
    /// The steps of all accounts on this store.
    let lane: AccountLane
    let logger = SDKLogger.make(.account)

    /// Creates the connection of a store to the accounts of a server; it sends nothing yet.
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
        lane = AccountLane.of(store)
        client = ServiceClient(transport: transport, serverURL: serverURL, deadline: deadline)
    }

    func path(_ name: String) -> String { "\(UserDataRoutes.accounts)/\(name)" }

    // MARK: Signing in

    /// Creates an account if there is none, so that the user's data can be sent.
    ///
    /// Concurrent calls share one run and its result.
    /// - Returns: The account's id.
    /// - Throws: `ServiceError`, or an error of the store.
    @discardableResult
    public func ensure() async throws -> String {
        let user = store.user
        guard user == UserStore.localUser else { return user }
        guard let ensured = await lane.ensuring.value({ await made() }) else {
            throw CancellationError()
        }
        return try ensured.get()
    }

    private func made() async -> Result<String, any Error> {
        do {
            return .success(try await make())
        } catch {
            return .failure(error)
        }
    }

    /// Requests an account and enters it, unless another user signs in during this time.
    private func make() async throws -> String {
        let user = store.user
        guard user == UserStore.localUser else { return user }
        await revokeSignedOut()
        let tokens = try await newTokens()
        // The request waits for nobody and holds nobody up; only its result takes its turn.
        return try await lane.steps.run {
            do {
                return try enter(tokens, copying: .everything, from: UserStore.localUser)
            } catch let error as StoreError where error.code == .outdated {
                return try await yield(tokens, error)
            }
        }
    }

    /// Discards a newly created account, because another user signed in first.
    ///
    /// - Returns: The user who signed in.
    private func yield(_ tokens: AccountBody.Tokens, _ reason: StoreError) async throws -> String {
        try save(nil, of: tokens.user)
        // An account that is empty and unreachable harms nobody; upkeep removes it.
        try? await client.within(Self.errandDeadline).perform(
            "DELETE", path("account"), token: tokens.accessToken)
        let winner = store.user
        guard winner != UserStore.localUser else { throw reason }
        return winner
    }

    private func newTokens() async throws -> AccountBody.Tokens {
        try Self.tokens(try await client.send("POST", path("anonymous")))
    }

    static func tokens(_ reply: ServiceClient.Reply) throws -> AccountBody.Tokens {
        try ServiceError.reading { try AccountBody.Tokens(reply.body) }
    }

    /// Enters an account; if the current user's data moves along, the server moves that account; if it cannot, this
    /// device copies its own data.
    private func enter(
        _ tokens: AccountBody.Tokens, bringing: BroughtData, hasSignInMethod: Bool = false,
        takesCopy: Bool = false
    ) async throws -> String {
        let former = store.user
        if bringing == .everything, ![tokens.user, UserStore.localUser].contains(former) {
            try noteSignIn(to: tokens.user, hasSignInMethod: hasSignInMethod)
            return try await enter(byMoving: former, tokens, takesCopy: takesCopy)
        }
        return try enter(tokens, copying: bringing, hasSignInMethod: hasSignInMethod)
    }

    /// Saves the tokens, then switches the user: after a crash in between, one more sign-in suffices.
    private func enter(
        _ tokens: AccountBody.Tokens, copying: BroughtData, from formerUser: String? = nil,
        hasSignInMethod: Bool = false
    ) throws -> String {
        try save(tokens, of: tokens.user)
        try store.switchUser(to: tokens.user, bringing: copying, from: formerUser, now: Date())
        try noteSignIn(to: tokens.user, hasSignInMethod: hasSignInMethod)
        logger.debug("signed in", metadata: ["hasSignInMethod": "\(hasSignInMethod)"])
        return tokens.user
    }

    private func noteSignIn(to user: String, hasSignInMethod: Bool) throws {
        if hasSignInMethod { try store.noteSignInMethod(of: user) }
        // Who signs in again does not want the account deleted.
        try store.forgetDeletion(of: user)
    }

    /// Creates a new account and moves everything on this device to it, for example after the account was deleted on
    /// another device.
    ///
    /// The server moves the previous account and closes it, if it can. This device copies its own data if another
    /// device joined that account with a third one. After any other refusal, `UserStore.otherUsers()` lists it with the
    /// reason as its `obstacle`.
    /// - Returns: The new account's id.
    /// - Throws: `ServiceError`: `moving` when the next sync resumes the move; after any other, nothing has changed. Or
    ///   an error of the store.
    @discardableResult
    public func startOver() async throws -> String {
        try await lane.steps.run {
            await revokeSignedOut()
            let former = store.user
            try await resumeMovesInTurn()
            // An earlier call was interrupted.
            guard store.user == former else { return store.user }
            return try await enter(
                try await newTokens(), bringing: .everything, takesCopy: true)
        }
    }

    /// Sets an email and a password for the account, so that other devices can sign in.
    ///
    /// All other sessions end if the account already has a sign-in method.
    ///
    /// - Parameters:
    ///   - email: The email.
    ///   - password: The new password.
    ///   - currentPassword: The previous password; `nil` for an account without one, which then needs a sign-in a few
    ///     minutes ago if it has other sign-in methods.
    /// - Throws: `ServiceError` `emailTaken`, `invalidRequest`; `needsFreshSignIn` or `wrongCredentials`: ask for the
    ///   present password; `StoreError` `outdated` when another user has signed in since.
    public func upgrade(
        email: String, password: String, currentPassword: String? = nil
    ) async throws {
        let user = try await ensure()
        try await lane.steps.run {
            try confirm(user)
            try await withToken(of: user) { token in
                try await client.perform(
                    "POST", path("upgrade"),
                    .compact([
                        "email": .string(email), "password": .string(password),
                        "current_password": currentPassword.map { .string($0) },
                    ]), token: token)
            }
            try store.noteSignInMethod(of: user)
        }
        logger.debug("account upgraded")
    }

    /// Confirms that a user is still the current one.
    private func confirm(_ user: String) throws {
        guard store.user == user else { throw StoreError.userChanged }
    }

    /// Signs in with an email and a password.
    ///
    /// The server moves the previous account into this one and closes it, if all data moves. `UserStore.otherUsers()`
    /// lists the former user with the reason if the server refuses.
    /// - Parameters:
    ///   - email: The email of the account.
    ///   - password: The password of the account.
    ///   - bringing: The data of this device that moves to the account; if there is some (`UserStore.hasData`), ask the
    ///     user.
    /// - Returns: The account's id.
    /// - Throws: `ServiceError` `wrongCredentials`; `moving` when the next sync resumes the move of the data.
    @discardableResult
    public func signIn(
        email: String, password: String, bringing: BroughtData
    ) async throws -> String {
        try await lane.steps.run {
            await revokeSignedOut()
            try await resumeMovesInTurn()
            let reply = try await client.send(
                "POST", path("sign-in"), ["email": .string(email), "password": .string(password)])
            return try await enter(
                try Self.tokens(reply), bringing: bringing, hasSignInMethod: true)
        }
    }

    /// Signs in with a token of another issuer, such as that of Sign in with Apple.
    ///
    /// - Parameters:
    ///   - token: The signed token of the issuer.
    ///   - linking: True to add the identity to the present account, unless it has one.
    ///   - bringing: See `signIn(email:password:bringing:)`.
    /// - Returns: The account's id.
    /// - Throws: `ServiceError` `wrongCredentials`.
    @discardableResult
    public func signIn(
        externalToken token: String, linking: Bool, bringing: BroughtData
    ) async throws -> String {
        try await lane.steps.run {
            await revokeSignedOut()
            try await resumeMovesInTurn()
            let body: JSONValue = ["token": .string(token)]
            let user = store.user
            let reply =
                linking && user != UserStore.localUser
                ? try await withToken(of: user) {
                    try await client.send("POST", path("external"), body, token: $0)
                } : try await client.send("POST", path("external"), body)
            return try await enter(
                try Self.tokens(reply), bringing: bringing, hasSignInMethod: true)
        }
    }

    /// Returns all data that the server stores of the user, as JSON.
    ///
    /// - Throws: `ServiceError`.
    public func export() async throws -> Data {
        try await withToken { token in
            Data(try await client.send("GET", path("export"), token: token).body)
        }
    }
}
