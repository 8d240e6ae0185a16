/// What names and values may be, for everything that comes from outside.
public enum Validity {
    /// The most bytes of a record's id, and of a device's.
    public static let idBytesMax = 200
    /// The most fields of a record.
    public static let fieldsMax = 64
    /// The most fields that one change names: all of a record, and as many that it removes.
    public static let changedFieldsMax = 2 * fieldsMax
    /// The most devices that a record's history names, or what the author of a change saw.
    public static let historyMax = 128
    /// The most bytes of one text.
    public static let textBytesMax = 16 * 1024
    /// The most values of a list.
    public static let listMax = 256
    /// The most bytes of a record's fields as JSON.
    public static let recordBytesMax = 64 * 1024

    /// True for a collection's or a field's name: a letter, then up to 63 letters, digits, `_`, `-`.
    public static func isName(_ text: String) -> Bool {
        let bytes = text.utf8
        guard let first = bytes.first, bytes.count <= 64, isLetter(first) else { return false }
        return bytes.allSatisfy { isLetter($0) || isDigit($0) || $0 == 0x5F || $0 == 0x2D }
    }

    /// True for the id of a record or device: letters, digits and `. _ : / - ~ @ +`, not empty.
    public static func isID(_ text: String) -> Bool {
        let bytes = text.utf8
        guard !bytes.isEmpty, bytes.count <= idBytesMax else { return false }
        return bytes.allSatisfy { isLetter($0) || isDigit($0) || "._:/-~@+".utf8.contains($0) }
    }

    /// True for a value that every side can hold: texts without NUL, whole numbers up to 2⁵³,
    /// finite decimals, lists of plain values.
    public static func isValue(_ value: FieldValue) -> Bool {
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

    /// True when all names and values of a record's fields are valid, and short enough together.
    public static func areFields(_ fields: [String: FieldValue]) -> Bool {
        fields.count <= fieldsMax && fields.allSatisfy { isName($0.key) && isValue($0.value) }
            && encodedBytes(fields) <= recordBytesMax
    }

    /// Counts the bytes of fields as a JSON object without white space.
    public static func encodedBytes(_ fields: [String: FieldValue]) -> Int {
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

    /// The bytes of one byte of text: quotation mark, backslash and control characters are escaped.
    private static func encodedBytes(_ byte: UInt8) -> Int {
        switch byte {
        case 0x22, 0x5C, 0x08, 0x09, 0x0A, 0x0C, 0x0D: 2
        case 0..<0x20: 6
        default: 1
        }
    }

    /// True for the names under which the server itself writes; no device may call itself so.
    public static func isReserved(_ client: ClientID) -> Bool {
        client == .plainRequests || client == .server
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
