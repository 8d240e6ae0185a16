public import Foundation
public import SyncClient
import Synchronization

/// A storage of secrets in memory, for tests and previews; they end with the value.
///
/// ```swift
/// let account = Account(
///     store: userData, secrets: MemorySecretStore(), transport: transport, serverURL: server)
/// ```
public final class MemorySecretStore: SecretStore {
    private let secrets = Mutex<[String: Data]>([:])

    /// Creates a store without secrets.
    public init() {}

    /// Returns a secret; `nil` when there is none.
    public func secret(_ name: String) -> Data? { secrets.withLock { $0[name] } }

    /// Saves a secret; removes it for `nil`.
    public func set(_ name: String, _ secret: Data?) { secrets.withLock { $0[name] = secret } }
}
