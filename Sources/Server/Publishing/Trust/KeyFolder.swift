package import ContentModel
import Foundation

/// A folder of private keys, which only its owner can read, apart from published files.
///
/// Each key is a file `NAME.pem`; `NAME.pub.json` beside it is the public half.
package struct KeyFolder: Sendable {
    /// A key, and the name of its file without the extension.
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

    /// Creates a folder of keys at a path.
    package init(_ path: String) { self.path = path }

    /// Refuses a folder within a content folder or a release directory, where keys would be published.
    ///
    /// - Throws: `PublishingError` `invalidRequest`.
    private func checkApart(from folders: [String]) throws {
        let own = ReleasePlace.resolved(path)
        for folder in folders {
            let other = ReleasePlace.resolved(folder)
            guard ReleasePlace.holds(other, own) else { continue }
            throw PublishingError(
                .invalidRequest,
                "\(path) lies in \(folder), from which it could be published. Keep keys in a folder of"
                    + " their own, apart from content and releases.")
        }
    }

    /// Refuses a folder with keys: those of two beginnings could not be told apart.
    ///
    /// - Throws: `PublishingError` `invalidRequest`.
    func checkNone() throws {
        // A folder that is missing is made.
        let names = (try? Files.names(in: path)) ?? []
        guard let name = names.first(where: { $0.hasSuffix(".pem") }) else { return }
        throw PublishingError(
            .invalidRequest,
            "\(path) has keys already, such as \(name). Name a new folder; if these are of a `trust init` that"
                + " failed, remove them.")
    }

    /// Reads all keys, sorted by name.
    ///
    /// - Parameter folders: The folders that must not contain keys: content and release.
    /// - Returns: The keys, with the names of their files.
    /// - Throws: `PublishingError` `unreadable` for a missing folder or a file without a key, `keyPermissions` if
    ///   other users can read it, `invalidRequest` if it could be published.
    package func load(apart folders: [String]) throws -> [Entry] {
        try checkApart(from: folders)
        try Self.checkPrivate(path, .folder)
        let names = try Files.names(in: path).filter { $0.hasSuffix(".pem") }
        guard names.count <= Self.keysMax else {
            throw PublishingError(
                .unreadable, "\(path) has more than \(Self.keysMax) keys. Name another folder.")
        }
        return try names.map { name in
            Entry(name: String(name.dropLast(4)), key: try Self.key(at: path + "/" + name))
        }
    }

    /// Reads a single key from its file.
    ///
    /// - Parameters:
    ///   - file: The path of the file.
    ///   - folders: The folders that must not contain keys.
    /// - Returns: The key.
    /// - Throws: The errors of `load(apart:)`.
    package static func key(at file: String, apart folders: [String]) throws -> SigningKey {
        try KeyFolder(file).checkApart(from: folders)
        guard Files.look(file)?.kind == .file else {
            throw PublishingError(
                .unreadable, "There is no key in \(file). Name a file ROLE-xxxxxxxx.pem.")
        }
        return try key(at: file)
    }

    private static func key(at file: String) throws -> SigningKey {
        try checkPrivate(file, .file)
        let text = String(decoding: try Files.read(file, limit: keyBytesMax), as: UTF8.self)
        guard let key = SigningKey(pem: text) else {
            throw PublishingError(
                .unreadable,
                "\(file) is no Ed25519 key in PKCS#8 without a password. Move it elsewhere.")
        }
        return key
    }

    /// Writes the files of a new key, synced to disk.
    ///
    /// - Parameters:
    ///   - entry: The key.
    ///   - folders: The folders that must not contain keys.
    /// - Throws: `PublishingError` `invalidRequest` if a file of that name exists, `unwritable`.
    package func save(_ entry: Entry, apart folders: [String]) throws {
        try checkApart(from: folders)
        if Files.look(path) == nil {
            do {
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            } catch {
                throw PublishingError(.unwritable, "\(path) cannot be made: \(error).")
            }
        }
        try Self.checkPrivate(path, .folder)
        // A command that was killed may have left a key under a name that nothing reads.
        Files.removeTemporaries(in: path)
        let file = "\(path)/\(entry.name).pem"
        guard Files.look(file) == nil else {
            throw PublishingError(
                .invalidRequest, "\(file) exists, and keys are never replaced. Name another folder."
            )
        }
        try Files.replace(file, Array(entry.key.pem.utf8), mode: 0o600)
        try Files.replace(
            "\(path)/\(entry.name).pub.json", entry.key.publicKey.canonicalBytes)
        for item in [file, path, path + "/.."] { try Files.sync(item) }
    }

    /// Generates a key with a unique name: the role and the first digits of its id.
    ///
    /// It writes nothing.
    package static func draw(for role: TrustRole) -> Entry {
        let key = SigningKey()
        return Entry(name: "\(role.rawValue)-\(key.id.prefix(8))", key: key)
    }

    /// Refuses a file or folder of another kind, and one that others than its owner may read or change.
    private static func checkPrivate(_ item: String, _ kind: FileKind) throws {
        guard let found = Files.access(item), found.kind == kind else {
            throw PublishingError(
                .unreadable,
                kind == .folder
                    ? "There is no folder of keys \(item). Name the one that `underway trust init` made."
                    : "\(item) is no file. Move it elsewhere.")
        }
        guard found.permissions & 0o077 == 0 else {
            let mode = kind == .folder ? 700 : 600
            throw PublishingError(
                .keyPermissions,
                "\(item) can be read or changed by others. `chmod \(mode) \(item)` ends that; make new"
                    + " keys if somebody may have read it.")
        }
    }
}
