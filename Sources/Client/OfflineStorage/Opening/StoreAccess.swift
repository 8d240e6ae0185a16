/// The access of a store to its disk.
///
/// ```swift
/// let store = try UserStore.inMemory()
/// if let problem = store.access.problem { print("Nothing is saved:", problem) }
/// ```
public enum StoreAccess: Sendable, Hashable {
    /// Access for reading and writing.
    case readWrite
    /// Access for reading; each write throws ``StoreError`` `storage` until the disk allows it again.
    case readOnly(reason: String)

    /// The reason why nothing can be saved; `nil` for read-write access.
    public var problem: String? {
        switch self {
        case .readWrite: nil
        case .readOnly(let reason): reason
        }
    }
}
