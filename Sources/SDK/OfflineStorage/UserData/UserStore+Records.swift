public import Foundation
public import UserData

/// A type of the app whose values are records of a collection: flat, with plain fields.
///
/// ```swift
/// struct Goal: CollectionRecord {
///     static let collection = CollectionDeclaration(
///         "goals", .fieldMerge, fields: ["exam", "minutesADay"])
///     var exam: String
///     var minutesADay: Int
/// }
/// ```
///
/// ```swift
/// let store = try UserStore.inMemory(collections: [Goal.collection])
/// try store.put(Goal(exam: "int/swift", minutesADay: 20), id: "swift")
/// ```
public protocol CollectionRecord: Codable, Sendable {
    /// The collection's name, policy, version and known fields.
    static var collection: CollectionDeclaration { get }
}

/// A record of a collection with its id.
///
/// ```swift
/// let store = try UserStore.inMemory()
/// try store.put(Favourite(bank: "es"), id: "es-001")
/// for record in try store.records(Favourite.self) { print(record.id, record.value.bank) }
/// ```
public struct IdentifiedRecord<Value: CollectionRecord>: Sendable, Identifiable {
    /// The record's id, unique in the collection.
    public var id: String
    /// The record's fields.
    public var value: Value

    /// Pairs an id with its value.
    public init(id: String, value: Value) {
        self.id = id
        self.value = value
    }
}

extension IdentifiedRecord: Equatable where Value: Equatable {}

/// A batch of changes that is committed and sent atomically.
///
/// ```swift
/// let store = try UserStore.inMemory()
/// try await store.write { batch in
///     try batch.put(Favourite(bank: "es"), id: "es-001")
///     try batch.delete(Favourite.self, id: "es-002")
/// }
/// ```
public struct UserDataWrites {
    var changes: [DeviceMachine.BatchedWrite] = []

    /// Adds a write of all fields of a record.
    ///
    /// - Throws: ``StoreError`` `refused` when no collection accepts the id or the value.
    public mutating func put<Value: CollectionRecord>(_ value: Value, id: String) throws {
        changes.append(
            .init(try UserStore.key(Value.self, id), .put(try FieldCoding.fields(value))))
    }

    /// The size of the fields as JSON, in bytes.
    var encodedBytes: Int {
        changes.reduce(0) { sum, change in
            guard case .put(let fields) = change.write else { return sum }
            return sum + Validity.encodedBytes(fields)
        }
    }

    /// Adds the deletion of a record.
    ///
    /// - Throws: ``StoreError`` `refused` when no collection accepts the id.
    public mutating func delete<Value: CollectionRecord>(_ type: Value.Type, id: String) throws {
        changes.append(.init(try UserStore.key(type, id), .delete))
    }

    /// Adds an increment of a counter; a negative `step` subtracts.
    ///
    /// - Throws: ``StoreError`` `refused` when no collection accepts the id.
    public mutating func increment<Value: CollectionRecord>(
        _ type: Value.Type, id: String, field: String, by step: Int64
    ) throws {
        changes.append(.init(try UserStore.key(type, id), .count(field: field, by: step)))
    }
}

extension UserStore {
    static func key<Value: CollectionRecord>(_ type: Value.Type, _ id: String) throws -> RecordKey {
        guard Validity.isID(id) else {
            throw StoreError(
                .refused, "\"\(id)\" cannot be an id. Give 1 to 200 letters, digits and ._:/-~@+.")
        }
        return RecordKey(type.collection.name, id)
    }

    // MARK: Writing

    /// Sets all fields of a record; commits on the device now, and the next sync sends the change.
    ///
    /// ```swift
    /// let store = try UserStore.inMemory()
    /// try store.put(Reservation(exam: "int/swift", date: "2026-12-24"), id: "swift-2026")
    /// ```
    /// - Parameters:
    ///   - value: The record's fields.
    ///   - id: The record's id: 1 to 200 letters, digits and `._:/-~@+`.
    ///   - now: The wall clock.
    /// - Throws: ``StoreError`` `refused` when the value is not flat, its collection was not declared when the store
    ///   was opened, or the policy does not allow the change; `storage` or `damaged`.
    public func put<Value: CollectionRecord>(
        _ value: Value, id: String, now: Date = Date()
    ) throws {
        try write(now: now) { try $0.put(value, id: id) }
    }

    /// Deletes a record.
    ///
    /// - Throws: See ``put(_:id:now:)``.
    public func delete<Value: CollectionRecord>(
        _ type: Value.Type, id: String, now: Date = Date()
    ) throws {
        try write(now: now) { try $0.delete(type, id: id) }
    }

    /// Increments a counter; a negative `step` subtracts.
    ///
    /// - Throws: See ``put(_:id:now:)``.
    public func increment<Value: CollectionRecord>(
        _ type: Value.Type, id: String, field: String, by step: Int64, now: Date = Date()
    ) throws {
        try write(now: now) { try $0.increment(type, id: id, field: field, by: step) }
    }

    /// Commits several changes atomically, on this device and on all others.
    ///
    /// - Parameters:
    ///   - now: The wall clock.
    ///   - body: Makes at most 100 changes.
    /// - Throws: See ``put(_:id:now:)``, or an error of `body`; nothing has changed then.
    public func write(
        now: Date = Date(), _ body: (inout UserDataWrites) throws -> Void
    ) throws {
        var writes = UserDataWrites()
        try body(&writes)
        let known = Dictionary(
            declarations.map { ($0.name, $0.policy) }, uniquingKeysWith: { $1 })
        for change in writes.changes { try check(change, known[change.key.collection]) }
        guard writes.changes.count <= DeviceMachine.batchedWritesMax,
            writes.encodedBytes <= DeviceMachine.operationBytesMax
        else {
            throw StoreError(
                .refused,
                "At most \(DeviceMachine.batchedWritesMax) changes and"
                    + " \(DeviceMachine.operationBytesMax) bytes belong together. Write them in several calls."
            )
        }
        if writes.changes.count == 1 {
            try post(.wrote(writes.changes[0].key, writes.changes[0].write), now: now)
        } else if !writes.changes.isEmpty {
            try post(.wroteBatch(writes.changes), now: now)
        }
    }

    private func check(_ change: DeviceMachine.BatchedWrite, _ policy: Policy?) throws {
        guard let policy, Validity.isName(change.key.collection) else {
            throw StoreError(
                .refused,
                "The collection \(change.key.collection) was not declared, or its name is none. Declare it"
                    + " when the store is opened; a name is a letter, then up to 63 letters, digits, _ and -."
            )
        }
        let isAllowed =
            switch change.write {
            case .put: policy.abilities.allowsPut
            case .delete: policy.abilities.allowsDeletion
            case .count: policy.abilities.isCounter
            }
        guard isAllowed else {
            throw StoreError(
                .refused,
                "\(change.key.collection) is \(policy.rawValue) and has no such change. Make another, or"
                    + " declare the collection with another policy.")
        }
        switch change.write {
        case .put(let fields): try check(fields, change.key)
        case .count(let field, let step): try check(step, of: field, change.key)
        case .delete: break
        }
    }

    /// Checks that a counter remains within the range of device and server.
    private func check(_ step: Int64, of field: String, _ key: RecordKey) throws {
        guard Validity.isName(field) else {
            throw StoreError(
                .refused,
                "\"\(field)\" is no name of a field. Give a letter, then letters, digits, _ and -.")
        }
        let totals = try state().current(key)?.counterTotals[field]?.values.map { $0 } ?? []
        let largest = totals.map { max($0.added, $0.removed) }.max() ?? 0
        let (sum, hasOverflow) = largest.addingReportingOverflow(Int64(clamping: step.magnitude))
        guard !hasOverflow, sum <= FieldValue.integerMax else {
            throw StoreError(
                .refused,
                "\(key.collection)/\(key.id) cannot count beyond 2^53. Take a smaller step.")
        }
    }

    /// Checks the fields of a record against the rules of the server.
    func check(_ fields: [String: FieldValue], _ key: RecordKey) throws {
        guard Validity.areFields(fields) else {
            throw StoreError(
                .refused,
                "A field of \(key.id) is too long or out of range, or the record has more than"
                    + " \(Validity.recordBytesMax) bytes. Shorten it.")
        }
        guard let rules = rules[key.collection],
            let violation = rules.violation(of: fields, over: try state().current(key)?.values)
        else { return }
        throw StoreError(
            .refused,
            "\(key.collection)/\(key.id) is not as its collection wants it: \(violation)."
                + " Nothing was changed. Correct the record.")
    }

    // MARK: Reading

    /// Returns a record with pending changes applied.
    ///
    /// - Returns: `nil` for a record that is deleted, never existed, or cannot be decoded as this type.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func record<Value: CollectionRecord>(_ type: Value.Type, id: String) throws -> Value? {
        try state().current(RecordKey(type.collection.name, id))
            .flatMap { FieldCoding.value(type, $0.values) }
    }

    /// Returns all records of a collection by ascending id, with pending changes applied.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func records<Value: CollectionRecord>(
        _ type: Value.Type
    ) throws -> [IdentifiedRecord<Value>] {
        try state().shownRecords(of: type.collection.name).compactMap { record in
            FieldCoding.value(type, record.values).map {
                IdentifiedRecord(id: record.key.id, value: $0)
            }
        }
    }

    /// Returns a stream of all records of a collection, now and after each change.
    ///
    /// Changes made during a read are coalesced into the next one. If the store cannot be read, the stream yields
    /// nothing until it can.
    ///
    /// ```swift
    /// let store = try UserStore.inMemory()
    /// for await favourites in store.observe(Favourite.self) {
    ///     print(favourites.count)
    ///     break
    /// }
    /// ```
    public func observe<Value: CollectionRecord>(
        _ type: Value.Type
    ) -> AsyncStream<[IdentifiedRecord<Value>]> {
        let name = type.collection.name
        let signals = changes.signals { keys in
            keys.isEmpty || keys.contains { $0.collection == name }
        }
        let (stream, continuation) = AsyncStream.makeStream(
            of: [IdentifiedRecord<Value>].self, bufferingPolicy: .bufferingNewest(1))
        let task = Task { [weak self] in
            await self?.yieldRecords(of: type, to: continuation)
            for await _ in signals {
                guard let self else { break }
                await self.yieldRecords(of: type, to: continuation)
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    private func yieldRecords<Value: CollectionRecord>(
        of type: Value.Type, to continuation: AsyncStream<[IdentifiedRecord<Value>]>.Continuation
    ) async {
        // A store that cannot be read for a moment has nothing new to say.
        if let records = try? await perform({ try $0.records(type) }) {
            continuation.yield(records)
        }
    }
}
