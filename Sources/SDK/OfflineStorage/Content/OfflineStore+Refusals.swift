public import ContentModel
import Foundation
import GRDB

/// The parts of the installed release that this version of the app cannot read.
extension OfflineStore {
    /// Returns the documents of the current release that were refused, by kind and name: the first
    /// `ContentLimits.unreadEntriesListed`.
    ///
    /// The device is up to date only when there are none.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func refusedDocuments() throws -> [RefusedDocument] {
        Array(try namedRefusals().prefix(ContentLimits.unreadEntriesListed))
    }

    /// Returns the number of all documents of the current release that were refused.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func refusedDocumentCount() throws -> Int {
        let namedCount = try database.read { database in
            try Int.fetchOne(
                database,
                sql: """
                    SELECT count(*) FROM refusal
                    JOIN generation ON generation.id = refusal.generation
                    WHERE generation.state = 'current'
                    """)
        }
        return (namedCount ?? 0) + (try unlistedRefusalCount())
    }

    /// Returns the refused documents that are recorded by name: those whose bytes were decoded, those with a
    /// predecessor, and the first of the entries of the manifest that cannot be read.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    package func namedRefusals() throws -> [RefusedDocument] {
        try database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT refusal.* FROM refusal
                    JOIN generation ON generation.id = refusal.generation
                    WHERE generation.state = 'current' ORDER BY kind, key
                    """
            ).compactMap(Self.refusal)
        }
    }

    /// Returns the documents of the current generation that are shown without some of their parts.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
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
            guard let kind = row.whole("kind").flatMap(EagerDocument.Kind.init),
                let key: String = row.whole("key"), let count: Int = row.whole("leftOutCount"),
                let reason: String = row.whole("reason")
            else { return nil }
            return PartialDocument(kind: kind, key: key, leftOutCount: count, reason: reason)
        }
    }

    /// Returns documents without those that this version of the app has refused before, so that the same
    /// bytes are not fetched again.
    package func withoutRefused(_ documents: [EagerDocument]) throws -> [EagerDocument] {
        let refused = Set(
            try namedRefusals().filter { !$0.isTriedAgain }.compactMap(DocumentBytes.init))
        return refused.isEmpty
            ? documents : documents.filter { !refused.contains(DocumentBytes($0)) }
    }

    /// Returns the freshness of a document, given that of its generation or bundle.
    ///
    /// A refused document's predecessor is of an older release. Damage to these rows must not hide the
    /// document itself. The checksum is that of the generation's entry; `nil` for a document
    /// of the bundle.
    func described(
        _ freshness: ContentFreshness, _ kind: EagerDocument.Kind, _ key: String,
        entry checksum: String?
    ) -> ContentFreshness {
        var described = freshness
        let rows = (try? refusals(of: kind, key)) ?? []
        described.refused = rows.first { $0.state == "current" }?.document
        if let checksum {
            described.leftOutCount = (try? leftOutCount(checksum)) ?? 0
            let state = freshness.isFallback ? "lastGood" : "current"
            if let shown = rows.first(where: { $0.state == state })?.shown {
                described.release = shown.release
                described.source = shown.source
                described.installedAt = shown.installedAt
            }
        }
        described.isFallback = freshness.isFallback || described.refused != nil
        return described
    }

    /// Returns the reason of a document's refusal as a sentence; empty if it was not refused.
    func refusalText(_ kind: EagerDocument.Kind, _ key: String) -> String {
        // Without these notes it is only missing.
        let refused = (try? refusals(of: kind, key))?.first { $0.state == "current" }?.document
        if let refused {
            return refused.isTriedAgain
                ? " It is not here yet; sync again: \(refused)"
                : " Update the app: this version cannot read the \(refused)"
        }
        let unlisted = (try? unlistedRefusalCount()) ?? 0
        guard unlisted > 0 else { return "" }
        return
            " It may be one of \(unlisted) further entries that this version of the app cannot read. Update"
            + " the app."
    }

    private func unlistedRefusalCount() throws -> Int {
        try database.read { database in
            try Int.fetchOne(
                database, sql: "SELECT unlistedRefusals FROM generation WHERE state = 'current'")
        } ?? 0
    }

    private typealias Noted = (
        state: String, document: RefusedDocument?, shown: ContentFreshness?
    )

    private func refusals(of kind: EagerDocument.Kind, _ key: String) throws -> [Noted] {
        try database.read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT generation.state, refusal.* FROM generation
                        JOIN refusal ON refusal.generation = generation.id
                        WHERE refusal.kind = ? AND refusal.key = ?
                        """), arguments: [kind.rawValue, key])
        }.map { ($0.whole("state") ?? "", Self.refusal($0), Self.shown($0)) }
    }

    private static func shown(_ row: Row) -> ContentFreshness? {
        guard let release: Int = row.whole("shownRelease"),
            let source = row.whole("shownSource").flatMap(ContentSource.init),
            let installedAt: Double = row.whole("shownInstalledAt")
        else { return nil }
        return ContentFreshness(
            source: source, release: release,
            installedAt: Date(timeIntervalSince1970: installedAt))
    }

    private func leftOutCount(_ checksum: String) throws -> Int {
        try database.read { database in
            try Row.fetchOne(
                database.cachedStatement(
                    sql: "SELECT leftOutCount FROM omission WHERE checksum = ?"),
                arguments: [checksum])
        }?.whole("leftOutCount") ?? 0
    }

    /// Returns the refusal of a row; `nil` for a damaged one.
    static func refusal(_ row: Row) -> RefusedDocument? {
        guard let kind: String = row.whole("kind"), let key: String = row.whole("key"),
            let release: Int = row.whole("release"), let reason: String = row.whole("reason"),
            let refusedAt: Double = row.whole("refusedAt")
        else { return nil }
        return RefusedDocument(
            kind: EagerDocument.Kind(rawValue: kind), key: key,
            checksum: row.whole("checksum").flatMap { (hex: String) in Checksum(hex: hex) },
            release: release, reason: reason,
            refusedAt: Date(timeIntervalSince1970: refusedAt),
            shownRelease: row.whole("shownRelease"),
            isTriedAgain: row.whole("isTriedAgain") ?? true)
    }

    /// Decodes partial documents again, since another version of the app may read more of them.
    func rereadPartialDocuments() throws {
        let documents = try database.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT DISTINCT kind, key, checksum FROM entry JOIN omission USING (checksum)"
            )
        }.compactMap { EagerDocument(entry: $0) }
        for document in documents { try refile(document) }
    }

    /// Rebuilds a document's question rows from its blob; a damaged blob has no effect.
    func refile(_ document: EagerDocument) throws {
        try database.write { database in try DocumentIndexing(database: database).rebuild(document)
        }
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
    /// Reads a document from a row with `kind`, `key` and `checksum`.
    init?(entry row: Row) {
        guard let kind = row.whole("kind").flatMap(Kind.init),
            let key: String = row.whole("key"), let hex: String = row.whole("checksum"),
            let checksum = Checksum(hex: hex)
        else { return nil }
        self.init(kind: kind, key: key, checksum: checksum, size: nil)
    }
}

extension Row {
    /// Returns the value of a column; `nil` also where damage changed its type.
    func whole<Value: DatabaseValueConvertible>(_ column: String) -> Value? {
        Value.fromDatabaseValue(self[column])
    }
}
