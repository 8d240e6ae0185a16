public import Foundation
public import SyncClient
import Synchronization

/// Secrets in memory, for tests and previews; they end with the value.
///
/// ```swift
/// let account = Account(
///     store: userData, secrets: MemorySecretStore(), transport: transport, serverURL: server)
/// ```
public final class MemorySecretStore: SecretStore {
    private let secrets = Mutex<[String: Data]>([:])

    /// Makes a store without secrets.
    public init() {}

    /// Returns a secret; `nil` when there is none.
    public func secret(_ name: String) -> Data? { secrets.withLock { $0[name] } }

    /// Stores a secret, or removes it.
    public func set(_ name: String, _ secret: Data?) { secrets.withLock { $0[name] = secret } }
}
