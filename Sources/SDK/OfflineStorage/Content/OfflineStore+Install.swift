package import ContentModel
package import Foundation
import GRDB

extension OfflineStore {
    /// Returns those of some checksums whose blobs are installed or staged.
    package func present(_ checksums: [Checksum]) throws -> Set<Checksum> {
        try database.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT 1 FROM blob WHERE checksum = ?")
            return Set(
                try checksums.filter { try Bool.fetchOne(statement, arguments: [$0.hex]) != nil })
        }
    }

    /// Stages a verified blob for a later generation, or in place of a damaged one.
    ///
    /// It is not visible before its generation is installed.
    package func stage(_ bytes: [UInt8], as checksum: Checksum) throws {
        try database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO blob (checksum, bytes) VALUES (?, ?)
                    ON CONFLICT (checksum) DO UPDATE SET bytes = excluded.bytes
                    """, arguments: [checksum.hex, Data(bytes)])
        }
    }

    /// Makes a staged release the current generation, in one transaction.
    ///
    /// Each document that no installed generation has is decoded first, by the SDK's decoder and
    /// then by the app's. A refused one is replaced by its predecessor and recorded
    /// (``refusedDocuments()``); this version of the app does not decode the same bytes again. The
    /// generation that was current becomes the last good one.
    ///
    /// `undelivered` has the reasons for missing documents: they are refused, and retried.
    /// - Throws: ``StoreError`` `vetoed` (the app's decoder threw ``ReleaseVetoError``; the release is banned then),
    ///   `banned` or `incomplete`; the current generation does not change.
    package func install(
        _ manifest: VerifiedManifest, source: ContentSource, now: Date,
        undelivered: [Checksum: String] = [:], decoder: @escaping ContentDecoder = { _, _ in }
    ) throws {
        let shown = try shownDocuments()
        let read = try manifest.released(naming: { kind, key in
            shown.contains(DocumentName(kind: kind, key: key))
        })
        let checksum = manifest.checksum
        if let reason = try banReason(checksum) {
            throw StoreError.refusal(.banned, because: reason)
        }
        defer { changes.send(()) }
        do {
            try database.write { database in
                var transaction = try Installation(
                    database: database, decoder: decoder, release: read.manifest.release, now: now)
                transaction.undelivered = undelivered
                try transaction.run(read, manifest, source: source)
            }
        } catch let error as StoreError where error.code == .vetoed {
            try ban(checksum, reason: error.message, now: now)
            throw StoreError.refusal(.vetoed, because: error.message, cause: error.cause)
        }
    }

    /// Returns the names of the documents of all generations.
    private func shownDocuments() throws -> Set<DocumentName> {
        try database.read { database in
            let rows = try Row.fetchCursor(database, sql: "SELECT DISTINCT kind, key FROM entry")
            var names: Set<DocumentName> = []
            while let row = try rows.next() {
                guard let kind = row.whole("kind").flatMap(EagerDocument.Kind.init),
                    let key: String = row.whole("key")
                else { continue }
                names.insert(DocumentName(kind: kind, key: key))
            }
            return names
        }
    }

    /// Removes blobs that no generation references, after an installation.
    package func removeOrphans() throws {
        try database.write { database in
            try database.execute(
                sql: "DELETE FROM blob WHERE checksum NOT IN (SELECT checksum FROM entry)")
        }
    }

    /// Verifies every blob of the current generation.
    ///
    /// - Returns: The checksums of damaged blobs.
    package func damagedBlobs() throws -> [Checksum] {
        try database.read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT DISTINCT blob.checksum, blob.bytes FROM entry
                    JOIN generation ON generation.id = entry.generation
                    JOIN blob ON blob.checksum = entry.checksum
                    WHERE generation.state = 'current'
                    """)
            var damaged: [Checksum] = []
            while let row = try rows.next() {
                let expected = Checksum(hex: row[0] as String)
                let bytes: Data = row[1]
                if let expected, Checksum(of: [UInt8](bytes)) != expected {
                    damaged.append(expected)
                }
            }
            return damaged
        }
    }

    /// Rebuilds the question rows of the current generation's blueprints from their blobs, which
    /// repairs rows that were damaged on the disk.
    package func refileQuestions() throws {
        let documents = try database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT entry.* FROM entry JOIN generation ON generation.id = entry.generation
                    WHERE generation.state = 'current' AND entry.kind IN ('blueprint', 'exam')
                    """)
        }.compactMap { EagerDocument(entry: $0) }
        for document in documents { try refile(document) }
    }

    // MARK: Bans

    /// Returns the reason of a release's ban; `nil` without one.
    package func banReason(_ manifestChecksum: Checksum) throws -> String? {
        try database.read { database in
            try String.fetchOne(
                database, sql: "SELECT reason FROM ban WHERE manifestChecksum = ?",
                arguments: [manifestChecksum.hex])
        }
    }

    func ban(_ manifestChecksum: Checksum, reason: String, now: Date) throws {
        try database.write { database in
            try Self.ban(manifestChecksum.hex, reason: reason, now: now, in: database)
        }
    }

    static func ban(_ hex: String, reason: String, now: Date, in database: Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO ban VALUES (?, ?, ?)",
            arguments: [hex, reason, now.timeIntervalSince1970])
    }
}

/// A document by its name.
private struct DocumentName: Hashable {
    let kind: EagerDocument.Kind
    let key: String
}

/// The steps of one installation, inside its transaction.
private struct Installation {
    let database: Database
    let decoder: ContentDecoder
    let release: Int
    let now: Date
    let indexing: DocumentIndexing
    /// The documents that this version of the app refused before.
    let refusedBefore: [DocumentBytes: RefusedDocument]
    var refused: [RefusedDocument] = []
    /// The reasons for missing documents.
    var undelivered: [Checksum: String] = [:]

    init(database: Database, decoder: @escaping ContentDecoder, release: Int, now: Date) throws {
        self.database = database
        self.decoder = decoder
        self.release = release
        self.now = now
        indexing = DocumentIndexing(database: database)
        let before = try Row.fetchAll(database, sql: "SELECT * FROM refusal")
            .compactMap(OfflineStore.refusal)
        refusedBefore = Dictionary(
            before.compactMap { refusal in DocumentBytes(refusal).map { ($0, refusal) } },
            uniquingKeysWith: { first, _ in first })
    }

    mutating func run(
        _ read: ReleasedManifest, _ manifest: VerifiedManifest, source: ContentSource
    ) throws {
        var entries: [EagerDocument] = []
        for document in read.manifest.eagerDocuments {
            if try accept(document) { entries.append(document) }
        }
        for entry in read.unread {
            refuse(entry.kind, entry.key, nil, because: entry.problem.summary)
        }
        // Before the generations change places.
        let refusals = try refused.map { ($0, try predecessor(of: $0)) }
        // Installing the current release again keeps its id: this is how a repair ends.
        let sameID = try Int64.fetchOne(
            database, sql: "SELECT id FROM generation WHERE manifestChecksum = ?",
            arguments: [manifest.checksum.hex])
        try demoteCurrent(except: sameID)
        let id = try insert(
            sameID, read.manifest, manifest.bytes, checksum: manifest.checksum, source: source,
            now: now)
        let shown = refusals.compactMap { refusal, predecessor in
            predecessor?.document(for: refusal)
        }
        try write(entries + shown, of: id)
        try write(refusals, unlistedCount: read.unlistedCount, of: id)
    }

    /// Decodes a document unless an installed generation has it, and indexes its questions.
    ///
    /// - Returns: False when it is refused.
    private mutating func accept(_ document: EagerDocument) throws -> Bool {
        let isKnown = try Bool.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM entry WHERE checksum = ? AND kind = ? AND key = ? LIMIT 1"),
            arguments: [document.checksum.hex, document.kind.rawValue, document.key])
        let isBlueprint = document.kind == .blueprint || document.kind == .exam
        if isKnown != nil, try !isBlueprint || hasQuestions(document) { return true }
        let before = refusedBefore[DocumentBytes(document)]
        let bytes = try before?.isTriedAgain == false ? nil : indexing.blob(document.checksum)
        if bytes == nil, let reason = undelivered[document.checksum] {
            refuse(
                document.kind, document.key, document.checksum, because: reason, isTriedAgain: true)
            return false
        }
        if let before, bytes == nil {
            refused.append(before)
            return false
        }
        guard let bytes else {
            throw StoreError(
                .incomplete,
                "Release \(release) is not complete: \(document.kind) "
                    + "\"\(document.key)\" is missing. Sync again.")
        }
        return try judge(document, bytes)
    }

    private func hasQuestions(_ document: EagerDocument) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM question WHERE blueprint = ? LIMIT 1"),
            arguments: [document.checksum.hex]) != nil
    }

    private mutating func judge(_ document: EagerDocument, _ bytes: [UInt8]) throws -> Bool {
        let read: ReleasedDocument
        do {
            read = try ReleaseReader.document(document, bytes)
            try decoder(document, bytes)
        } catch let veto as ReleaseVetoError {
            throw StoreError(
                .vetoed,
                "Release \(release) was refused because of \(document.kind) "
                    + "\"\(document.key)\": \(veto)", cause: veto)
        } catch {
            refuse(document.kind, document.key, document.checksum, because: "\(error)")
            return false
        }
        try indexing.index(read, of: document.checksum)
        return true
    }

    private mutating func refuse(
        _ kind: EagerDocument.Kind?, _ key: String, _ checksum: Checksum?, because reason: String,
        isTriedAgain: Bool = false
    ) {
        refused.append(
            RefusedDocument(
                kind: kind, key: Self.bounded(key), checksum: checksum, release: release,
                reason: reason.clipped(to: 500), refusedAt: now, isTriedAgain: isTriedAgain))
    }

    /// Shortens a name that is too long for a document; it then ends with digits of its checksum, since long names may
    /// begin alike.
    ///
    /// A valid name is not shortened, since the predecessor is found by it.
    private static func bounded(_ key: String) -> String {
        guard key.utf8.count > keyBytesMax else { return key }
        return key.clipped(to: keyBytesMax - 9) + " " + Checksum(of: Array(key.utf8)).hex.prefix(8)
    }

    private static let keyBytesMax = ContentPath.bytesMax

    // MARK: Predecessors of refused documents

    private struct Predecessor {
        let checksum: Checksum
        let release: Int
        let source: String
        let installedAt: TimeInterval

        func document(for refusal: RefusedDocument) -> EagerDocument? {
            refusal.kind.map {
                EagerDocument(kind: $0, key: refusal.key, checksum: checksum, size: nil)
            }
        }
    }

    /// Returns the document of that name in the installed generations, with the release that it came from.
    private func predecessor(of refusal: RefusedDocument) throws -> Predecessor? {
        guard let kind = refusal.kind else { return nil }
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT entry.checksum, ifnull(shownRelease, generation.release) AS release,
                        ifnull(shownSource, source) AS source,
                        ifnull(shownInstalledAt, installedAt) AS installedAt
                    FROM generation JOIN entry ON entry.generation = generation.id
                    LEFT JOIN refusal ON refusal.generation = generation.id
                        AND refusal.kind = entry.kind AND refusal.key = entry.key
                    WHERE entry.kind = ? AND entry.key = ?
                    ORDER BY generation.state = 'lastGood' LIMIT 1
                    """), arguments: [kind.rawValue, refusal.key])
        guard let row, let hex: String = row.whole("checksum"), let checksum = Checksum(hex: hex),
            let release: Int = row.whole("release"), let source: String = row.whole("source"),
            let installedAt: Double = row.whole("installedAt")
        else { return nil }
        return Predecessor(
            checksum: checksum, release: release, source: source, installedAt: installedAt)
    }

    // MARK: Writing

    private func write(_ documents: [EagerDocument], of id: Int64) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO entry (generation, kind, key, checksum) VALUES (?, ?, ?, ?)
                """)
        for document in documents {
            try statement.execute(arguments: [
                id, document.kind.rawValue, document.key, document.checksum.hex,
            ])
        }
    }

    private func write(
        _ refusals: [(RefusedDocument, Predecessor?)], unlistedCount: Int, of id: Int64
    ) throws {
        var unlistedCount = unlistedCount
        try database.execute(sql: "DELETE FROM refusal WHERE generation = ?", arguments: [id])
        let statement = try database.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO refusal (
                    generation, kind, key, checksum, release, reason, refusedAt, isTriedAgain,
                    shownRelease, shownSource, shownInstalledAt
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        for (refusal, shown) in refusals {
            try statement.execute(arguments: [
                id, refusal.kind?.rawValue ?? "files", refusal.key, refusal.checksum?.hex,
                refusal.release, refusal.reason, refusal.refusedAt.timeIntervalSince1970,
                refusal.isTriedAgain, shown?.release, shown?.source, shown?.installedAt,
            ])
            // The files of several lists of one name are refused once.
            if database.changesCount == 0 { unlistedCount += 1 }
        }
        try database.execute(
            sql: "UPDATE generation SET unlistedRefusals = ? WHERE id = ?",
            arguments: [unlistedCount, id])
    }

    /// Moves the current generation to the place of the last good one.
    private func demoteCurrent(except sameID: Int64?) throws {
        let currentID = try Int64.fetchOne(
            database, sql: "SELECT id FROM generation WHERE state = 'current'")
        guard currentID != sameID || sameID == nil else { return }
        try database.execute(
            sql: "DELETE FROM generation WHERE state = 'lastGood' AND id IS NOT ?",
            arguments: [sameID])
        if let sameID {
            // An older generation comes back: the two change places.
            try database.execute(
                sql: "DELETE FROM generation WHERE id = ?", arguments: [sameID])
        }
        try database.execute(
            sql: "UPDATE generation SET state = 'lastGood' WHERE state = 'current'")
    }

    private func insert(
        _ sameID: Int64?, _ manifest: Manifest, _ manifestBytes: [UInt8], checksum: Checksum,
        source: ContentSource, now: Date
    ) throws -> Int64 {
        let isCurrent = try Bool.fetchOne(
            database, sql: "SELECT 1 FROM generation WHERE id IS ? AND state = 'current'",
            arguments: [sameID])
        if let sameID, isCurrent != nil { return sameID }
        try database.execute(
            sql: """
                INSERT INTO generation
                    (release, manifestChecksum, manifest, source, state, installedAt)
                VALUES (?, ?, ?, ?, 'current', ?)
                """,
            arguments: [
                manifest.release, checksum.hex, Data(manifestBytes), source.rawValue,
                now.timeIntervalSince1970,
            ])
        return database.lastInsertedRowID
    }
}
