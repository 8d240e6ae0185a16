import ContentModel
import ServiceAPI

/// Writes the changesets of one publish: from each of several earlier releases to the new one.
struct ChangesetWriter {
    private struct Pair: Hashable {
        var base: Checksum?
        var new: Checksum
    }

    private let directory: ReleaseDirectory
    private let manifest: ManifestOrdinals
    private let keys: [UInt64]
    /// The documents that devices fetch with a release.
    private let eager: Set<Checksum>
    /// The windows of this publish: most releases lead over the same edits.
    private var windows: [Pair: (bytes: [UInt8], packed: Int)] = [:]

    /// Prepares to lead to a manifest.
    ///
    /// - Throws: `ManifestError`.
    init(_ directory: ReleaseDirectory, manifest bytes: [UInt8]) throws {
        self.directory = directory
        manifest = ManifestOrdinals(bytes)
        keys = manifest.keys
        eager = Set(try Manifest(bytes).eagerDocuments.map(\.checksum))
    }

    /// Returns the body that leads from an earlier release to the new one.
    ///
    /// - Returns: The body, and whether it is deflated.
    /// - Throws: `PublishingError` where an object of the new release is gone.
    mutating func body(
        from base: [UInt8]
    ) throws -> (bytes: [UInt8], isDeflated: Bool) {
        let old = ManifestOrdinals(base)
        var objects = try objects(OrdinalPairs(base: old.keys, new: keys), old)
        leaveOutTheLargest(&objects)
        objects.sort { ($0.base ?? .max, $0.new) < ($1.base ?? .max, $1.new) }
        var body: [UInt8] = []
        body.append(integer: objects.count)
        var previous = 0
        for object in objects {
            body.append(integer: object.base.map { $0 + 1 - previous } ?? 0)
            previous = object.base ?? previous
            body += object.window
        }
        let predicted = old.predicted(
            objects.compactMap { object in
                object.base.map { ($0, Array(manifest.digits(object.new)), object.size) }
            })
        body += DeltaEncoder.window(manifest.bytes, from: predicted)
        guard let packed = RawDeflate.packed(body) else { return (body, false) }
        var deflated: [UInt8] = []
        deflated.append(integer: body.count)
        deflated += packed
        return deflated.count < body.count ? (deflated, true) : (body, false)
    }

    private struct Object {
        var new: Int
        var base: Int?
        var window: [UInt8]
        var packed: Int
        var size: Int
    }

    /// The new documents that devices fetch, each once, with the shortest window.
    private mutating func objects(
        _ pairs: OrdinalPairs, _ old: ManifestOrdinals
    ) throws -> [Object] {
        var objects: [Object] = []
        var seen: Set<Checksum> = []
        for pair in pairs.changed {
            guard let checksum = Self.checksum(manifest.digits(pair.new)), eager.contains(checksum),
                seen.insert(checksum).inserted
            else { continue }
            let bytes = try directory.object(checksum)
            let base = pair.base.flatMap { Self.checksum(old.digits($0)) }
            // A base that is not kept any more is no base.
            let stored = base.flatMap { try? directory.object($0) }
            let pairing = stored == nil ? nil : pair.base
            let window = window(
                Pair(base: stored == nil ? nil : base, new: checksum), bytes, stored)
            objects.append(
                Object(
                    new: pair.new, base: pairing, window: window.bytes, packed: window.packed,
                    size: bytes.count))
        }
        return objects
    }

    private static func checksum(_ digits: ArraySlice<UInt8>) -> Checksum? {
        Checksum(hex: String(decoding: digits, as: UTF8.self))
    }

    /// The better of a delta and plain bytes once both are deflated, as the whole body will be.
    private mutating func window(
        _ pair: Pair, _ bytes: [UInt8], _ base: [UInt8]?
    ) -> (bytes: [UInt8], packed: Int) {
        if let known = windows[pair] { return known }
        func measured(_ window: [UInt8]) -> (bytes: [UInt8], packed: Int) {
            (window, min(window.count, RawDeflate.packed(window)?.count ?? window.count))
        }
        var best = measured(DeltaEncoder.window(adding: bytes))
        if let base {
            let delta = measured(DeltaEncoder.window(bytes, from: base))
            if delta.packed < best.packed { best = delta }
        }
        windows[pair] = best
        return best
    }

    /// Leaves documents to be fetched by themselves where they would make the body too long.
    private func leaveOutTheLargest(_ objects: inout [Object]) {
        objects.sort { $0.packed > $1.packed }
        var (packed, size) = objects.reduce((0, 0)) { ($0.0 + $1.packed, $0.1 + $1.size) }
        let kept = objects.drop { object in
            guard
                packed > ChangesetLimits.bodyBytesMax
                    || size > ChangesetLimits.inflatedBytesMax / 2
            else { return false }
            packed -= object.packed
            size -= object.size
            return true
        }
        objects = Array(kept.prefix(ChangesetLimits.objectsMax))
    }
}
