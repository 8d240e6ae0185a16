public import Foundation
import OfflineStorage

#if canImport(Security)
import Security
#endif

/// Where a device keeps what nobody else may read: the keychain where there is one, else files.
public protocol SecretStore: Sendable {
    /// A secret; `nil` when there is none.
    ///
    /// - Throws: An error of the keychain or the file system.
    func secret(_ name: String) throws -> Data?
    /// Keeps a secret, or forgets it.
    ///
    /// - Throws: An error of the keychain or the file system; the former secret is there then.
    func set(_ name: String, _ secret: Data?) throws
}

/// Secrets in files that only their owner reads, in a folder that only its owner enters.
public struct FileSecretStore: SecretStore {
    private let folder: URL

    /// Opens a folder, making it if there is none.
    ///
    /// - Parameter folder: For secrets alone.
    /// - Throws: `StoreError` `storage`.
    public init(folder: URL) throws {
        self.folder = folder
        try inPlainWords { try PrivateFiles.makeFolder(folder) }
        PrivateFiles.tightenFolder(folder)
    }

    /// Reads a file.
    public func secret(_ name: String) throws -> Data? {
        let file = file(name)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return try inPlainWords { try Data(contentsOf: file) }
    }

    /// Writes a file beside the old one and puts it in its place.
    public func set(_ name: String, _ secret: Data?) throws {
        try inPlainWords { try write(secret, to: file(name)) }
    }

    private func write(_ secret: Data?, to file: URL) throws {
        let manager = FileManager.default
        guard let secret else {
            if manager.fileExists(atPath: file.path) { try manager.removeItem(at: file) }
            return
        }
        let new = file.appendingPathExtension(UUID().uuidString)
        // Private before the secret is in it.
        PrivateFiles.create(new)
        do {
            let handle = try FileHandle(forWritingTo: new)
            try handle.write(contentsOf: secret)
            // A refresh token that is lost to a power failure locks the device out.
            try handle.synchronize()
            try handle.close()
            guard rename(new.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            // The error of the write says more than one of tidying up.
            try? manager.removeItem(at: new)
            throw error
        }
    }

    /// Says of an error of the file system where it was and what to do.
    private func inPlainWords<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw StoreError(
                .storage,
                "\(folder.path) cannot be read or written. Make room, or let this user write there.",
                error)
        }
    }

    /// The name in hexadecimal, so that no name can leave the folder.
    private func file(_ name: String) -> URL {
        let hex = name.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        return folder.appending(path: hex.joined())
    }
}

#if canImport(Security)
/// Secrets in the keychain, readable after the first unlock so that background syncs work.
///
/// Compiled against declarations written from the documentation, never by Apple's own compiler.
public struct KeychainSecretStore: SecretStore {
    private let service: String

    /// Opens the keychain.
    ///
    /// - Parameter service: Such as the app's bundle identifier.
    public init(service: String) { self.service = service }

    private func query(_ name: String) -> [CFString: Any] {
        [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service,
            kSecAttrAccount: name,
        ]
    }

    /// Reads an item.
    public func secret(_ name: String) throws -> Data? {
        var query = query(name)
        query[kSecReturnData] = true
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess else { throw KeychainError(status: status) }
        return item as? Data
    }

    /// Adds, replaces or deletes an item.
    public func set(_ name: String, _ secret: Data?) throws {
        guard let secret else {
            let status = SecItemDelete(query(name) as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else {
                throw KeychainError(status: status)
            }
            return
        }
        let values: [CFString: Any] = [
            kSecValueData: secret,
            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        var status = SecItemUpdate(query(name) as CFDictionary, values as CFDictionary)
        if status == errSecItemNotFound {
            let item = query(name).merging(values) { $1 }
            status = SecItemAdd(item as CFDictionary, nil)
        }
        guard status == errSecSuccess else { throw KeychainError(status: status) }
    }
}

/// What the keychain said.
public struct KeychainError: Error, Sendable {
    /// Its status code, an `OSStatus`.
    public var status: Int32
}
#endif
