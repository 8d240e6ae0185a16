package import ContentModel
package import UserData

/// Values of fields as JSON.
package enum FieldWire {
    static func json(_ value: FieldValue) -> JSONValue {
        switch value {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(Int(value))
        case .decimal(let value): .decimal(value)
        case .text(let value): .string(value)
        case .list(let values): .array(values.map(json))
        }
    }

    package static func json(_ fields: [String: FieldValue]) -> JSONValue {
        .object(fields.mapValues(json))
    }

    static func value(_ node: DocumentNode, _ path: String) throws(WireError) -> FieldValue {
        let value = try anyValue(node, path)
        guard Validity.isValue(value) else {
            throw WireError(
                path, "texts are at most 16 KiB without NUL, whole numbers within 2^53")
        }
        return value
    }

    private static func anyValue(
        _ node: DocumentNode, _ path: String
    ) throws(WireError) -> FieldValue {
        switch node.content {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .integer(let value): return .integer(Int64(value))
        case .decimal(let value): return FieldValue.decimal(value).normalized
        case .string(let value): return .text(value)
        case .array(let nodes):
            var values: [FieldValue] = []
            for node in nodes {
                if case .array = node.content {
                    throw WireError(path, "a list holds only plain values")
                }
                values.append(try anyValue(node, path))
            }
            return .list(values)
        case .object: throw WireError(path, "must not be an object")
        }
    }

    package static func fields(
        _ node: DocumentNode, _ path: String
    ) throws(WireError) -> [String: FieldValue] {
        guard case .object(let members) = node.content else {
            throw WireError(path, "must be an object")
        }
        guard members.count <= Validity.changedFieldsMax else {
            throw WireError(path, "has more than \(Validity.changedFieldsMax) fields")
        }
        var fields: [String: FieldValue] = [:]
        for member in members {
            guard Validity.isName(member.key) else {
                throw WireError(path, "has a field whose name is not one")
            }
            fields[member.key] = try value(member.value, "\(path).\(member.key)")
        }
        return fields
    }

    static func json(_ time: HybridTime) -> JSONValue {
        [.integer(Int(time.milliseconds)), .integer(Int(time.counter))]
    }

    static func time(_ node: DocumentNode, _ path: String) throws(WireError) -> HybridTime {
        guard case .array(let nodes) = node.content, nodes.count == 2 else {
            throw WireError(path, "must be [milliseconds since 1970, counter]")
        }
        let milliseconds = try WireObject.number(nodes[0], path)
        let counter = try WireObject.number(nodes[1], path)
        guard let counter = UInt32(exactly: counter) else {
            throw WireError(path, "the counter is out of range")
        }
        return HybridTime(milliseconds: Int64(milliseconds), counter: counter)
    }

    static func json(_ id: OperationID) -> JSONValue {
        [.string(id.client.text), .integer(Int(id.counter))]
    }

    static func operationID(
        _ node: DocumentNode, _ path: String
    ) throws(WireError) -> OperationID {
        guard case .array(let nodes) = node.content, nodes.count == 2,
            case .string(let client) = nodes[0].content, Validity.isID(client)
        else { throw WireError(path, "must be [device, counter]") }
        return OperationID(
            client: ClientID(client), counter: try WireObject.number(nodes[1], path))
    }

    /// Returns the last write of each device; `nil` for none.
    static func json(history: [ClientID: UInt64]) -> JSONValue? {
        guard !history.isEmpty else { return nil }
        var members: [String: JSONValue] = [:]
        for (client, counter) in history { members[client.text] = .integer(Int(counter)) }
        return .object(members)
    }

    static func history(
        _ object: WireObject, _ name: String
    ) throws(WireError) -> [ClientID: UInt64] {
        guard let devices = try object.object(name) else { return [:] }
        guard devices.keys.count <= Validity.historyMax else {
            throw WireError(devices.path, "names more than \(Validity.historyMax) devices")
        }
        var result: [ClientID: UInt64] = [:]
        for client in devices.keys {
            let path = devices.place(client)
            guard Validity.isID(client), let node = devices.node(client) else {
                throw WireError(path, "is not the id of a device")
            }
            result[ClientID(client)] = try WireObject.number(node, path)
        }
        return result
    }
}
