public import Foundation
package import UserData

/// Two concurrent changes of one record, neither based on the other, as values of the app's own type.
///
/// The untyped form, for tools that show any collection, is `RecordConflict`.
///
/// ```swift
/// let store = try UserStore.inMemory()
/// for conflict in try store.conflicts(of: Reservation.self) {
///     print(conflict.id, "differs in", conflict.differingFields)
///     guard var merged = conflict.mine, let theirs = conflict.theirs else { continue }
///     merged.date = max(merged.date, theirs.date)
///     try store.resolve(conflict, with: .value(merged))
/// }
/// // For a preview of a screen:
/// let sample = Conflict(
///     id: "swift", mine: Reservation(exam: "int/swift", date: "2026-12-24"),
///     theirs: Reservation(exam: "int/swift", date: "2027-01-15"))
/// print(sample.differingFields)  // ["date"]
/// ```
public struct Conflict<Value: CollectionRecord>: Sendable, Identifiable {
    /// The record's id, unique in its collection.
    public let id: String
    /// The record as this user changed it; `nil` when the user deleted it.
    public let mine: Value?
    /// The record on the server; `nil` when it was deleted there.
    public let theirs: Value?
    /// The record before both changes; `nil` when there was none, or it cannot be decoded as this type.
    public let base: Value?
    /// The names of the fields whose values differ between mine and theirs, in alphabetical order.
    public let differingFields: [String]
    /// The time of the user's change, by this device's clock.
    public let mineChangedAt: Date
    /// The time of the server's change, by its writer's clock.
    public let theirsChangedAt: Date
    /// The version of the conflict that this value shows.
    let tag: String

    /// Creates a conflict, for a preview or a test; a store resolves only conflicts that it returned.
    public init(
        id: String, mine: Value?, theirs: Value?, base: Value? = nil, mineChangedAt: Date = Date(),
        theirsChangedAt: Date = Date()
    ) {
        self.id = id
        self.mine = mine
        self.theirs = theirs
        self.base = base
        // A value that no collection accepts has no fields to compare.
        let fields = [mine, theirs].map { $0.flatMap { try? FieldCoding.fields($0) } }
        differingFields = RecordConflict.differingFields(fields[0], fields[1])
        self.mineChangedAt = mineChangedAt
        self.theirsChangedAt = theirsChangedAt
        tag = ""
    }

    /// Reads a conflict; `nil` when one of its sides cannot be read as this type.
    init?(_ conflict: RecordConflict) {
        let mine = conflict.mineValues
        let theirs = conflict.theirs.isDeleted ? nil : conflict.theirs.values
        self.mine = mine.flatMap { FieldCoding.value(Value.self, $0) }
        self.theirs = theirs.flatMap { FieldCoding.value(Value.self, $0) }
        guard (self.mine == nil) == (mine == nil), (self.theirs == nil) == (theirs == nil) else {
            return nil
        }
        id = conflict.key.id
        base = conflict.base.flatMap { base in
            base.isDeleted ? nil : FieldCoding.value(Value.self, base.values)
        }
        differingFields = conflict.differingFields
        mineChangedAt = Self.date(conflict.mine.time)
        theirsChangedAt = Self.date(conflict.theirs.time)
        tag = conflict.tag
    }

    private static func date(_ time: HybridTime) -> Date {
        Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)
    }
}

extension Conflict: Equatable where Value: Equatable {}
extension Conflict: Hashable where Value: Hashable {}

/// A decision about a conflict.
///
/// ```swift
/// let store = try UserStore.inMemory()
/// for conflict in try store.conflicts(of: Reservation.self) {
///     let resolution: ConflictResolution<Reservation> =
///         conflict.theirs?.status == .taken ? .theirs : .mine
///     try store.resolve(conflict, with: resolution)
/// }
/// ```
public enum ConflictResolution<Value: CollectionRecord>: Sendable {
    /// The user's change replaces the server's.
    case mine
    /// The user's change is discarded.
    case theirs
    /// Another value replaces both.
    case value(Value)
}

extension RecordConflict {
    /// The fields after the user's change; `nil` for a deletion.
    package var mineValues: [String: FieldValue]? {
        switch mine.change {
        case .put(let values): values
        case .restore(let record): record.isDeleted ? nil : record.values
        case .delete, .count: nil
        }
    }

    /// The names of the fields that differ between both sides, in alphabetical order; all of the other
    /// side's where one side is a deletion.
    package var differingFields: [String] {
        Self.differingFields(mineValues, theirs.isDeleted ? nil : theirs.values)
    }

    static func differingFields(
        _ mine: [String: FieldValue]?, _ theirs: [String: FieldValue]?
    ) -> [String] {
        let (mine, theirs) = (mine ?? [:], theirs ?? [:])
        return Set(mine.keys).union(theirs.keys)
            .filter { mine[$0] ?? .null != theirs[$0] ?? .null }.sorted()
    }
}

extension [RecordConflict] {
    /// Returns the conflicts of a collection that can be read as its type.
    func typed<Value: CollectionRecord>(as type: Value.Type) -> [Conflict<Value>] {
        filter { $0.key.collection == type.collection.name }.compactMap { Conflict<Value>($0) }
    }
}
