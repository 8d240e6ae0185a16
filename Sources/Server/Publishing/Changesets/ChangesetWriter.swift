import ContentModel
import ServiceAPI
import Synchronization

/// Writes the changesets of one publish: from each of several earlier releases to the new one, on any thread.
final class ChangesetWriter: Sendable {
    private struct Pair: Hashable {
        var base: Checksum?
        var new: Checksum
    }

    private struct Window: Sendable {
        var bytes: [UInt8]
        /// Its size once it is deflated, as the whole body will be.
        var packed: Int
        /// The size of the document.
        var size: Int
        /// False where the base is not kept any more.
        var hasBase: Bool
    }

    private let directory: ReleaseDirectory
    private let manifest: ManifestOrdinals
    private let keys: [UInt64]
    private let areKeysUnique: Bool
    /// The documents that devices fetch with a release.
    private let eager: Set<Checksum>
    /// The windows of this publish: most releases lead over the same edits.
    private let windows = Mutex<[Pair: Window]>([:])

    /// Prepares to lead to a manifest.
    init(_ directory: ReleaseDirectory, manifest bytes: [UInt8], eager: Set<Checksum>) {
        self.directory = directory
        self.eager = eager
        manifest = ManifestOrdinals(bytes)
        keys = manifest.keys
        areKeysUnique = OrdinalPairs.areUnique(keys)
    }

    /// Returns the body that leads from an earlier release to the new one.
    ///
    /// - Returns: The body, and whether it is deflated.
    /// - Throws: `PublishingError` where an object of the new release is gone.
    func body(from base: [UInt8]) throws -> (bytes: [UInt8], isDeflated: Bool) {
        let old = ManifestOrdinals(base, like: manifest)
        var objects = try objects(
            OrdinalPairs(base: old.keys, new: keys, areUnique: areKeysUnique), old)
        leaveOutTheLargest(&objects)
        objects.sort { ($0.base ?? .max, $0.new) < ($1.base ?? .max, $1.new) }
        var body: [UInt8] = []
        body.append(integer: objects.count)
        var previous = 0
        for object in objects {
            body.append(integer: object.base.map { $0 + 1 - previous } ?? 0)
            previous = object.base ?? previous
            body += object.window.bytes
        }
        let predicted = old.predicted(
            objects.compactMap { object in
                object.base.map { ($0, Array(manifest.digits(object.new)), object.window.size) }
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
        var window: Window
    }

    /// Returns the new documents that devices fetch, each once, with the shortest window.
    private func objects(
        _ pairs: OrdinalPairs, _ old: ManifestOrdinals
    ) throws -> [Object] {
        var seen: Set<Checksum> = []
        let wanted = pairs.changed.compactMap { pair -> (new: Int, base: Int?, pair: Pair)? in
            guard let checksum = Self.checksum(manifest.digits(pair.new)), eager.contains(checksum),
                seen.insert(checksum).inserted
            else { return nil }
            let base = pair.base.flatMap { Self.checksum(old.digits($0)) }
            return (pair.new, pair.base, Pair(base: base, new: checksum))
        }
        return zip(wanted, try windows(of: wanted.map(\.pair))).map { wanted, window in
            Object(new: wanted.new, base: window.hasBase ? wanted.base : nil, window: window)
        }
    }

    private static func checksum(_ digits: ArraySlice<UInt8>) -> Checksum? {
        digits.withUnsafeBufferPointer { Checksum(hexBytes: $0[...]) }
    }

    /// Returns the windows of some pairs, and makes those on all cores that are not known yet.
    private func windows(of pairs: [Pair]) throws -> [Window] {
        let missing = windows.withLock { known in pairs.filter { known[$0] == nil } }
        let made = try missing.concurrentMap { try madeWindow($0) }
        return windows.withLock { known in
            for (pair, window) in zip(missing, made) { known[pair] = window }
            return pairs.compactMap { known[$0] }
        }
    }

    /// Returns the better of a delta and plain bytes once both are deflated.
    private func madeWindow(_ pair: Pair) throws -> Window {
        let bytes = try directory.object(pair.new)
        // Devices have no base that they fetch on demand, as a clip that was removed beside a bank.
        let base = pair.base.flatMap { try? directory.object($0) }
            .flatMap { Self.isObject($0) == Self.isObject(bytes) ? $0 : nil }
        // No document is deflated to so little.
        let little = bytes.count / 100
        func measured(_ window: [UInt8]) -> Window {
            let packed = window.count < little ? nil : RawDeflate.packed(window)?.count
            return Window(
                bytes: window, packed: min(window.count, packed ?? window.count),
                size: bytes.count, hasBase: base != nil)
        }
        let delta = base.map { measured(DeltaEncoder.window(bytes, from: $0)) }
        if let delta, delta.packed < little { return delta }
        let plain = measured(DeltaEncoder.window(adding: bytes))
        return delta.map { $0.packed < plain.packed ? $0 : plain } ?? plain
    }

    /// Returns true for a JSON object.
    private static func isObject(_ bytes: [UInt8]) -> Bool { bytes.first == UInt8(ascii: "{") }

    /// Leaves documents to be fetched by themselves where they would make the body too long.
    private func leaveOutTheLargest(_ objects: inout [Object]) {
        objects.sort { $0.window.packed > $1.window.packed }
        var (packed, size) = objects.reduce((0, 0)) {
            ($0.0 + $1.window.packed, $0.1 + $1.window.size)
        }
        let kept = objects.drop { object in
            guard
                packed > ChangesetLimits.bodyBytesMax
                    || size > ChangesetLimits.inflatedBytesMax / 2
            else { return false }
            packed -= object.window.packed
            size -= object.window.size
            return true
        }
        objects = Array(kept.prefix(ChangesetLimits.objectsMax))
    }
}
