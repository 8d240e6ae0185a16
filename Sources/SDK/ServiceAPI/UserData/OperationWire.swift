package import ContentModel
package import UserData

/// Operations as JSON; the device is that of the request.
package enum OperationWire {
    package static func json(_ operation: ChangeOperation) -> JSONValue {
        var members: [String: JSONValue?] = [
            "n": .integer(Int(operation.id.counter)),
            "collection": .string(operation.key.collection), "id": .string(operation.key.id),
            "time": FieldWire.json(operation.time),
            "seen": operation.seenRevision == 0 ? nil : .integer(Int(operation.seenRevision)),
            "follows": operation.follows.map(FieldWire.json),
            "saw": FieldWire.json(history: operation.seenWrites),
            "from": operation.from.map(json),
            "schema": operation.schemaVersion == 1 ? nil : .integer(operation.schemaVersion),
        ]
        switch operation.change {
        case .put(let fields): members["put"] = FieldWire.json(fields)
        case .delete: members["delete"] = true
        case .count(let field, let totals):
            members["count"] = [
                .string(field), .integer(Int(totals.added)), .integer(Int(totals.removed)),
            ]
        case .restore(let record): members["restore"] = RecordWire.json(record)
        }
        return .compact(members)
    }

    /// The content of an operation as JSON, which distinguishes a repetition from another operation of the same number.
    ///
    /// It omits the author's observed version, which may be expressed differently after a reply, and `from`, which
    /// follows from the totals: a step that was sent without it is the same.
    package static func content(_ operation: ChangeOperation) -> JSONValue {
        var content = operation
        content.seenRevision = 0
        content.follows = nil
        content.seenWrites = [:]
        content.from = nil
        return json(content)
    }

    private static func json(_ totals: CounterTotals) -> JSONValue {
        [.integer(Int(totals.added)), .integer(Int(totals.removed))]
    }

    /// Reads the counter alone, so that a malformed operation gets a result of its own.
    static func counter(_ node: DocumentNode, _ path: String) throws(WireError) -> UInt64 {
        let counter = try WireObject(node, path).requiredNumber("n")
        guard counter > 0 else { throw WireError(path + ".n", "counts from 1") }
        return counter
    }

    package static func operation(
        _ node: DocumentNode, client: ClientID, _ path: String
    ) throws(WireError) -> ChangeOperation {
        let object = try WireObject(node, path)
        let collection = try object.requiredText("collection")
        guard Validity.isName(collection) else {
            throw WireError(object.place("collection"), "is not a name")
        }
        var follows: OperationID?
        if let node = object.node("follows") {
            follows = try FieldWire.operationID(node, object.place("follows"))
        }
        var operation = ChangeOperation(
            id: OperationID(client: client, counter: try counter(node, path)),
            key: RecordKey(collection, try object.id("id")), change: try change(object),
            seenRevision: try object.number("seen") ?? 0, follows: follows,
            time: try FieldWire.time(try object.required("time"), object.place("time")),
            schemaVersion: Int(try object.number("schema") ?? 1))
        operation.seenWrites = try FieldWire.history(object, "saw")
        operation.from = try from(object)
        return operation
    }

    private static func change(_ object: WireObject) throws(WireError) -> Change {
        let names = ["put", "delete", "count", "restore"].filter { object.node($0) != nil }
        guard names.count == 1, let node = object.node(names[0]) else {
            throw WireError(object.path, "needs one of put, delete, count, restore")
        }
        let path = object.place(names[0])
        switch names[0] {
        case "put": return .put(try FieldWire.fields(node, path))
        case "count": return try count(node, path)
        case "restore": return .restore(try RecordWire.record(node, path))
        default:
            guard try object.flag("delete") else { throw WireError(path, "must be true") }
            return .delete
        }
    }

    private static func from(_ object: WireObject) throws(WireError) -> CounterTotals? {
        guard let nodes = try object.array("from") else { return nil }
        let path = object.place("from")
        guard nodes.count == 2 else { throw WireError(path, "must be [added, removed]") }
        return CounterTotals(
            added: Int64(try WireObject.number(nodes[0], path)),
            removed: Int64(try WireObject.number(nodes[1], path)))
    }

    private static func count(_ node: DocumentNode, _ path: String) throws(WireError) -> Change {
        guard case .array(let nodes) = node.content, nodes.count == 3,
            case .string(let field) = nodes[0].content, Validity.isName(field)
        else { throw WireError(path, "must be [field, added, removed]") }
        return .count(
            field: field,
            CounterTotals(
                added: Int64(try WireObject.number(nodes[1], path)),
                removed: Int64(try WireObject.number(nodes[2], path))))
    }
}
