/// The access of a store to its disk.
///
/// ```swift
/// let store = try UserStore.inMemory()
/// if let error = store.access.error { print("Nothing is saved:", error.code, error.message) }
/// ```
public enum StoreAccess: Sendable, Hashable {
    /// Access for reading and writing.
    case readWrite
    /// Read-only access; each write throws ``StoreError`` `storage` until the disk allows writes again.
    case readOnly(StoreError)

    /// The reason why the store is read-only, to translate by its code; `nil` for read-write access.
    public var error: StoreError? {
        switch self {
        case .readWrite: nil
        case .readOnly(let error): error
        }
    }

    /// The message of ``error``.
    public var problem: String? { error?.message }
}
