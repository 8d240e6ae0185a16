public import ContentModel
public import UserData

/// A single record in plain requests: `{"id": …, "revision": …, "fields": {…}}`.
public enum RecordBody {
    /// Returns a record with the values of its fields; those of counters as the sum over all devices.
    public static func json(_ record: UserRecord) -> JSONValue {
        [
            "id": .string(record.key.id), "revision": .integer(Int(record.revision)),
            "fields": FieldWire.json(record.values),
        ]
    }

    /// Parses the fields of `{"fields": {…}}`.
    ///
    /// - Parameter bytes: The decompressed body.
    /// - Returns: The fields.
    /// - Throws: `WireError` at the first invalid name or value.
    public static func fields(_ bytes: [UInt8]) throws(WireError) -> [String: FieldValue] {
        let object = try WireObject.parse(bytes, nodesMax: ServiceLimits.requestNodesMax)
        return try FieldWire.fields(try object.required("fields"), "fields")
    }
}
