public import ContentModel
public import UserData

/// Records as JSON; `docs/sync.md` defines each member.
public enum RecordWire {
    /// Returns a record as JSON.
    ///
    /// The metadata of a field is included only if it differs from the record's.
    public static func json(_ record: UserRecord) -> JSONValue {
        var marks: [String: JSONValue] = [:]
        for (name, field) in record.fields where !isPlain(field, record) {
            marks[name] = [
                FieldWire.json(field.time), .integer(Int(field.revision)),
                FieldWire.json(field.writer),
            ]
        }
        let counterTotals = record.counterTotals.mapValues { devices in
            var members: [String: JSONValue] = [:]
            for (client, tally) in devices {
                members[client.text] = [.integer(Int(tally.added)), .integer(Int(tally.removed))]
            }
            return JSONValue.object(members)
        }
        return .compact([
            "collection": .string(record.key.collection), "id": .string(record.key.id),
            "revision": .integer(Int(record.revision)), "by": FieldWire.json(record.operation),
            "time": FieldWire.json(record.time),
            "deleted": record.isDeleted ? true : nil,
            "fields": record.fields.isEmpty
                ? nil : FieldWire.json(record.fields.mapValues(\.value)),
            "marks": marks.isEmpty ? nil : .object(marks),
            "counts": counterTotals.isEmpty ? nil : .object(counterTotals),
            "replaced": FieldWire.json(history: record.replaced),
            "overwritten": OverwrittenWire.json(record),
            "schema": record.schemaVersion == 1 ? nil : .integer(record.schemaVersion),
        ])
    }

    private static func isPlain(_ field: UserRecord.Field, _ record: UserRecord) -> Bool {
        field.time == record.time && field.revision == record.revision
            && field.writer == record.operation
    }

    /// Reads a record.
    ///
    /// - Parameters:
    ///   - node: The JSON.
    ///   - path: The place of the JSON, for the error.
    /// - Returns: The record.
    /// - Throws: `WireError` at the first malformed member.
    package static func record(
        _ node: DocumentNode, _ path: String = ""
    ) throws(WireError) -> UserRecord {
        let object = try WireObject(node, path)
        let collection = try object.requiredText("collection")
        guard Validity.isName(collection) else {
            throw WireError(object.place("collection"), "is not a name")
        }
        var record = UserRecord(
            key: RecordKey(collection, try object.id("id")),
            revision: try object.requiredNumber("revision"),
            operation: try FieldWire.operationID(try object.required("by"), object.place("by")),
            time: try FieldWire.time(try object.required("time"), object.place("time")))
        record.isDeleted = try object.flag("deleted")
        record.schemaVersion = Int(try object.number("schema") ?? 1)
        if let node = object.node("fields") {
            let marks = try object.object("marks")
            for (name, value) in try FieldWire.fields(node, object.place("fields")) {
                record.fields[name] = try field(name, value, marks, record)
            }
        }
        if let counts = try object.object("counts") {
            record.counterTotals = try counterTotals(counts)
        }
        record.replaced = try FieldWire.history(object, "replaced")
        try OverwrittenWire.read(object, into: &record)
        return record
    }

    private static func field(
        _ name: String, _ value: FieldValue, _ marks: WireObject?, _ record: UserRecord
    ) throws(WireError) -> UserRecord.Field {
        guard let marks, let node = marks.node(name) else {
            return UserRecord.Field(
                value: value, time: record.time, revision: record.revision,
                writer: record.operation)
        }
        let path = marks.place(name)
        guard case .array(let nodes) = node.content, nodes.count == 3 else {
            throw WireError(path, "must be [time, revision, writer]")
        }
        return UserRecord.Field(
            value: value, time: try FieldWire.time(nodes[0], path),
            revision: try WireObject.number(nodes[1], path),
            writer: try FieldWire.operationID(nodes[2], path))
    }

    private static func counterTotals(
        _ object: WireObject
    ) throws(WireError) -> [String: [ClientID: CounterTotals]] {
        var result: [String: [ClientID: CounterTotals]] = [:]
        for name in object.keys {
            guard Validity.isName(name), let devices = try object.object(name) else {
                throw WireError(object.path, "has a counter whose name is not one")
            }
            for client in devices.keys {
                let path = devices.place(client)
                guard Validity.isID(client),
                    case .array(let nodes)? = devices.node(client)?.content,
                    nodes.count == 2
                else { throw WireError(path, "must be [added, removed]") }
                result[name, default: [:]][ClientID(client)] = CounterTotals(
                    added: Int64(try WireObject.number(nodes[0], path)),
                    removed: Int64(try WireObject.number(nodes[1], path)))
            }
        }
        return result
    }
}
