package import Crypto
package import Foundation
import Tables

/// The server's secret, in a file that only its owner can read.
///
/// It is stored apart from the database. A restored backup therefore never replaces the key, and later tokens still
/// prove themselves.
package enum ServerKey {
    private static let bytesCount = 32

    /// Reads the key, or creates it if it is missing.
    ///
    /// - Throws: `SetupError` if the file is unreadable or contains no key, or an error of the file system. An
    ///   existing file is never replaced, since that would end the sessions of all devices.
    package static func read(in folder: URL) throws -> SymmetricKey {
        let file = folder.appending(path: "token-key")
        guard FileManager.default.fileExists(atPath: file.path) else { return try make(file) }
        guard let bytes = try? Data(contentsOf: file) else {
            throw SetupError(
                path: file.path,
                "\(file.path) cannot be read. Let the server's user own it.")
        }
        guard bytes.count == bytesCount else {
            throw SetupError(
                path: file.path,
                "\(file.path) is not the key of the tokens: it has \(bytes.count) bytes, not"
                    + " \(bytesCount). Put it back from your backup. Without one, move it away: the server"
                    + " makes a new key, and devices stay signed in. After a later restore of the database,"
                    + " sessions that the backup lacks are lost, and anonymous users lose their accounts."
            )
        }
        return SymmetricKey(data: bytes)
    }

    /// Returns a text that identifies the key and reveals nothing of it (RFC 5869).
    package static func print(of key: SymmetricKey) -> String {
        let bytes = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, info: Data("underway key print".utf8), outputByteCount: 16)
        return bytes.withUnsafeBytes { Base64URL.text(Data($0)) }
    }

    private static func make(_ file: URL) throws -> SymmetricKey {
        let key = SymmetricKey(size: .bits256)
        try DurableFile.replace(file, with: key.withUnsafeBytes { Data($0) })
        return key
    }
}

/// Small files that only their owner can read, synced to disk on return.
package enum DurableFile {
    /// Writes a file beside the old one, syncs it, and renames it into place.
    ///
    /// - Throws: An error of the file system; the old file is then unchanged.
    package static func replace(_ file: URL, with bytes: Data) throws {
        let new = file.appendingPathExtension("new")
        guard
            FileManager.default.createFile(
                atPath: new.path, contents: bytes, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteNoPermission) }
        let handle = try FileHandle(forWritingTo: new)
        try handle.synchronize()
        try handle.close()
        guard rename(new.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        try synchronizeFolder(of: file)
    }

    /// Syncs the folder of a file, and with it the file's name.
    package static func synchronizeFolder(of file: URL) throws {
        let descriptor = open(file.deletingLastPathComponent().path, O_RDONLY)
        guard descriptor >= 0 else { throw CocoaError(.fileReadNoPermission) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}
