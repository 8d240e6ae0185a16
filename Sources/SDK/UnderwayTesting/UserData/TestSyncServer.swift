import Foundation
public import OfflineStorage
import ServiceAPI
public import SyncClient
import Synchronization
public import UserData

/// A server of user data in memory: accounts, and the exchange of records and answers between devices.
///
/// It uses the shipped merge rules, so conflicts, notices and rejected changes occur as on the real server.
///
/// ```swift
/// let server = TestSyncServer(collections: [Goal.collection])
/// server.addAccount(email: "anne@example.org", password: "correct horse")
/// server.signInRefusal = .tooManyRequests  // until it is nil again
/// ```
public final class TestSyncServer: TestHost {
    /// The data of all accounts at a moment, for ``restore(_:)``.
    public struct Backup: Sendable {
        fileprivate let accounts: SyncAccounts
    }

    private let state: Mutex<SyncServerState>
    private let clock: TestClock

    /// Creates a server without accounts.
    ///
    /// - Parameters:
    ///   - collections: The app's collections, in addition to the built-in ones.
    ///   - rules: Collections with rules for their fields, as in `underway.yaml`.
    ///   - clock: The clock that determines if a sign-in is fresh.
    public init(
        collections: [CollectionDeclaration] = [], rules: [CollectionRules] = [],
        clock: TestClock = TestClock()
    ) {
        self.clock = clock
        let all = CollectionRules.builtIn + collections.map { CollectionRules($0) } + rules
        state = Mutex(
            SyncServerState(
                rules: Dictionary(
                    all.map { ($0.declaration.name, $0) }, uniquingKeysWith: { $1 })))
    }

    // MARK: Accounts

    /// The ids of the accounts, in alphabetical order.
    public var users: [String] { state.withLock { $0.accounts.accounts.keys.sorted() } }

    /// Adds an account to which devices can sign in.
    ///
    /// - Returns: The account's id; `nil` when the email is taken or invalid, or the password is shorter than 8
    ///   characters.
    @discardableResult
    public func addAccount(email: String, password: String) -> String? {
        state.withLock { state in
            let user = state.accounts.makeAccount()
            do throws(SyncProblem) {
                try state.accounts.setPassword(user, email: email, password: password)
                return user
            } catch {
                state.accounts.remove(user)
                return nil
            }
        }
    }

    /// Accepts a token of another issuer, such as that of Sign in with Apple.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - identity: The name of the person at the issuer; equal names lead to one account.
    public func acceptExternalToken(_ token: String, of identity: String) {
        state.withLock { $0.accounts.externalTokens[token] = identity }
    }

    /// The code with which the server refuses every sign-in and new account; `nil` to accept them.
    public var signInRefusal: ServiceError.Code? {
        get { state.withLock { $0.signInRefusal.map { .init(rawValue: $0.rawValue) } } }
        set {
            let refusal = newValue.map { code in
                guard let problem = ProblemCode(rawValue: code.rawValue) else {
                    preconditionFailure("no server replies with the code \(code.rawValue)")
                }
                return problem
            }
            state.withLock { $0.signInRefusal = refusal }
        }
    }

    /// Expires all access tokens; devices renew them.
    public func expireAccessTokens() { state.withLock { $0.accounts.expireAccessTokens() } }

    /// Revokes all sessions; users must sign in again.
    public func endSessions() { state.withLock { $0.accounts.endSessions() } }

    /// Deletes an account, as its user may on another device.
    public func deleteAccount(_ user: String) { state.withLock { $0.accounts.delete(user) } }

    // MARK: Data

    /// Returns the records of an account in a collection, by id, without deleted ones.
    ///
    /// - Parameters:
    ///   - type: The app's type.
    ///   - user: The account; `nil` for the only one.
    /// - Returns: The records by ascending id, without those that cannot be decoded as `type`.
    public func records<Value: CollectionRecord>(
        _ type: Value.Type, of user: String? = nil
    ) -> [IdentifiedRecord<Value>] {
        account(user).records
            .filter { $0.key.collection == type.collection.name && !$0.value.isDeleted }
            .sorted { $0.key < $1.key }
            .compactMap { key, record in
                FieldCoding.value(type, record.values).map {
                    IdentifiedRecord(id: key.id, value: $0)
                }
            }
    }

    /// Returns the answers of an account, by device and in the order in which they were given.
    ///
    /// - Parameter user: The account; `nil` for the only one.
    /// - Returns: The answers that could be read.
    public func answers(of user: String? = nil) -> [AnswerRow] {
        account(user).devices.sorted { $0.key < $1.key }.flatMap { $0.value.answers }
            .compactMap(\.self)
    }

    private func account(_ user: String?) -> SyncAccount {
        state.withLock { state in
            let accounts = state.accounts.accounts
            let only = accounts.count == 1 ? accounts.first?.key : nil
            return (user ?? only).flatMap { accounts[$0]?.data } ?? SyncAccount(epoch: "")
        }
    }

    /// Returns a backup of all data.
    public func backup() -> Backup { Backup(accounts: state.withLock { $0.accounts }) }

    /// Restores the data of a backup, as an operator does after the loss of a disk; accounts and sessions remain.
    ///
    /// Devices notice it and offer the lost records again.
    public func restore(_ backup: Backup) {
        state.withLock { $0.accounts.restore(backup.accounts) }
    }

    // MARK: Requests

    /// Replies to a request below `/api`; `nil` for any other address.
    public func reply(to request: TransportRequest) -> TestReply? {
        guard let start = request.path.range(of: "/api/") else { return nil }
        let path = String(request.path[start.lowerBound...])
        return state.withLock { state in
            state.accounts.now = clock.now
            do throws(SyncProblem) {
                return try state.reply(to: request, path)
            } catch {
                return error.reply
            }
        }
    }
}
