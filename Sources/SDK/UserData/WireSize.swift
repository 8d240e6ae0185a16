/// Upper bounds of the size of operations as JSON, so that a request can be limited before it is
/// written.
enum WireSize {
    /// Returns an upper bound of the size of an operation, in bytes.
    static func bytes(_ operation: ChangeOperation) -> Int {
        // Names of members, counters, times and the devices of `by`, `follows` and marks.
        let frame =
            512 + operation.key.collection.utf8.count + operation.key.id.utf8.count
            + bytes(operation.seenWrites)
        switch operation.change {
        case .put(let fields): return frame + Validity.encodedBytes(fields)
        case .delete: return frame
        case .count(let field, _): return frame + field.utf8.count
        case .restore(let record): return frame + bytes(record)
        }
    }

    /// Returns the size of a history: per entry quotation marks, colon, comma and the number.
    private static func bytes(_ history: [ClientID: UInt64]) -> Int {
        history.keys.reduce(0) { $0 + 24 + $1.text.utf8.count }
    }

    /// Returns the size of the fields that devices lost.
    private static func bytes(_ lost: [ClientID: [String: UInt64]]) -> Int {
        lost.reduce(0) { sum, device in
            device.value.keys.reduce(sum + 8 + device.key.text.utf8.count) {
                $0 + 24 + $1.utf8.count
            }
        }
    }

    static func bytes(_ record: UserRecord) -> Int {
        let marks = record.fields.values.reduce(0) { $0 + 96 + $1.writer.client.text.utf8.count }
        let counterTotals = record.counterTotals.values.reduce(0) { sum, devices in
            devices.keys.reduce(sum + 70) { $0 + 48 + $1.text.utf8.count }
        }
        return 512 + Validity.encodedBytes(record.fields.mapValues(\.value)) + marks + counterTotals
            + bytes(record.replaced) + bytes(record.overwritten)
            + bytes(record.overwrittenFields)
    }
}

extension UserRecord {
    /// An upper bound of the record's size as JSON with its metadata, in bytes.
    package var estimatedBytes: Int { WireSize.bytes(self) }
}
