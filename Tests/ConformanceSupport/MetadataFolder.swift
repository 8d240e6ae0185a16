import ContentModel
import Foundation

/// The trusted metadata as files, named as the suite expects: `root.json`, and delegated roles
/// percent-encoded.
struct MetadataFolder: Sendable {
    let folder: URL

    init(_ path: String) { folder = URL(filePath: path, directoryHint: .isDirectory) }

    func load(
        verifiers: SignatureVerifiers, hashes: HashFunctions
    ) throws -> TrustedMetadata {
        guard let root = read("root") else {
            throw ConformanceError("There is no root.json: call init first.")
        }
        var trusted = try TrustedMetadata(root: root, verifiers: verifiers, hashes: hashes)
        trusted.restore(
            timestamp: read("timestamp"), snapshot: read("snapshot"), targets: read("targets"),
            delegated: try delegated())
        return trusted
    }

    /// Writes what has changed, the root first: after a crash behind it, files of rotated keys are not
    /// restored.
    func save(_ trusted: TrustedMetadata) throws {
        for role in TrustRole.allCases {
            if let file = trusted.file(role) {
                try write(file.bytes, role.rawValue)
            } else if read(role.rawValue) != nil {
                try FileManager.default.removeItem(at: url(role.rawValue))
            }
        }
        for (role, bytes) in trusted.delegated { try write(bytes, role) }
    }

    private func url(_ role: String) -> URL {
        folder.appending(path: role.percentEncodedPart + ".json")
    }

    private func read(_ role: String) -> [UInt8]? {
        // No file, or one that cannot be read: fetched again.
        (try? Data(contentsOf: url(role))).map { Array($0) }
    }

    private func write(_ bytes: [UInt8], _ role: String) throws {
        guard read(role) != bytes else { return }
        try Data(bytes).write(to: url(role), options: .atomic)
    }

    private func delegated() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path()) {
            guard name.hasSuffix(".json"),
                let role = String(name.dropLast(5)).removingPercentEncoding,
                TrustRole(rawValue: role) == nil
            else { continue }
            files[role] = read(role)
        }
        return files
    }
}
