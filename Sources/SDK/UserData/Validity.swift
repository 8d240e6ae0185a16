/// The limits of names and values from outside.
package enum Validity {
    /// The maximum size of a record's or device's id, in bytes.
    package static let idBytesMax = 200
    /// The maximum number of fields of a record.
    package static let fieldsMax = 64
    /// The maximum number of fields in one change: all of a record, and as many that it removes.
    package static let changedFieldsMax = 2 * fieldsMax
    /// The maximum number of devices in a record's history, or in the writes that an author had
    /// seen.
    package static let historyMax = 128
    /// The maximum size of one text, in bytes.
    package static let textBytesMax = 16 * 1024
    /// The maximum number of values of a list.
    package static let listMax = 256
    /// The maximum size of a record's fields as JSON, in bytes.
    package static let recordBytesMax = 64 * 1024

    /// Returns true if a text is a name of a collection or a field: a letter, then up to 63
    /// letters, digits, `_`, `-`.
    package static func isName(_ text: String) -> Bool {
        let bytes = text.utf8
        guard let first = bytes.first, bytes.count <= 64, isLetter(first) else { return false }
        return bytes.allSatisfy { isLetter($0) || isDigit($0) || $0 == 0x5F || $0 == 0x2D }
    }

    /// Returns true if a text is an id of a record or device: letters, digits and `. _ : / - ~ @
    /// +`, not empty.
    package static func isID(_ text: String) -> Bool {
        let bytes = text.utf8
        guard !bytes.isEmpty, bytes.count <= idBytesMax else { return false }
        return bytes.allSatisfy { isLetter($0) || isDigit($0) || "._:/-~@+".utf8.contains($0) }
    }

    /// Returns true if every side can store a value: texts without NUL, whole numbers up to 2⁵³,
    /// finite decimals, lists of plain values.
    package static func isValue(_ value: FieldValue) -> Bool {
        switch value {
        case .null, .bool: true
        case .integer(let number): number.magnitude <= FieldValue.integerMax
        case .decimal(let number): number.isFinite
        case .text(let text): text.utf8.count <= textBytesMax && !text.hasNUL
        case .list(let values):
            values.count <= listMax
                && values.allSatisfy { if case .list = $0 { false } else { isValue($0) } }
        }
    }

    /// Returns true if all names and values of a record's fields are valid and their size is within
    /// the limit.
    package static func areFields(_ fields: [String: FieldValue]) -> Bool {
        fields.count <= fieldsMax && fields.allSatisfy { isName($0.key) && isValue($0.value) }
            && encodedBytes(fields) <= recordBytesMax
    }

    /// Returns the size of fields as a JSON object without white space, in bytes.
    package static func encodedBytes(_ fields: [String: FieldValue]) -> Int {
        // Quotation marks and colon of a name, and a comma or the object's bracket.
        fields.reduce(1) { $0 + $1.key.utf8.count + 4 + encodedBytes($1.value) }
    }

    private static func encodedBytes(_ value: FieldValue) -> Int {
        switch value {
        case .null: 4
        case .bool(let value): value ? 4 : 5
        case .integer(let number): "\(number)".utf8.count
        case .decimal(let number): "\(number)".utf8.count
        case .text(let text): 2 + text.utf8.reduce(0) { $0 + encodedBytes($1) }
        case .list(let values): values.reduce(2) { $0 + 1 + encodedBytes($1) }
        }
    }

    /// Returns the escaped size of one byte of text: quotation mark, backslash and control
    /// characters are escaped.
    private static func encodedBytes(_ byte: UInt8) -> Int {
        switch byte {
        case 0x22, 0x5C, 0x08, 0x09, 0x0A, 0x0C, 0x0D: 2
        case 0..<0x20: 6
        default: 1
        }
    }

    /// Returns true if the server itself writes under this identity; no device may use it.
    package static func isReserved(_ client: ClientID) -> Bool {
        client == .plainRequests || client == .server
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
