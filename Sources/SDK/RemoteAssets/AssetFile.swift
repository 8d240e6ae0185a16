import CExtendedAttributes
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The attributes that are stored with the bytes of an asset.
struct AssetAttributes: Hashable, Codable {
    /// The version of the app that fetched them.
    var appVersion: String
    var tag: AssetTag
}

/// The last accepted bytes of an asset in the file system.
///
/// The bytes and their attributes are replaced together by one rename if the file system has extended attributes.
/// Otherwise the attributes are in a second file that is removed before and written after. Bytes without attributes are
/// ignored, so a crash in between costs a download.
struct AssetFile: Sendable {
    let url: URL
    /// False to store the attributes in a second file.
    let usesExtendedAttributes: Bool

    /// Creates the file of an asset.
    ///
    /// - Throws: `AssetError` `badBundle` when the name could lead out of the folder.
    init(name: String, folder: URL, usesExtendedAttributes: Bool = true) throws {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && !$0.contains("\0") }) else {
            throw AssetError(
                .badBundle, asset: name,
                "The name of an asset has no empty and no hidden parts. Rename it.")
        }
        url = folder.appending(path: name)
        self.usesExtendedAttributes = usesExtendedAttributes
    }

    private var folder: URL { url.deletingLastPathComponent() }
    private var sideFile: URL { folder.appending(path: ".\(url.lastPathComponent).attributes") }
    private var partPrefix: String { ".\(url.lastPathComponent).part-" }

    // MARK: Reading

    /// Reads the bytes and their attributes; `nil` when there are no usable ones.
    func read() -> (data: Data, attributes: AssetAttributes)? {
        // An unreadable file counts as absent: the app's own file is there.
        guard let attributes = attributes(), let data = try? Data(contentsOf: url) else {
            return nil
        }
        return (data, attributes)
    }

    private func attributes() -> AssetAttributes? {
        if let version = attribute("version") {
            return AssetAttributes(
                appVersion: version,
                tag: AssetTag(entityTag: attribute("etag"), checksum: attribute("checksum")))
        }
        // No side file, or a damaged one, means that the bytes are of unknown origin.
        return (try? Data(contentsOf: sideFile)).flatMap {
            try? JSONDecoder().decode(AssetAttributes.self, from: $0)
        }
    }

    private func attribute(_ name: String) -> String? {
        guard usesExtendedAttributes else { return nil }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = underway_get_attribute(url.path, Self.key(name), &buffer, buffer.count)
        guard count >= 0 else { return nil }
        return String(validating: buffer.prefix(count), as: UTF8.self)
    }

    /// Returns the name of an attribute with the prefix `user.`, which Linux requires.
    private static func key(_ name: String) -> String { "user.underway.\(name)" }

    // MARK: Writing

    /// Replaces bytes and attributes.
    ///
    /// - Throws: An error of the file system; the previous file remains, or none.
    func write(_ data: Data, _ attributes: AssetAttributes) throws {
        try makeFolder()
        let part = folder.appending(path: partPrefix + UUID().uuidString)
        do {
            try data.write(to: part)
            try makePrivate(part)
            let isComplete = set(attributes, on: part)
            try synchronize(part)
            if !isComplete { remove(sideFile) }
            try rename(part, to: url)
            if isComplete {
                remove(sideFile)
            } else {
                try JSONEncoder().encode(attributes).write(to: sideFile, options: .atomic)
                try makePrivate(sideFile)
            }
        } catch {
            remove(part)
            throw error
        }
    }

    /// Creates the folder for its owner alone; the permissions of an existing one do not change.
    private func makeFolder() throws {
        let manager = FileManager.default
        let isThere = manager.fileExists(atPath: folder.path)
        try manager.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: isThere ? nil : [.posixPermissions: 0o700])
    }

    private func makePrivate(_ file: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }

    /// Removes the file and its attributes.
    func remove() {
        remove(url)
        remove(sideFile)
    }

    /// Removes the temporary files of writes that crashed more than an hour ago.
    func removeLeftovers(now: Date) {
        // A folder that is not there yet has none.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasPrefix(partPrefix) {
            let part = folder.appending(path: name)
            let values = try? part.resourceValues(forKeys: [.contentModificationDateKey])
            let age = values?.contentModificationDate.map { now.timeIntervalSince($0) } ?? 0
            if age > 3600 { remove(part) }
        }
    }

    private func set(_ attributes: AssetAttributes, on file: URL) -> Bool {
        guard usesExtendedAttributes else { return false }
        let values = [
            ("etag", attributes.tag.entityTag), ("checksum", attributes.tag.checksum),
            // The last, since without it the others are ignored.
            ("version", attributes.appVersion),
        ]
        return values.allSatisfy { name, value in
            guard let value else { return true }
            let bytes = Array(value.utf8)
            return bytes.count <= 4096
                && underway_set_attribute(file.path, Self.key(name), bytes, bytes.count) == 0
        }
    }

    private func synchronize(_ file: URL) throws {
        let handle = try FileHandle(forUpdating: file)
        defer { try? handle.close() }
        try handle.synchronize()
    }

    private func rename(_ source: URL, to target: URL) throws {
        // Foundation's own moving cannot replace a file in one step everywhere.
        guard renameFile(source.path, target.path) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    private func remove(_ file: URL) {
        // An absent file need not be removed.
        try? FileManager.default.removeItem(at: file)
    }
}

/// Calls `rename(2)`, whose name the type above shadows.
private func renameFile(_ source: String, _ target: String) -> Int32 { rename(source, target) }
