/// Whether what a store is given reaches the disk.
public enum StoreAccess: Sendable, Hashable {
    /// Changes are saved.
    case readWrite
    /// What is there is read; each change is refused with `StoreError` `storage` until the disk allows
    /// it again.
    case readOnly(reason: String)

    /// Why nothing can be saved; `nil` when it can.
    public var problem: String? {
        switch self {
        case .readWrite: nil
        case .readOnly(let reason): reason
        }
    }
}
