package import ContentModel

/// The resulting documents and manifest of a changeset.
package struct ChangesetResult: Sendable {
    /// The manifest.
    package var manifest: [UInt8]
    /// The documents in it, by checksum.
    package var objects: [Checksum: [UInt8]]
}

/// The body of a changeset: objects, each built from one in the base manifest, then the manifest itself.
package enum ChangesetBody {
    /// Builds the result of a changeset.
    ///
    /// - Parameters:
    ///   - changeset: The changeset, with verified facts.
    ///   - base: The manifest of the release from which it starts; empty for none.
    ///   - object: Reads a stored document; `nil` if it is missing or damaged.
    /// - Returns: The documents and the manifest; the base itself for a changeset without changes.
    /// - Throws: `ChangesetError`.
    package static func rebuild(
        _ changeset: Changeset, base: [UInt8], object: (Checksum) throws -> [UInt8]?
    ) throws -> ChangesetResult {
        let body = try inflated(changeset)
        guard changeset.to > changeset.from else {
            guard body.isEmpty else {
                throw ChangesetError.damaged("it has a body without a change")
            }
            return ChangesetResult(manifest: base, objects: [:])
        }
        var reader = ChangesetReader(body)
        let ordinals = ManifestOrdinals(base)
        var objects: [Checksum: [UInt8]] = [:]
        var replaced: [(ordinal: Int, digits: [UInt8], size: Int)] = []
        var previous = 0
        let count = try reader.integer(max: ChangesetLimits.objectsMax)
        var bytesLeft = ChangesetLimits.inflatedBytesMax
        for _ in 0..<count {
            let step = try reader.integer(max: ordinals.places.count + 1)
            let isNew = step == 0
            let ordinal = step - 1 + previous
            guard isNew || ordinal < ordinals.places.count && (step > 1 || replaced.isEmpty) else {
                throw ChangesetError.damaged("its documents are not in order")
            }
            let stored = isNew ? [] : try self.base(ordinal, of: ordinals, object)
            let bytes = try DeltaWindow.decode(
                &reader, base: stored,
                bytesMax: min(bytesLeft, ContentLimits.documentBytesMax))
            bytesLeft -= bytes.count
            let checksum = Checksum(of: bytes)
            objects[checksum] = bytes
            if isNew {
                // Those without a base are the last.
                previous = ordinals.places.count
            } else {
                replaced.append((ordinal, Array(checksum.hex.utf8), bytes.count))
                previous = ordinal
            }
        }
        let manifest = try DeltaWindow.decode(
            &reader, base: ordinals.predicted(replaced),
            bytesMax: ContentLimits.manifestBytesMax)
        guard reader.isAtEnd else { throw ChangesetError.damaged("bytes are left over") }
        return ChangesetResult(manifest: manifest, objects: objects)
    }

    private static func base(
        _ ordinal: Int, of ordinals: ManifestOrdinals, _ object: (Checksum) throws -> [UInt8]?
    ) throws -> [UInt8] {
        let digits = String(decoding: ordinals.digits(ordinal), as: UTF8.self)
        guard let checksum = Checksum(hex: digits), let bytes = try object(checksum) else {
            throw ChangesetError.lacksBase
        }
        return bytes
    }

    private static func inflated(_ changeset: Changeset) throws(ChangesetError) -> [UInt8] {
        guard changeset.isDeflated else { return changeset.body }
        var reader = ChangesetReader(changeset.body)
        let count = try reader.integer(max: ChangesetLimits.inflatedBytesMax)
        guard let body = RawDeflate.unpacked(reader.rest(), count: count) else {
            throw .damaged("its body cannot be inflated to its stated length")
        }
        return body
    }
}
