/// The keys of one role and the number of them that must sign (TUF 4.3, 4.5).
struct Authority: Sendable {
    /// The ids of the keys, each once.
    let keyIDs: [String]
    /// The number of keys that must sign, from 1; if it exceeds the number of keys, no signature suffices.
    let threshold: Int
    /// The usable keys by id.
    private let keys: [String: TrustKey]

    /// Reads the keys and the threshold of a role.
    ///
    /// - Parameters:
    ///   - reader: The object with `keyids` and `threshold`.
    ///   - keys: The usable keys of the delegator by id.
    /// - Throws: `TrustError` `invalid`.
    init(_ reader: MetadataReader, keys: [String: TrustKey]) throws(TrustError) {
        let ids = try reader.strings("keyids")
        let uniqueIDs = Set(ids)
        guard uniqueIDs.count == ids.count else {
            throw .invalid(reader.role, "\(reader.place).keyids names a key twice")
        }
        keyIDs = ids
        threshold = try reader.integer("threshold", least: 1)
        self.keys = keys.filter { uniqueIDs.contains($0.key) }
    }

    /// Parses the usable keys of a delegator; the others are ignored, and so sign nothing.
    static func keys(_ reader: MetadataReader) -> [String: TrustKey] {
        var keys: [String: TrustKey] = [:]
        for member in reader.members {
            keys[member.key] = TrustKey(member.value, id: member.key)
        }
        return keys
    }

    /// Checks that a threshold of keys has signed (TUF 5.3.4, 5.4.2, 5.5.3, 5.6.3).
    ///
    /// A key counts once, also when it is listed under two ids. At most one signature of each listed key
    /// is verified.
    /// - Throws: `TrustError` `untrusted`.
    func check(
        _ envelope: MetadataEnvelope, by verifiers: SignatureVerifiers
    ) throws(TrustError) {
        let valid = signers(
            envelope.signatures, of: envelope.message, by: verifiers, most: threshold
        ).count
        guard valid == threshold else {
            throw .untrusted(envelope.signed.role, valid: valid, threshold: threshold)
        }
    }

    /// Returns the ids of the keys that have made one of some signatures, in the order of the keys.
    ///
    /// A key that is listed under two ids counts once. When `most` are found, no other signature is verified.
    func signers(
        _ signatures: [String: [UInt8]], of message: [UInt8], by verifiers: SignatureVerifiers,
        most: Int = .max
    ) -> [String] {
        var found: Set<TrustKey> = []
        return keyIDs.filter { id in
            guard found.count < most, let key = keys[id], let signature = signatures[id],
                verifiers.verify(key, signature, message)
            else { return false }
            return found.insert(key).inserted
        }
    }

    /// Returns true if the role's later version lacks a key of this one.
    func hasLostKey(in later: Authority) -> Bool { !Set(keyIDs).isSubset(of: later.keyIDs) }
}
