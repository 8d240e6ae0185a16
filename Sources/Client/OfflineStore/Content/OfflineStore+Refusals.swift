public import ContentModel
import Foundation
import GRDB

/// What of the installed release this version of the app cannot read.
extension OfflineStore {
    /// The documents of the current generation's release that were refused, by kind and name.
    ///
    /// While there are any, the device is not up to date.
    /// - Throws: `DatabaseError`.
    public func refusedDocuments() throws -> [RefusedDocument] {
        try database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT refusal.* FROM refusal
                    JOIN generation ON generation.id = refusal.generation
                    WHERE generation.state = 'current' ORDER BY kind, key
                    """
            ).map(Self.refusal)
        }
    }

    /// The documents of the current generation that are shown without some of their parts.
    ///
    /// - Throws: `DatabaseError`.
    public func partialDocuments() throws -> [PartialDocument] {
        try database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT entry.kind, entry.key, leftOutCount, reason FROM omission
                    JOIN entry ON entry.checksum = omission.checksum
                    JOIN generation ON generation.id = entry.generation
                    WHERE generation.state = 'current' ORDER BY entry.kind, entry.key
                    """)
        }.compactMap { row in
            EagerDocument.Kind(rawValue: row["kind"]).map {
                PartialDocument(
                    kind: $0, key: row["key"], leftOutCount: row["leftOutCount"],
                    reason: row["reason"])
            }
        }
    }

    /// Leaves out the documents that this version of the app has refused before, so that the same
    /// bytes are not fetched again.
    package func withoutRefused(_ documents: [EagerDocument]) throws -> [EagerDocument] {
        let refused = Set(
            try refusedDocuments().filter { !$0.isTriedAgain }.compactMap(DocumentBytes.init))
        return refused.isEmpty
            ? documents : documents.filter { !refused.contains(DocumentBytes($0)) }
    }

    /// Why the newest release's document of that name is not shown; `nil` when it is, or there is none.
    func refusal(of kind: EagerDocument.Kind, _ key: String) throws -> RefusedDocument? {
        try database.read { database in
            try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT refusal.* FROM refusal
                        JOIN generation ON generation.id = refusal.generation
                        WHERE generation.state = 'current' AND kind = ? AND key = ?
                        """), arguments: [kind.rawValue, key])
        }.map(Self.refusal)
    }

    static func refusal(_ row: Row) -> RefusedDocument {
        RefusedDocument(
            kind: EagerDocument.Kind(rawValue: row["kind"]), key: row["key"],
            checksum: (row["checksum"] as String?).flatMap(Checksum.init(hex:)),
            release: row["release"], reason: row["reason"],
            refusedAt: Date(timeIntervalSince1970: row["refusedAt"]),
            shownRelease: row["shownRelease"], isTriedAgain: row["isTriedAgain"])
    }

    /// Reads again what was left out before, since another version of the app may know it.
    func rereadPartialDocuments() throws {
        let documents = try database.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT DISTINCT kind, key, checksum FROM entry JOIN omission USING (checksum)"
            )
        }.compactMap { EagerDocument(entry: $0) }
        for document in documents { try refile(document) }
    }

    /// Files a document's questions again from its blob; a damaged blob changes nothing.
    func refile(_ document: EagerDocument) throws {
        try database.write { database in try DocumentFiling(database: database).refile(document) }
    }
}

/// A document by its name and bytes.
struct DocumentBytes: Hashable {
    let kind: EagerDocument.Kind
    let key: String
    let checksum: Checksum

    init(_ document: EagerDocument) {
        (kind, key, checksum) = (document.kind, document.key, document.checksum)
    }

    init?(_ refused: RefusedDocument) {
        guard let kind = refused.kind, let checksum = refused.checksum else { return nil }
        (self.kind, key, self.checksum) = (kind, refused.key, checksum)
    }
}

extension EagerDocument {
    /// The document of a row with `kind`, `key` and `checksum`.
    init?(entry row: Row) {
        guard let kind = Kind(rawValue: row["kind"]),
            let checksum = Checksum(hex: row["checksum"] as String)
        else { return nil }
        self.init(kind: kind, key: row["key"], checksum: checksum, size: nil)
    }
}
