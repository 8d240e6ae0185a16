public import Foundation
public import UserData

extension UserStore {
    /// Returns the conflicts of all collections, untyped, for tools that show any record.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func conflicts() throws -> [RecordConflict] { try state().allConflicts }

    /// Returns the unresolved conflicts of a collection.
    ///
    /// Omits conflicts that this version of the type cannot decode; ``conflicts()`` returns them.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func conflicts<Value: CollectionRecord>(
        of type: Value.Type
    ) throws -> [Conflict<Value>] {
        try conflicts().typed(as: type)
    }

    /// Resolves a conflict; other devices receive the result as a change.
    ///
    /// - Parameters:
    ///   - conflict: The conflict as the user saw it.
    ///   - resolution: The user's value, the server's, or another one.
    ///   - now: The wall clock.
    /// - Throws: ``StoreError`` `notFound` when the conflict no longer exists; `outdated` when it changed since it was
    ///   read: show it again; `refused` for a value that the collection does not accept; `storage` or `damaged`.
    public func resolve<Value: CollectionRecord>(
        _ conflict: Conflict<Value>, with resolution: ConflictResolution<Value>, now: Date = Date()
    ) throws {
        let decision: RecordResolution =
            switch resolution {
            case .mine: .keepMine
            case .theirs: .useServer
            case .value(let value): .edit(try FieldCoding.fields(value))
            }
        try resolve(
            RecordKey(Value.collection.name, conflict.id), decision, shown: conflict.tag, now: now)
    }

    /// Resolves a conflict by untyped fields; other devices receive the result as a change.
    ///
    /// - Parameters:
    ///   - key: The record.
    ///   - decision: The user's change, the server's record, or other fields.
    ///   - shown: The `tag` of the conflict as the user saw it.
    ///   - now: The wall clock.
    /// - Throws: See ``resolve(_:with:now:)``.
    public func resolve(
        _ key: RecordKey, _ decision: RecordResolution, shown: String,
        now: Date = Date()
    ) throws {
        guard let conflict = try conflicts().first(where: { $0.key == key }) else {
            throw StoreError(
                .notFound,
                "The conflict about \(key.collection)/\(key.id) is resolved already. Read the conflicts"
                    + " again.")
        }
        guard conflict.tag == shown else {
            throw StoreError(
                .outdated,
                "The conflict about \(key.collection)/\(key.id) changed meanwhile. Show it again."
            )
        }
        if case .edit(let fields) = decision { try check(fields, key) }
        if let writes = try state().decision(key, decision) {
            return try post(.wroteBatch(writes), now: now)
        }
        try post(.resolved(key, decision, shown: shown), now: now)
    }
}
