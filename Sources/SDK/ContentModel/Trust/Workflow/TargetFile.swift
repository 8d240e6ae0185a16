/// A target: the length and the hashes of a file in the metadata of a trusted role (TUF 4.5).
///
/// ```swift
/// func save(_ target: TargetFile, _ bytes: [UInt8]) throws {
///     try target.check(bytes, by: .sha256)
///     print("\(target.path) is whole")
/// }
/// ```
public struct TargetFile: Hashable, Sendable {
    /// The path by which it is requested, relative to the address of targets.
    public let path: String
    /// The number of bytes.
    public let length: Int
    /// The lowercase hexadecimal digits of its hashes by the names of their functions; at least one.
    public let hashes: [String: String]
    /// The publisher's additional data, which TUF does not interpret.
    public let custom: JSONValue?

    init(_ member: DocumentNode.Member, role: String) throws(TrustError) {
        let reader = try MetadataReader(
            member.value, role: role, place: "signed.targets.\(member.key.prefix(64))")
        path = member.key
        length = try reader.integer("length", least: 0)
        hashes = try ListedFile.hashes(reader)
        custom = reader.optional("custom")?.value
    }

    /// The SHA-256, by which a release names its objects; `nil` if it is not listed or malformed.
    public var checksum: Checksum? { hashes["sha256"].flatMap { Checksum(hex: $0) } }

    /// Verifies a fetched file (TUF 5.7.3).
    ///
    /// - Throws: `TrustError` `tooLarge` for more bytes than listed, `mismatched` for fewer, for another hash, and if
    ///   none of the hashes is supported: discard the bytes, and request them from another host.
    public func check(_ bytes: [UInt8], by functions: HashFunctions) throws(TrustError) {
        guard bytes.count <= length else { throw .tooLarge(path, bytesMax: length) }
        guard bytes.count == length else { throw .length(path, bytes.count, expected: length) }
        try functions.check(bytes, against: hashes, of: path)
    }

    /// Returns the percent-encoded path below the address of targets (TUF 5.7.3, 6.2.2).
    ///
    /// - Parameters:
    ///   - hasConsistentSnapshots: True when the file's name begins with its hash.
    ///   - functions: The functions, one of which gives the hash in the name.
    /// - Returns: The path; `nil` when the name needs a hash and none of them is supported.
    public func location(
        hasConsistentSnapshots: Bool, by functions: HashFunctions
    ) -> String? {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if hasConsistentSnapshots {
            guard let hash = functions.preferred(of: hashes), let name = parts.popLast() else {
                return nil
            }
            parts.append("\(hash).\(name)")
        }
        return parts.map(\.percentEncodedPart).joined(separator: "/")
    }
}
