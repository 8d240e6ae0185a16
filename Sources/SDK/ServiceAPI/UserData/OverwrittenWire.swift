import ContentModel
import UserData

/// The writes that devices lost, as the member `overwritten` of a record: a number where the whole record was lost,
/// an object where fields were.
enum OverwrittenWire {
    /// Writes the member; `nil` if nothing was lost.
    static func json(_ record: UserRecord) -> JSONValue? {
        var members: [String: JSONValue] = [:]
        for (client, counter) in record.overwritten {
            members[client.text] = .integer(Int(counter))
        }
        for (client, fields) in record.overwrittenFields {
            members[client.text] = .object(fields.mapValues { .integer(Int($0)) })
        }
        return members.isEmpty ? nil : .object(members)
    }

    /// Reads the member into a record.
    static func read(_ object: WireObject, into record: inout UserRecord) throws(WireError) {
        guard let devices = try object.object("overwritten") else { return }
        guard devices.keys.count <= Validity.historyMax else {
            throw WireError(devices.path, "names more than \(Validity.historyMax) devices")
        }
        for client in devices.keys {
            let path = devices.place(client)
            guard Validity.isID(client), let node = devices.node(client) else {
                throw WireError(path, "is not the id of a device")
            }
            guard case .object = node.content else {
                record.overwritten[ClientID(client)] = try WireObject.number(node, path)
                continue
            }
            let lost = try fields(WireObject(node, path))
            if !lost.isEmpty { record.overwrittenFields[ClientID(client)] = lost }
        }
    }

    private static func fields(_ object: WireObject) throws(WireError) -> [String: UInt64] {
        guard object.keys.count <= UserRecord.overwrittenFieldsMax else {
            throw WireError(
                object.path, "names more than \(UserRecord.overwrittenFieldsMax) fields")
        }
        var result: [String: UInt64] = [:]
        for name in object.keys {
            guard Validity.isName(name) else {
                throw WireError(object.path, "has a field whose name is not one")
            }
            result[name] = try object.requiredNumber(name)
        }
        return result
    }
}
