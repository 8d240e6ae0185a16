package import ContentModel
import Foundation

/// A release that waits for signatures of authors on other machines, as one file for sending to them.
///
/// It contains the manifest, the signed data, and everything for showing the difference from the previous release: that
/// release's manifest and signed targets, the roots, and the differing documents. None of it is trusted;
/// ``PendingReview`` verifies it against a root that the reader got from elsewhere.
package struct PendingRelease: Sendable {
    /// The maximum size of a file, in bytes.
    package static let bytesMax = 128 << 20
    /// The most bytes of documents in one file.
    static let documentBytesMax = 32 << 20
    /// The most roots, documents and signatures of one file.
    private static let membersMax = 20_000
    private static let format = 1
    private static let secondsPerDay = 86_400

    /// The manifest that waits.
    let manifest: [UInt8]
    /// The number of its release.
    package let release: Int
    /// The time at which the release was built, as its manifest has it.
    let generatedAt: String?
    /// The version of the targets to sign.
    let version: Int
    /// The day on which they expire, counted from 1970.
    let expiryDay: Int
    /// The manifest of the release before.
    let baseManifest: [UInt8]
    /// The signed targets of the release before.
    let baseTargets: [UInt8]
    /// All roots, from version 1 on.
    let roots: [[UInt8]]
    /// The documents in which both releases differ, by their checksums.
    let documents: [Checksum: [UInt8]]
    /// The signatures so far, not verified, by the ids of their keys.
    private(set) var signatures: [String: [UInt8]]

    /// The metadata that authors sign: targets that name the manifest by its length and checksum.
    var document: MetadataDocument {
        .targets(
            version: version, expires: expires, manifest: Checksum(of: manifest),
            length: manifest.count)
    }

    /// The day on which the targets expire.
    var expires: Date { Date(timeIntervalSince1970: Double(expiryDay * Self.secondsPerDay)) }

    /// The checksum of everything but the signatures, by which two authors compare their reviews.
    package var id: Checksum { Checksum(of: json(signatures: [:]).canonicalBytes) }

    /// The bytes of the file; equal values have equal bytes.
    package var bytes: [UInt8] { json(signatures: signatures).canonicalBytes }

    /// Adds signatures; one of a key that has signed before takes the place of the former.
    mutating func add(_ more: [MetadataDocument.Signature]) {
        for signature in more { signatures[signature.keyID] = signature.bytes }
    }

    /// The same without signatures.
    var unsigned: PendingRelease {
        var copy = self
        copy.signatures = [:]
        return copy
    }

    /// The signatures as metadata have them, not verified.
    var allSignatures: [MetadataDocument.Signature] {
        signatures.map { .init(keyID: $0.key, bytes: $0.value) }
    }
}

extension PendingRelease {
    /// Begins a pending release without signatures.
    ///
    /// - Parameters:
    ///   - manifest: Its manifest.
    ///   - version: The version of its targets.
    ///   - expires: The day on which they expire.
    ///   - trust: The present metadata.
    /// - Throws: `PublishingError` `unreadable` when the release before, or a root, cannot be read.
    init(
        _ manifest: [UInt8], version: Int, expires: Date, after trust: ReleaseTrust
    ) throws {
        guard let base = trust.trusted.manifest?.checksum,
            let baseTargets = trust.trusted.file(.targets)?.bytes
        else {
            throw PublishingError(
                .needsSignatures,
                "The present signatures name no release, so that nobody could see what a new one changes."
                    + " Publish once with enough keys in one folder.")
        }
        let directory = trust.directory
        let target = directory.path(.target(base))
        let baseManifest = try Files.read(target, limit: ContentLimits.manifestBytesMax)
        guard Checksum(of: baseManifest) == base else {
            throw PublishingError(
                .unreadable, "\(target) is damaged. `underway trust refresh` writes it again.")
        }
        let new = try Manifest(manifest)
        self.manifest = manifest
        release = new.release
        generatedAt = new.generatedAt
        self.version = version
        expiryDay = Int(expires.timeIntervalSince1970) / Self.secondsPerDay
        self.baseManifest = baseManifest
        self.baseTargets = baseTargets
        roots = trust.roots
        var documents: [Checksum: [UInt8]] = [:]
        var room = Self.documentBytesMax
        for checksum in Self.documentsThatDiffer(try Manifest(baseManifest), new) {
            // One that is missing or is no text is looked for where the release directory is.
            guard let bytes = try? directory.object(checksum), bytes.count <= room,
                String(validating: bytes, as: UTF8.self) != nil
            else { continue }
            documents[checksum] = bytes
            room -= bytes.count
        }
        self.documents = documents
        signatures = [:]
    }

    /// Returns the JSON documents of two releases whose content differs, sorted.
    static func documentsThatDiffer(_ old: Manifest, _ new: Manifest) -> [Checksum] {
        let before = Dictionary(
            old.entries.map { ($0.path.text, $0.checksum) }, uniquingKeysWith: { $1 })
        let changed = new.entries.filter {
            $0.path.text.hasSuffix(".json") && before[$0.path.text] != $0.checksum
        }
        return Set(changed.flatMap { [before[$0.path.text], $0.checksum].compactMap(\.self) })
            .sorted()
    }
}

// MARK: The file

extension PendingRelease {
    /// Parses a file, without trusting it.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - path: Its path, for messages.
    /// - Throws: `PublishingError` `unreadable`.
    package init(_ bytes: [UInt8], path: String) throws {
        func refusal(_ reason: String) -> PublishingError {
            PublishingError(
                .unreadable,
                "\(path) is no pending release: \(reason). Ask for it again where it was published."
            )
        }
        guard bytes.count <= Self.bytesMax else { throw refusal("it is too large") }
        guard let node = try? JSONParser.parse(bytes, nodesMax: Self.membersMax),
            case .object(let members) = node.value,
            Set(members.keys) == Self.names, members["format"] == .integer(Self.format)
        else { throw refusal("it has another form") }
        func text(_ name: String, _ limit: Int) throws -> [UInt8] {
            guard case .string(let text)? = members[name], text.utf8.count <= limit else {
                throw refusal("its \(name) is missing or too large")
            }
            return Array(text.utf8)
        }
        func number(_ name: String, _ range: ClosedRange<Int>) throws -> Int {
            guard case .integer(let number)? = members[name], range.contains(number) else {
                throw refusal("its \(name) is no number that can be")
            }
            return number
        }
        guard case .array(let roots)? = members["roots"],
            case .object(let documents)? = members["documents"],
            case .object(let signatures)? = members["signatures"]
        else { throw refusal("it has another form") }
        manifest = try text("manifest", ContentLimits.manifestBytesMax)
        baseManifest = try text("baseManifest", ContentLimits.manifestBytesMax)
        baseTargets = try text("baseTargets", TrustLimits.targetsBytesMax)
        version = try number("version", 1...ReleaseTrust.plausibleVersionMax)
        expiryDay = try number("expiryDay", 1...1_000_000)
        self.roots = try roots.map { root in
            guard case .string(let text) = root, text.utf8.count <= TrustLimits.rootBytesMax else {
                throw refusal("one of its roots is too large")
            }
            return Array(text.utf8)
        }
        var room = Self.documentBytesMax
        var found: [Checksum: [UInt8]] = [:]
        for (name, value) in documents {
            guard case .string(let text) = value, let checksum = Checksum(hex: name) else {
                throw refusal("one of its documents has another form")
            }
            room -= text.utf8.count
            let bytes = Array(text.utf8)
            guard room >= 0, Checksum(of: bytes) == checksum else {
                throw refusal("one of its documents is damaged")
            }
            found[checksum] = bytes
        }
        self.documents = found
        var made: [String: [UInt8]] = [:]
        for (id, value) in signatures {
            guard Checksum(hex: id) != nil, case .string(let digits) = value,
                let bytes = HexDigits.decode(digits), bytes.count == 64
            else { throw refusal("one of its signatures has another form") }
            made[id] = bytes
        }
        self.signatures = made
        guard let new = try? Manifest(manifest), new.release >= 1 else {
            throw refusal("its manifest cannot be read")
        }
        release = new.release
        generatedAt = new.generatedAt
    }

    private static let names: Set<String> = [
        "baseManifest", "baseTargets", "documents", "expiryDay", "format", "manifest", "roots",
        "signatures", "version",
    ]

    private func json(signatures: [String: [UInt8]]) -> JSONValue {
        func text(_ bytes: [UInt8]) -> JSONValue { .string(String(decoding: bytes, as: UTF8.self)) }
        return [
            "baseManifest": text(baseManifest), "baseTargets": text(baseTargets),
            "documents": .object(
                Dictionary(
                    documents.map { ($0.key.hex, text($0.value)) }, uniquingKeysWith: { $1 })),
            "expiryDay": .integer(expiryDay), "format": .integer(Self.format),
            "manifest": text(manifest), "roots": .array(roots.map(text)),
            "signatures": .object(signatures.mapValues { .string(HexDigits.encode($0)) }),
            "version": .integer(version),
        ]
    }
}
