package import ContentModel
import Foundation

/// A folder of private keys: for its owner alone, and apart from what is published.
///
/// Each key is a file `NAME.pem`; beside it `NAME.pub.json` is the public half, which anybody may have.
package struct KeyFolder: Sendable {
    /// A key and the name of its file without the ending.
    package struct Entry: Sendable {
        package var name: String
        package var key: SigningKey
    }

    /// The longest file that is read as a key, in bytes.
    private static let keyBytesMax = 4096
    /// The most files in the folder that are read.
    private static let keysMax = 100

    /// Its path.
    package let path: String

    /// Names a folder.
    package init(_ path: String) { self.path = path }

    /// Refuses a folder within a content folder or a release directory, where keys would be published, or a
    /// folder around them.
    ///
    /// - Throws: `PublishingError` `invalidRequest`.
    package func demandApart(from folders: [String]) throws {
        let own = ReleasePlace.resolved(path)
        for folder in folders {
            let other = ReleasePlace.resolved(folder)
            guard ReleasePlace.holds(other, own) || own == other else { continue }
            throw PublishingError(
                .invalidRequest,
                "\(path) lies in \(folder), from which it could be published. Keep keys in a folder of"
                    + " their own, apart from content and releases.")
        }
    }

    /// Reads all keys, sorted by name.
    ///
    /// - Throws: `PublishingError` `unreadable` without such a folder and for a file that is no key,
    ///   `keyPermissions` where others may read it.
    package func load() throws -> [Entry] {
        try demandPrivate(path, "700")
        let names = try Files.names(in: path).filter { $0.hasSuffix(".pem") }
        guard names.count <= Self.keysMax else {
            throw PublishingError(
                .unreadable, "\(path) has more than \(Self.keysMax) keys. Name another folder.")
        }
        return try names.map { name in
            let file = path + "/" + name
            try demandPrivate(file, "600")
            let text = String(
                decoding: try Files.read(file, limit: Self.keyBytesMax), as: UTF8.self)
            guard let key = SigningKey(pem: text) else {
                throw PublishingError(
                    .unreadable,
                    "\(file) is no Ed25519 key in PKCS#8 without a password. Move it elsewhere.")
            }
            return Entry(name: String(name.dropLast(4)), key: key)
        }
    }

    /// Writes the files of a new key.
    ///
    /// - Throws: `PublishingError` `invalidRequest` when there is a file of that name, `unwritable`.
    package func save(_ entry: Entry) throws {
        if Files.look(path) == nil {
            do {
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            } catch {
                throw PublishingError(.unwritable, "\(path) cannot be made: \(error).")
            }
        }
        try demandPrivate(path, "700")
        let file = "\(path)/\(entry.name).pem"
        guard Files.look(file) == nil else {
            throw PublishingError(
                .invalidRequest, "\(file) exists, and keys are never replaced. Name another folder."
            )
        }
        try Files.replace(file, Array(entry.key.pem.utf8), mode: 0o600)
        try Files.replace(
            "\(path)/\(entry.name).pub.json", entry.key.publicKey.canonicalBytes)
        try Files.sync(file)
    }

    /// Draws keys under names that no key here has, such as `targets-3`; nothing is written.
    package func draw(_ count: Int, for role: TrustRole) -> [Entry] {
        var entries: [Entry] = []
        var number = 1
        while entries.count < count {
            let name = "\(role.rawValue)-\(number)"
            if Files.look("\(path)/\(name).pem") == nil {
                entries.append(Entry(name: name, key: SigningKey()))
            }
            number += 1
        }
        return entries
    }

    /// Refuses a file or folder that others than its owner may read or change.
    private func demandPrivate(_ item: String, _ mode: String) throws {
        let real = URL(filePath: item).resolvingSymlinksInPath().path(percentEncoded: false)
        guard
            let found = try? FileManager.default.attributesOfItem(atPath: real),
            let permissions = found[.posixPermissions] as? Int
        else {
            throw PublishingError(
                .unreadable, "There are no keys in \(item). `underway trust init` makes some.")
        }
        guard permissions & 0o077 == 0 else {
            throw PublishingError(
                .keyPermissions,
                "\(item) can be read or changed by others. `chmod \(mode) \(item)` ends that; make new"
                    + " keys if somebody may have read it.")
        }
    }
}
