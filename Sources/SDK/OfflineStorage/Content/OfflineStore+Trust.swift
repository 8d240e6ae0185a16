package import ContentModel
import Foundation
import GRDB

extension OfflineStore {
    /// Returns the stored trust metadata, which must be verified at each use.
    ///
    /// - Throws: ``StoreError`` `storage`.
    package func storedTrust() throws -> StoredTrust {
        try database.read { database in
            var stored = StoredTrust()
            for row in try Row.fetchAll(
                database, sql: "SELECT role, file FROM trust ORDER BY role, version")
            {
                let file = [UInt8](row["file"] as Data)
                switch TrustRole(rawValue: row["role"]) {
                case .root?: stored.roots.append(file)
                case let role?: stored.files[role] = file
                case nil: continue
                }
            }
            return stored
        }
    }

    /// Saves the trusted metadata atomically.
    ///
    /// The files of another process that is ahead on this store remain. Roots of another lineage, and files that are no
    /// longer trusted, are discarded.
    /// - Throws: ``StoreError`` `storage`.
    package func save(_ trusted: TrustedMetadata) throws {
        try database.write { database in
            let isAhead = try Self.isAhead(of: trusted, in: database)
            guard !isAhead else { return }
            try database.execute(
                sql: "DELETE FROM trust WHERE role <> 'root' OR version > ?",
                arguments: [trusted.root.version])
            for role in TrustRole.allCases {
                guard let file = trusted.file(role) else { continue }
                try database.execute(
                    sql: "INSERT OR REPLACE INTO trust (role, version, file) VALUES (?, ?, ?)",
                    arguments: [role.rawValue, file.version, Data(file.bytes)])
            }
        }
    }

    /// True when the stored files are newer than those trusted here.
    private static func isAhead(
        of trusted: TrustedMetadata, in database: Database
    ) throws -> Bool {
        let (root, version) = (Data(trusted.root.bytes), trusted.root.version)
        let stored = try Data.fetchOne(
            database, sql: "SELECT file FROM trust WHERE role = 'root' AND version = ?",
            arguments: [version])
        guard stored == root else { return false }
        func highest(_ role: TrustRole) throws -> Int {
            try Int.fetchOne(
                database, sql: "SELECT MAX(version) FROM trust WHERE role = ?",
                arguments: [role.rawValue]) ?? 0
        }
        if try highest(.root) > version { return true }
        return try highest(.timestamp) > trusted.file(.timestamp)?.version ?? 0
            && trusted.file(.timestamp) != nil
    }

    /// Returns a stored document; `nil` if it is missing or damaged.
    ///
    /// - Throws: ``StoreError`` `storage`.
    package func storedDocument(_ checksum: Checksum) throws -> [UInt8]? {
        try database.read { database in
            let data = try Data.fetchOne(
                database, sql: "SELECT bytes FROM blob WHERE checksum = ?",
                arguments: [checksum.hex])
            return data.map { [UInt8]($0) }.flatMap { Checksum(of: $0) == checksum ? $0 : nil }
        }
    }

    /// Returns the trust metadata in the app's bundle, not verified; empty without any.
    package func bundledTrustFiles() -> [TrustRole: [UInt8]] {
        guard let bundle = bundled.bundle else { return [:] }
        var files: [TrustRole: [UInt8]] = [:]
        for role in TrustRole.allCases {
            // A bundle of a release that nobody signs has none.
            files[role] = try? bundle.read(ContentBundle.trustFile(role))
        }
        return files
    }
}

/// Trust metadata as a device stored them.
package struct StoredTrust: Sendable {
    /// The roots that were followed, the oldest first.
    package var roots: [[UInt8]] = []
    /// The file of each other role.
    package var files: [TrustRole: [UInt8]] = [:]

    package init() {}
}

extension ContentBundle {
    /// The path of a file of trust metadata in a bundle.
    package static func trustFile(_ role: TrustRole) -> String { "trust/\(role.rawValue).json" }
}
