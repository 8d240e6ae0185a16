import ContentModel
public import Foundation
import GRDB
import ServiceAPI
public import UserData

/// A type of the app whose values are records of a collection: flat, with plain fields.
public protocol CollectionRecord: Codable, Sendable {
    /// Name, policy, version and known fields.
    static var collection: CollectionDeclaration { get }
}

/// A record of a collection as the app sees it.
public struct IdentifiedRecord<Value: CollectionRecord>: Sendable {
    /// Its id, unique in the collection.
    public var id: String
    /// What it holds.
    public var value: Value

    /// Pairs an id with what it names.
    public init(id: String, value: Value) {
        self.id = id
        self.value = value
    }
}

extension IdentifiedRecord: Equatable where Value: Equatable {}

/// Writes that belong together.
public struct UserDataWrites {
    var changes: [DeviceMachine.BatchedWrite] = []

    /// Sets all fields of a record.
    public mutating func put<Value: CollectionRecord>(_ value: Value, id: String) throws {
        changes.append(
            .init(try UserStore.key(Value.self, id), .put(try FieldCoding.fields(value))))
    }

    /// The bytes of the fields as JSON.
    var encodedBytes: Int {
        changes.reduce(0) { sum, change in
            guard case .put(let fields) = change.write else { return sum }
            return sum + Validity.encodedBytes(fields)
        }
    }

    /// Deletes a record.
    public mutating func delete<Value: CollectionRecord>(_ type: Value.Type, id: String) throws {
        changes.append(.init(try UserStore.key(type, id), .delete))
    }

    /// Steps a counter, back where `step` is negative.
    public mutating func count<Value: CollectionRecord>(
        _ type: Value.Type, id: String, field: String, by step: Int64
    ) throws {
        changes.append(.init(try UserStore.key(type, id), .count(field: field, by: step)))
    }
}

extension UserStore {
    static func key<Value: CollectionRecord>(_ type: Value.Type, _ id: String) throws -> RecordKey {
        guard Validity.isID(id) else {
            throw StoreError(
                .refused, "An id has 1 to 200 of letters, digits and ._:/-~@+, not \"\(id)\".")
        }
        return RecordKey(type.collection.name, id)
    }

    // MARK: Writing

    /// Sets all fields of a record, on the device now and on the server as soon as it can be.
    ///
    /// - Parameters:
    ///   - value: What it holds.
    ///   - id: Its id.
    ///   - now: The wall clock.
    /// - Throws: `StoreError` `refused` when the value is not flat, its collection not declared when
    ///   the store was opened, or the policy has no such change; or an error of the database.
    public func put<Value: CollectionRecord>(_ value: Value, id: String, now: Date) throws {
        try write(now: now) { try $0.put(value, id: id) }
    }

    /// Deletes a record; see `put`.
    public func delete<Value: CollectionRecord>(
        _ type: Value.Type, id: String, now: Date
    ) throws {
        try write(now: now) { try $0.delete(type, id: id) }
    }

    /// Steps a counter; see `put`.
    public func count<Value: CollectionRecord>(
        _ type: Value.Type, id: String, field: String, by step: Int64, now: Date
    ) throws {
        try write(now: now) { try $0.count(type, id: id, field: field, by: step) }
    }

    /// Makes several changes that everybody sees together or not at all.
    ///
    /// - Parameters:
    ///   - now: The wall clock.
    ///   - body: Makes at most 100 changes.
    /// - Throws: See `put`; nothing is changed then.
    public func write(now: Date, _ body: (inout UserDataWrites) throws -> Void) throws {
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
                    + " \(DeviceMachine.operationBytesMax) bytes belong together.")
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
                "The collection \(change.key.collection) was not declared, or its name is none: a"
                    + " letter, then up to 63 letters, digits, _ and -.")
        }
        let isAllowed =
            switch change.write {
            case .put: policy.abilities.allowsPut
            case .delete: policy.abilities.allowsDeletion
            case .count: policy.abilities.isCounter
            }
        guard isAllowed else {
            throw StoreError(
                .refused, "\(change.key.collection) is \(policy.rawValue) and has no such change.")
        }
        switch change.write {
        case .put(let fields): try check(fields, change.key)
        case .count(let field, let step): try check(step, of: field, change.key)
        case .delete: break
        }
    }

    /// Holds a step of a counter against what every side can hold.
    private func check(_ step: Int64, of field: String, _ key: RecordKey) throws {
        guard Validity.isName(field) else {
            throw StoreError(
                .refused,
                "\"\(field)\" is no name of a field: a letter, then letters, digits, _ and -.")
        }
        let totals = try state().current(key)?.counterTotals[field]?.values.map { $0 } ?? []
        let largest = totals.map { max($0.added, $0.removed) }.max() ?? 0
        let (sum, hasOverflow) = largest.addingReportingOverflow(Int64(clamping: step.magnitude))
        guard !hasOverflow, sum <= FieldValue.integerMax else {
            throw StoreError(
                .refused, "\(key.collection)/\(key.id) cannot count beyond 2^53.")
        }
    }

    /// Holds the fields of a record against what the server takes.
    func check(_ fields: [String: FieldValue], _ key: RecordKey) throws {
        guard Validity.areFields(fields) else {
            throw StoreError(
                .refused,
                "A field of \(key.id) is too long or out of range, or the record has more than"
                    + " \(Validity.recordBytesMax) bytes.")
        }
        guard let rules = rules[key.collection],
            let violation = rules.violation(of: fields, over: try state().current(key)?.values)
        else { return }
        throw StoreError(
            .refused,
            "\(key.collection)/\(key.id) is not as its collection wants it: \(violation)."
                + " Nothing was changed.")
    }

    // MARK: Reading

    /// A record as the user sees it, with changes that are on their way.
    ///
    /// - Returns: `nil` for what is deleted, never was, or cannot be read as this type.
    public func record<Value: CollectionRecord>(_ type: Value.Type, id: String) throws -> Value? {
        try state().current(RecordKey(type.collection.name, id))
            .flatMap { FieldCoding.value(type, $0.values) }
    }

    /// All records of a collection, in the order of their ids.
    public func records<Value: CollectionRecord>(_ type: Value.Type) throws -> [IdentifiedRecord<
        Value
    >] {
        let state = try state()
        return state.keys(of: type.collection.name).compactMap { key in
            guard let record = state.current(key),
                let value = FieldCoding.value(type, record.values)
            else { return nil }
            return IdentifiedRecord(id: key.id, value: value)
        }
    }

    /// All records of a collection, now and whenever one of them changes.
    ///
    /// A store that cannot be read for a moment gives nothing new until it can.
    public func observe<Value: CollectionRecord>(
        _ type: Value.Type
    ) -> AsyncStream<[IdentifiedRecord<Value>]> {
        let changed = changedRecords()
        let name = type.collection.name
        let (stream, continuation) = AsyncStream.makeStream(
            of: [IdentifiedRecord<Value>].self, bufferingPolicy: .bufferingNewest(1))
        let task = Task { [weak self] in
            if let records = try? self?.records(type) { continuation.yield(records) }
            for await keys in changed
            where keys.isEmpty || keys.contains(where: { $0.collection == name }) {
                guard let self else { break }
                if let records = try? self.records(type) { continuation.yield(records) }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}

/// Values of the app as fields, by way of JSON.
enum FieldCoding {
    static func fields(_ value: some Encodable) throws -> [String: FieldValue] {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        do {
            let node = try JSONParser.parse([UInt8](try encoder.encode(value)))
            return try FieldWire.fields(node, "record")
        } catch let failure as WireError {
            throw StoreError(.refused, "The record cannot be kept: \(failure).")
        }
    }

    static func value<Value: Decodable>(
        _ type: Value.Type, _ fields: [String: FieldValue]
    ) -> Value? {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try? decoder.decode(type, from: Data(FieldWire.json(fields).canonicalBytes))
    }
}
