public import Foundation
import OfflineStorage

#if canImport(Security)
import Security
#endif

/// A storage of secrets: the keychain where there is one, else files.
///
/// ```swift
/// let secrets = try FileSecretStore(folder: URL.temporaryDirectory.appending(path: "secrets"))
/// try secrets.set("token", Data("abc".utf8))
/// print(try secrets.secret("token")?.count ?? 0)  // 3
/// ```
public protocol SecretStore: Sendable {
    /// Returns a secret; `nil` when there is none.
    ///
    /// - Throws: `KeychainError` or `StoreError`.
    func secret(_ name: String) throws -> Data?
    /// Saves a secret; removes it for `nil`.
    ///
    /// - Throws: `KeychainError` or `StoreError`; the previous secret remains then.
    func set(_ name: String, _ secret: Data?) throws
}

/// A storage in files that only their owner can read, in a folder that only its owner can enter.
///
/// ```swift
/// let folder = URL.temporaryDirectory.appending(path: "secrets")
/// let secrets: any SecretStore = try FileSecretStore(folder: folder)
/// print(try secrets.secret("token") == nil)
/// ```
public struct FileSecretStore: SecretStore {
    private let folder: URL

    /// Opens a folder, creating it if needed.
    ///
    /// - Parameter folder: A folder for secrets alone.
    /// - Throws: `StoreError` `storage`.
    public init(folder: URL) throws {
        self.folder = folder
        try reportingStoreErrors { try PrivateFiles.makeFolder(folder) }
        PrivateFiles.tightenFolder(folder)
    }

    /// Reads a file.
    public func secret(_ name: String) throws -> Data? {
        let file = file(name)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return try reportingStoreErrors { try Data(contentsOf: file) }
    }

    /// Writes a temporary file and renames it over the old one.
    public func set(_ name: String, _ secret: Data?) throws {
        try reportingStoreErrors { try write(secret, to: file(name)) }
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
            // The error of the write says more than one of the removal.
            try? manager.removeItem(at: new)
            throw error
        }
    }

    /// Converts an error of the file system to one that names its place and remedy.
    private func reportingStoreErrors<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw StoreError(
                .storage,
                "\(folder.path) cannot be read or written. Make room, or let this user write there.",
                cause: error)
        }
    }

    /// Returns the file of a name in hexadecimal, so that no name can leave the folder.
    private func file(_ name: String) -> URL {
        let hex = name.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        return folder.appending(path: hex.joined())
    }
}

#if canImport(Security)
/// A storage in the keychain, readable after the first unlock so that background syncs work.
///
/// It was compiled against declarations written from the documentation, never by Apple's own compiler.
///
/// ```swift
/// #if canImport(Security)
/// let secrets = KeychainSecretStore(service: "org.example.quiz")
/// print(try secrets.secret("token") == nil)
/// #endif
/// ```
public struct KeychainSecretStore: SecretStore {
    private let service: String

    /// Opens the keychain.
    ///
    /// - Parameter service: The name of the app's items, such as its bundle identifier.
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

/// A failure of the keychain.
///
/// ```swift
/// #if canImport(Security)
/// do {
///     _ = try KeychainSecretStore(service: "org.example.quiz").secret("token")
/// } catch let error as KeychainError where error.code == .locked {
///     print("Unlock the device once.")
/// }
/// #endif
/// ```
public struct KeychainError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// The kind of a failure: an open set, so a `switch` over it needs a `default`.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind, stable between versions.
        public let rawValue: String

        /// Creates a kind with a name; use the static members where one exists.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A device that was not unlocked since its start (`errSecInteractionNotAllowed`); retry after the unlock.
        public static let locked = Code(rawValue: "locked")
        /// An app without the entitlement of a keychain (`errSecMissingEntitlement`).
        public static let missingEntitlement = Code(rawValue: "missingEntitlement")
        /// Another failure; ``KeychainError/status`` has its number.
        public static let system = Code(rawValue: "system")
    }

    /// The keychain's own code, an `OSStatus`.
    public var status: Int32

    /// Creates a failure.
    public init(status: Int32) { self.status = status }

    /// The kind of failure.
    public var code: Code {
        switch status {
        case -25308: .locked
        case -34018: .missingEntitlement
        default: .system
        }
    }

    /// The failure and its remedy.
    public var message: String {
        switch code {
        case .locked:
            "The keychain is locked until the device is unlocked for the first time after its start."
                + " Unlock it and try again."
        case .missingEntitlement:
            "The app may not use the keychain. Add the entitlement for keychain access groups."
        default:
            "The keychain failed with status \(status). Try again, and restart the device if it stays."
        }
    }

    /// The message.
    public var description: String { message }

    /// The message, for an alert; translate by ``code``.
    public var errorDescription: String? { message }
}
#endif
