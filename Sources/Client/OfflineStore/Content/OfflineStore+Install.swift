public import ContentModel
public import Foundation
import GRDB

extension OfflineStore {
    /// The checksums, of those given, whose blobs are here.
    public func present(_ checksums: [Checksum]) throws -> Set<Checksum> {
        try database.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT 1 FROM blob WHERE checksum = ?")
            return Set(
                try checksums.filter { try Bool.fetchOne(statement, arguments: [$0.hex]) != nil })
        }
    }

    /// Keeps a verified blob for a generation to come, or in place of a damaged one.
    ///
    /// It is not visible before its generation is installed.
    public func stage(_ bytes: [UInt8], as checksum: Checksum) throws {
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
    /// Each document that no installed generation has is judged first, by our own decoder and
    /// then by the app's. The generation that was current becomes the last good one.
    /// - Throws: `StoreError` `vetoed` (the release is banned then), `banned` or `incomplete`;
    ///   the generation that was current stays.
    public func install(
        _ manifestBytes: [UInt8], source: ContentSource, now: Date,
        decoder: @escaping ContentDecoder = { _, _ in }
    ) throws {
        let manifest = try ReleaseReader.manifest(manifestBytes).manifest
        let checksum = Checksum(of: manifestBytes)
        if let reason = try banReason(checksum) { throw StoreError(.banned, reason) }
        do {
            try database.write { database in
                var transaction = Installation(
                    database: database, decoder: decoder, release: manifest.release)
                try transaction.run(
                    manifest, manifestBytes, checksum: checksum, source: source, now: now)
            }
        } catch let error as StoreError where error.code == .vetoed {
            try ban(checksum, reason: error.message, now: now)
            throw error
        }
    }

    /// Removes blobs that no generation names, after an installation.
    public func removeOrphans() throws {
        try database.write { database in
            try database.execute(
                sql: "DELETE FROM blob WHERE checksum NOT IN (SELECT checksum FROM entry)")
        }
    }

    /// Reads every blob of the current generation again.
    ///
    /// - Returns: The checksums of those whose bytes are no longer right.
    public func damagedBlobs() throws -> [Checksum] {
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

    /// Files the questions of the current generation's blueprints again from their blobs, so
    /// that rows damaged on the disk are mended.
    public func refileQuestions() throws {
        guard let manifest = try currentManifest()?.manifest else { return }
        let documents = manifest.eagerDocuments.filter {
            $0.kind == .blueprint || $0.kind == .exam
        }
        for document in documents {
            try database.write { database in
                let filing = Installation(
                    database: database, decoder: { _, _ in }, release: manifest.release)
                try filing.refile(document)
            }
        }
    }

    // MARK: Bans

    /// Why a release is not to be installed again; `nil` when it may be.
    public func banReason(_ manifestChecksum: Checksum) throws -> String? {
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

/// The steps of one installation, inside its transaction.
private struct Installation {
    let database: Database
    let decoder: ContentDecoder
    let release: Int

    mutating func run(
        _ manifest: Manifest, _ manifestBytes: [UInt8], checksum: Checksum, source: ContentSource,
        now: Date
    ) throws {
        let documents = manifest.eagerDocuments
        for document in documents { try accept(document) }
        // Installing the current release again keeps its id: this is how a repair ends.
        let sameID = try Int64.fetchOne(
            database, sql: "SELECT id FROM generation WHERE manifestChecksum = ?",
            arguments: [checksum.hex])
        try makeRoom(keeping: sameID)
        let id = try insert(
            sameID, manifest, manifestBytes, checksum: checksum, source: source, now: now)
        let statement = try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?)")
        for document in documents {
            try statement.execute(arguments: [
                id, document.kind.rawValue, document.key, document.checksum.hex,
            ])
        }
    }

    /// Judges a document unless an installed generation has it, and files its questions.
    private func accept(_ document: EagerDocument) throws {
        let isKnown = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM entry WHERE checksum = ? LIMIT 1"),
            arguments: [document.checksum.hex])
        let isBlueprint = document.kind == .blueprint || document.kind == .exam
        if isKnown != nil, try !isBlueprint || hasQuestions(document) { return }
        guard let data = try blob(document) else {
            throw StoreError(
                .incomplete,
                "Release \(release) is not complete: \(document.kind) "
                    + "\"\(document.key)\" is missing.")
        }
        let bytes = [UInt8](data)
        let blueprint = try judge(document, bytes)
        if let blueprint { try file(blueprint.questions, of: document.checksum) }
    }

    func refile(_ document: EagerDocument) throws {
        let stored = try Data.fetchAll(
            database, sql: "SELECT json FROM question WHERE blueprint = ? ORDER BY position",
            arguments: [document.checksum.hex])
        guard let data = try blob(document),
            let blueprint = try ReleaseReader.document(document, [UInt8](data)).blueprint
        else { return }
        guard stored != blueprint.questions.map({ Data($0.json.canonicalBytes) }) else { return }
        try file(blueprint.questions, of: document.checksum)
    }

    private func blob(_ document: EagerDocument) throws -> Data? {
        try Data.fetchOne(
            database.cachedStatement(sql: "SELECT bytes FROM blob WHERE checksum = ?"),
            arguments: [document.checksum.hex])
    }

    private func hasQuestions(_ document: EagerDocument) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM question WHERE blueprint = ? LIMIT 1"),
            arguments: [document.checksum.hex]) != nil
    }

    private func judge(_ document: EagerDocument, _ bytes: [UInt8]) throws -> Blueprint? {
        do {
            let blueprint = try ReleaseReader.document(document, bytes).blueprint
            try decoder(document, bytes)
            return blueprint
        } catch {
            throw StoreError(
                .vetoed,
                "Release \(release) was refused because of \(document.kind) "
                    + "\"\(document.key)\": \(error)")
        }
    }

    private func file(_ questions: [Question], of blueprint: Checksum) throws {
        try database.execute(
            sql: "DELETE FROM question WHERE blueprint = ?", arguments: [blueprint.hex])
        let statement = try database.cachedStatement(
            sql: "INSERT INTO question VALUES (?, ?, ?, ?, ?, ?)")
        for (position, question) in questions.enumerated() {
            try statement.execute(arguments: [
                blueprint.hex, position, question.id, question.domain, question.difficulty,
                Data(question.json.canonicalBytes),
            ])
        }
    }

    /// Moves the current generation to the place of the last good one.
    private func makeRoom(keeping sameID: Int64?) throws {
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
