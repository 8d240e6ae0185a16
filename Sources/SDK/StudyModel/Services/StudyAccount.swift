public import Foundation
public import Underway

/// The account of this device's learner, for screens.
public struct StudyIdentity: Sendable, Hashable {
    /// The kinds of accounts.
    public enum Kind: Sendable, Hashable {
        /// No account: nothing was sent to a server.
        case local
        /// An account without a name, which only this device can use.
        case unnamed
        /// An account to which other devices can sign in.
        case named
    }

    /// The kind.
    public var kind: Kind
    /// The email, or the first letters of the account's id if the email is not known here; empty without an account.
    public var name: String
    /// True when there is a server to which the learner can sign in.
    public var hasServer: Bool
    /// True when sync is paused until the learner signs in again.
    public var hasToSignInAgain: Bool

    /// Creates an account for screens.
    public init(kind: Kind, name: String, hasServer: Bool, hasToSignInAgain: Bool = false) {
        self.kind = kind
        self.name = name
        self.hasServer = hasServer
        self.hasToSignInAgain = hasToSignInAgain
    }
}

/// A learner who signed out on this device with unsent data, or whose account could not be joined.
public struct WaitingLearner: Sendable, Hashable, Identifiable {
    /// The account's id; `UserStore.localUser` for data without an account.
    public var id: String
    /// The email, or the first letters of the account's id; empty without an account.
    public var name: String
    /// The number of changes and answers that the server does not have.
    public var count: Int
    /// The code of the refusal that prevented joining the account with another one; `nil` for none.
    public var obstacle: String?

    /// Creates a learner.
    public init(id: String, name: String, count: Int, obstacle: String? = nil) {
        self.id = id
        self.name = name
        self.count = count
        self.obstacle = obstacle
    }
}

/// The account of a device, over the SDK's account and store.
public struct DeviceStudyAccount: Sendable {
    private let store: UserStore
    private let account: Account?
    private let settings: DeviceFile<StudySettings>

    /// Creates an account from the parts of a device.
    ///
    /// - Parameters:
    ///   - store: The learner's data.
    ///   - account: The account; `nil` without a server.
    ///   - settings: The settings, which have the names of accounts.
    public init(_ store: UserStore, _ account: Account?, settings: DeviceFile<StudySettings>) {
        self.store = store
        self.account = account
        self.settings = settings
    }

    /// Returns the current account, without a request to the server.
    public func identity() async throws -> StudyIdentity {
        let user = store.user
        guard user != UserStore.localUser else {
            return StudyIdentity(kind: .local, name: "", hasServer: account != nil)
        }
        return StudyIdentity(
            kind: try await store.perform { try $0.hasSignInMethod() } ? .named : .unnamed,
            name: await settings.value.accountNames[user] ?? String(user.prefix(8)),
            hasServer: account != nil,
            hasToSignInAgain: try await store.perform { try $0.status().needsSignIn })
    }

    /// Returns true when this device has data that can move to an account.
    public func hasData() async throws -> Bool {
        try await store.perform { try $0.hasData() }
    }

    /// Returns the learners who signed out on this device with unsent data, and those whose accounts could not be
    /// joined.
    public func waitingLearners() async throws -> [WaitingLearner] {
        let names = await settings.value.accountNames
        return try await store.perform { try $0.otherUsers() }.filter {
            $0.waitingCount > 0 || $0.obstacle != nil
        }.map { other in
            let isLocal = other.user == UserStore.localUser
            return WaitingLearner(
                id: other.user,
                name: isLocal ? "" : names[other.user] ?? String(other.user.prefix(8)),
                count: other.waitingCount, obstacle: other.obstacle)
        }
    }

    /// Signs in.
    ///
    /// - Throws: `ServiceError`, or an error of the store.
    public func signIn(
        email: String, password: String, bringing: BroughtData
    ) async throws {
        let user = try await server().signIn(
            email: email, password: password, bringing: bringing)
        await remember(email, of: user)
    }

    /// Creates an account with a name for the learner's data.
    ///
    /// - Throws: `ServiceError`, or an error of the store.
    public func create(email: String, password: String) async throws {
        try await server().upgrade(email: email, password: password)
        await remember(email, of: store.user)
    }

    /// Signs out on this device.
    ///
    /// - Throws: `StoreError` `unsent` when data would be lost: ask the learner.
    public func signOut(erasing: Bool, lossIsAccepted: Bool) async throws {
        let user = store.user
        guard let account else {
            return try await store.perform {
                try $0.signOut(erasing: erasing, lossIsAccepted: lossIsAccepted)
            }
        }
        try await account.signOut(erasing: erasing, lossIsAccepted: lossIsAccepted)
        if erasing { await forget(user) }
    }

    /// Returns all of the learner's data on this device as JSON.
    ///
    /// - Throws: `StoreError`.
    public func export() async throws -> Data {
        try await store.perform { try $0.export(user: $0.user) }
    }

    /// Deletes the account on the server, and the data on this device.
    ///
    /// - Throws: `ServiceError`, whose code determines what was deleted: see `Account.delete()`.
    public func delete() async throws {
        let user = store.user
        try await server().delete()
        await forget(user)
    }

    /// Returns the account for requests to the server.
    ///
    /// - Throws: `ServiceError` `noService` without a server.
    func server() throws -> Account {
        guard let account else {
            throw ServiceError(.noService, "This device works without a server.")
        }
        return account
    }

    private func remember(_ email: String, of user: String) async {
        // The name is for the eye: without it the page shows the account's id.
        try? await settings.change { $0.accountNames[user] = email }
    }

    private func forget(_ user: String) async {
        // The name of an account that is gone harms nobody; the next change removes nothing else.
        try? await settings.change { $0.accountNames[user] = nil }
    }
}
