/// The version of a file of metadata, and its length and hashes where they are listed (TUF 4.4).
struct ListedFile: Hashable, Sendable {
    let version: Int
    let length: Int?
    let hashes: [String: String]?

    init(_ reader: MetadataReader) throws(TrustError) {
        version = try reader.integer("version", least: 1)
        length =
            reader.optional("length") == nil ? nil : try reader.integer("length", least: 0)
        hashes = reader.optional("hashes") == nil ? nil : try Self.hashes(reader)
    }

    /// Reads a map of hashes, which has at least one.
    static func hashes(_ reader: MetadataReader) throws(TrustError) -> [String: String] {
        let object = try reader.object("hashes")
        var hashes: [String: String] = [:]
        for member in object.members { hashes[member.key] = try object.string(member.key) }
        guard !hashes.isEmpty else { throw .invalid(reader.role, "\(object.place) is empty") }
        return hashes
    }

    /// Checks the length and the hashes of bytes, where they are listed (TUF 5.5.2, 5.6.2).
    func check(
        _ bytes: [UInt8], of role: String, by functions: HashFunctions
    ) throws(TrustError) {
        if let length, bytes.count != length {
            throw bytes.count > length
                ? .tooLarge(role, bytesMax: length)
                : .length(role, bytes.count, expected: length)
        }
        if let hashes { try functions.check(bytes, against: hashes, of: role) }
    }

    /// The maximum number of bytes to fetch.
    func bytesMax(limit: Int) -> Int { min(length ?? limit, limit) }
}
