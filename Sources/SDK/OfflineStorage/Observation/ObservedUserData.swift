public import Observation
public import UserData

/// The state of a user's data as a screen shows it: pending changes, the last sync, and conflicts.
///
/// Follow it in the task of the view, which ends with the view: `.task { await userData.follow() }`.
///
/// ```swift
/// let store = try UserStore.inMemory()
/// let userData = await ObservedUserData(store)
/// let following = Task { await userData.follow() }
/// print(await userData.status?.waitingCount ?? 0)
/// // In a view: ForEach(userData.conflicts(of: Reservation.self)) { ReservationConflictView($0) }
/// print(await userData.conflicts(of: Reservation.self).map(\.differingFields))
/// following.cancel()
/// ```
@MainActor @Observable
public final class ObservedUserData {
    /// The status of the current user's data; `nil` before ``follow()`` has begun.
    public private(set) var status: UserDataStatus?
    /// The unresolved conflicts of all collections; ``conflicts(of:)`` returns typed ones.
    public private(set) var conflicts: [RecordConflict] = []
    /// The error of the last read of the store; `nil` when the read succeeded.
    ///
    /// After an error, the other properties retain their values.
    public private(set) var error: StoreError?
    @ObservationIgnored private let store: UserStore

    /// Creates an observer of a store.
    public init(_ store: UserStore) { self.store = store }

    /// Returns the conflicts of a collection as values of the app's type, as ``UserStore/conflicts(of:)``
    /// does; a view that shows them is updated when they change.
    public func conflicts<Value: CollectionRecord>(of type: Value.Type) -> [Conflict<Value>] {
        conflicts.typed(as: type)
    }

    /// Updates the properties now and after changes of this process, until its task is cancelled.
    public func follow() async {
        let signals = store.changes.signals()
        await update()
        for await _ in signals { await update() }
    }

    private func update() async {
        do {
            let (status, conflicts) = try await store.perform {
                (try $0.status(), try $0.conflicts())
            }
            self.status = status
            self.conflicts = conflicts
            error = nil
        } catch {
            self.error = error as? StoreError
        }
    }
}
