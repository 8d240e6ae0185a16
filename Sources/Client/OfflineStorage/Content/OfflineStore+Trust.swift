package import ContentModel
import Foundation
import GRDB
import ServiceAPI

extension OfflineStore {
    /// Returns the stored files of trust metadata; they are verified each time that they are used.
    ///
    /// - Throws: ``StoreError`` `storage`.
    package func trustFiles() throws -> [TrustRole: [UInt8]] {
        try database.read { database in
            var files: [TrustRole: [UInt8]] = [:]
            for row in try Row.fetchAll(database, sql: "SELECT role, file FROM trust") {
                guard let role = TrustRole(rawValue: row["role"]) else { continue }
                files[role] = [UInt8](row["file"] as Data)
            }
            return files
        }
    }

    /// Saves what is trusted now, all or nothing; what is trusted no longer is forgotten.
    ///
    /// - Throws: ``StoreError`` `storage`.
    package func save(_ trusted: TrustedMetadata) throws {
        try database.write { database in
            for role in TrustRole.allCases {
                if let file = trusted.file(role) {
                    try database.execute(
                        sql: "INSERT OR REPLACE INTO trust (role, file) VALUES (?, ?)",
                        arguments: [role.rawValue, Data(file.bytes)])
                } else {
                    try database.execute(
                        sql: "DELETE FROM trust WHERE role = ?", arguments: [role.rawValue])
                }
            }
        }
    }

    /// Returns the trust metadata that the app's bundle brings, not verified; empty without any.
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

extension ContentBundle {
    /// The path of a file of trust metadata in a bundle.
    package static func trustFile(_ role: TrustRole) -> String { "trust/\(role.rawValue).json" }
}
