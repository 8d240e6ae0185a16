public import Foundation
import GRDB
public import UserData

extension UserStore {
    /// Opens the store in a folder without blocking the caller; the form for the main actor.
    ///
    /// - Parameters:
    ///   - folder: A folder in Application Support, created if needed; may be that of an `OfflineStore`.
    ///   - collections: The collections of the app, in addition to the built-in ones.
    ///   - rules: Collections with rules for their records, as in `underway.yaml`.
    ///   - makeID: Returns the name of a new device, which must be globally unique.
    /// - Returns: The open store.
    /// - Throws: ``StoreError`` `damaged` when an existing store cannot be read. The files stay unchanged, since they
    ///   may have unsent data. If the folder cannot be written, ``access`` has the reason.
    public static func open(
        at folder: URL, collections: [CollectionDeclaration] = [], rules: [CollectionRules] = [],
        makeID: @escaping @Sendable () -> String = { DeviceName.random() }
    ) async throws -> UserStore {
        try await StoreThreads.run {
            try UserStore(folder: folder, collections: collections, rules: rules, makeID: makeID)
        }
    }

    /// Opens an empty store in memory, for previews and tests.
    ///
    /// ```swift
    /// let store = try UserStore.inMemory()
    /// try store.put(Favourite(bank: "es"), id: "es-001")
    /// ```
    /// - Parameters:
    ///   - collections: The collections of the app, in addition to the built-in ones.
    ///   - rules: Collections with rules for their records, as in `underway.yaml`.
    ///   - makeID: Returns the name of the device.
    /// - Returns: The open store.
    /// - Throws: ``StoreError`` `storage` when memory does not suffice.
    public static func inMemory(
        collections: [CollectionDeclaration] = [], rules: [CollectionRules] = [],
        makeID: @escaping @Sendable () -> String = { DeviceName.random() }
    ) throws -> UserStore {
        do {
            return try UserStore(
                ReadOnlyDatabase.empty(UserSchema.migrator), collections: collections,
                rules: rules, makeID: makeID)
        } catch let error as DatabaseError {
            throw StoreError(ofDatabase: error) ?? StoreError(.storage, "\(error)", cause: error)
        }
    }
}
