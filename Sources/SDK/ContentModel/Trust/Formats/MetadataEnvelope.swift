import Foundation

/// A parsed file of metadata: what is signed, its canonical bytes, and the signatures (TUF 4.2.1).
struct MetadataEnvelope: Sendable {
    /// The bytes as they were received.
    let bytes: [UInt8]
    /// The object that is signed.
    let signed: MetadataReader
    /// The canonical form of that object, the message of every signature.
    let message: [UInt8]
    /// The signatures by key id; empty for one that is not hexadecimal, which no key has made.
    let signatures: [String: [UInt8]]
    /// The version of the file, from 1.
    let version: Int
    /// The time from which the file is no longer trusted.
    let expires: Date

    /// Parses a file and checks what all roles have in common; signatures are not verified.
    ///
    /// - Parameters:
    ///   - bytes: The file as it was received.
    ///   - role: The role's name, for errors.
    ///   - type: The value that `_type` must have.
    ///   - bytesMax: The maximum number of bytes.
    /// - Throws: `TrustError` `tooLarge` or `invalid`.
    init(
        _ bytes: [UInt8], role: String, type: TrustRole, bytesMax: Int
    ) throws(TrustError) {
        guard bytes.count <= bytesMax else { throw .tooLarge(role, bytesMax: bytesMax) }
        let document: DocumentNode
        do throws(DocumentSyntaxError) {
            document = try JSONParser.parse(bytes, nodesMax: TrustLimits.valuesMax)
        } catch {
            let place = "line \(error.position.line), column \(error.position.column)"
            throw .invalid(role, "\(place), \(error.message)")
        }
        let file = try MetadataReader(document, role: role, place: "file")
        let signedNode = try file.node("signed")
        let signed = try MetadataReader(signedNode, role: role, place: "signed")
        guard let message = signedNode.value.olpcCanonicalBytes() else {
            throw .invalid(role, "it has a number that is not a whole one, or is too large")
        }
        self.bytes = bytes
        self.signed = signed
        self.message = message
        signatures = try Self.signatures(file)
        guard try signed.string("_type") == type.rawValue else {
            throw .invalid(role, "its type is not \(type.rawValue)")
        }
        try Self.checkSpecification(signed)
        version = try signed.integer("version", least: 1)
        guard let expires = UTCTime.parse(try signed.string("expires")) else {
            throw .invalid(role, "expires must be a time such as 2030-01-01T00:00:00Z")
        }
        self.expires = expires
    }

    /// Reads the signatures; two of one key are refused, as the specification does (TUF 4.2.1).
    private static func signatures(
        _ file: MetadataReader
    ) throws(TrustError) -> [String: [UInt8]] {
        var signatures: [String: [UInt8]] = [:]
        for node in try file.list("signatures") {
            let reader = try MetadataReader(node, role: file.role, place: "signatures")
            let keyID = try reader.string("keyid")
            let signature = HexDigits.decode(try reader.string("sig")) ?? []
            guard signatures.updateValue(signature, forKey: keyID) == nil else {
                throw .invalid(file.role, "one key has signed twice")
            }
        }
        return signatures
    }

    /// Accepts version 1 of the specification, written with two or three numbers (TUF 4.3).
    private static func checkSpecification(_ signed: MetadataReader) throws(TrustError) {
        let parts = try signed.string("spec_version").split(
            separator: ".", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts[0] == "1",
            parts.allSatisfy({
                !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) }
            })
        else { throw .invalid(signed.role, "it is not written for version 1 of the specification") }
    }
}
