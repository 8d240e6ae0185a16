/// The hash functions by which files can be verified, by their names in metadata.
///
/// A file is accepted if it has every listed hash whose function is known here, and at least one such hash is listed.
///
/// ```swift
/// let functions = HashFunctions.sha256.adding("reversed") { $0.reversed() }
/// print(functions.names)
/// // ["reversed", "sha256"]
/// ```
public struct HashFunctions: Sendable {
    /// A function that computes the digest of bytes.
    public typealias Function = @Sendable (_ bytes: [UInt8]) -> [UInt8]

    private var functions: [String: Function]

    /// SHA-256 alone, the function that the specification names.
    public static let sha256 = HashFunctions(functions: [
        "sha256": { HexDigits.decode(Checksum(of: $0).hex) ?? [] }
    ])

    /// The names of the functions, sorted.
    public var names: [String] { functions.keys.sorted() }

    /// Returns these functions and one more.
    public func adding(_ name: String, _ function: @escaping Function) -> HashFunctions {
        var copy = self
        copy.functions[name] = function
        return copy
    }

    /// Checks bytes against listed hashes.
    ///
    /// - Throws: `TrustError` `mismatched`.
    func check(
        _ bytes: [UInt8], against hashes: [String: String], of role: String
    ) throws(TrustError) {
        var isKnown = false
        for (name, expected) in hashes.sorted(by: { $0.key < $1.key }) {
            guard let function = functions[name] else { continue }
            isKnown = true
            guard HexDigits.encode(function(bytes)) == expected else { throw .hash(role, name) }
        }
        guard isKnown else { throw .unknownHashes(role) }
    }

    /// Returns one of the listed hashes that these functions can check, SHA-256 before others.
    func preferred(of hashes: [String: String]) -> String? {
        if functions["sha256"] != nil, let hash = hashes["sha256"] { return hash }
        return hashes.filter { functions[$0.key] != nil }.min { $0.key < $1.key }?.value
    }
}
