public import ContentModel
import Foundation
import GRDB

extension OfflineStore {
    static func damaged(_ what: String) -> StoreError {
        StoreError(.damaged, "\(what) is damaged. The next sync repairs it.")
    }

    /// Returns the manifest of the current generation, or that of the bundle when nothing is installed.
    ///
    /// - Throws: ``StoreError`` `notFound` when there is neither.
    public func manifest() throws -> Fresh<Manifest> {
        do {
            if !bundled.isFirst, let manifest = try currentManifest()?.manifest,
                let freshness = try currentGeneration()?.freshness
            {
                return Fresh(manifest, freshness)
            }
        } catch {
            throw Self.storeError(error, of: "manifest")
        }
        if let bundled = bundled.manifest() { return bundled }
        throw missing("content")
    }

    /// Returns the questions that a filter selects, in the author's order, by one query of the index.
    ///
    /// The first query of a bank in a process compares its rows with the verified document. If they differ, the store
    /// reads the document instead.
    /// - Throws: ``StoreError`` `notFound` when no source has that bank; `vetoed` when this version cannot read it:
    ///   offer an update of the app; `badBundle` or `damaged` when all sources are damaged: sync; `storage`.
    public func questions(_ filter: QuestionFilter) throws -> Fresh<[Question]> {
        let (kind, key) = Self.entry(of: filter.bank)
        return try answer(
            kind, key,
            installed: { database, checksum in
                if verifiedBanks.contains(checksum) {
                    return try Self.rows(filter, of: checksum, in: database)
                }
                let bytes = try document(checksum, in: database)
                let all = try ReleaseReader.blueprint(bytes).value.questions
                compareRows(of: checksum, with: all, in: database)
                return all.filter(filter.admits)
            },
            bundled: { try ReleaseReader.blueprint($0).value.questions.filter(filter.admits) })
    }

    private static func rows(
        _ filter: QuestionFilter, of checksum: Checksum, in database: Database
    ) throws -> [Question] {
        let rows = try Data.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT json FROM question
                    WHERE blueprint = ?1 AND (?2 IS NULL OR difficulty = ?2)
                        AND (?3 IS NULL OR domain = ?3)
                    ORDER BY position
                    """),
            arguments: [checksum.hex, filter.difficulty, filter.domain])
        return try rows.map { try question([UInt8]($0)) }
    }

    /// Marks the index as verified if its rows equal the document's questions.
    private func compareRows(
        of checksum: Checksum, with questions: [Question], in database: Database
    ) {
        let sql = """
            SELECT json, domain, difficulty FROM question WHERE blueprint = ? ORDER BY position
            """
        do {
            let rows = try Row.fetchAll(database, sql: sql, arguments: [checksum.hex])
                .map { Array($0.databaseValues) }
            // Rows that were not filed yet are no damage.
            guard !rows.isEmpty else { return }
            let expected = questions.map { question in
                [
                    Data(question.json.canonicalBytes).databaseValue,
                    question.domain.databaseValue, question.difficulty.databaseValue,
                ]
            }
            rows == expected ? verifiedBanks.insert(checksum) : repair.raise()
        } catch {
            repair.raise()
        }
    }

    private static func entry(of bank: QuestionFilter.Bank) -> (EagerDocument.Kind, String) {
        switch bank {
        case .placement(let language): (.blueprint, language)
        case .exam(let region, let exam): (.exam, "\(region)/\(exam)")
        }
    }

    private static func question(_ bytes: [UInt8]) throws -> Question {
        let report = DecodingReport(file: "question", strictness: .released)
        let node = try JSONParser.parse(bytes)
        return try report.result(Question.read(node, report: report))
    }

    /// Returns a whole bank with its scoring.
    ///
    /// - Throws: See ``questions(_:)``.
    public func blueprint(_ bank: QuestionFilter.Bank) throws -> Fresh<Blueprint> {
        let (kind, key) = Self.entry(of: bank)
        let decode = { (checksum: Checksum, bytes: [UInt8]) in
            let blueprint = try decodedBanks.blueprint(checksum, bytes) {
                try ReleaseReader.blueprint($0).value
            }
            guard blueprint.id == key else { throw Self.damaged("The entry of \(key)") }
            return blueprint
        }
        return try answer(
            kind, key,
            installed: { try decode($1, document($1, in: $0)) },
            bundled: { try decode(Checksum(of: $0), $0) })
    }

    /// Returns a bank with the checksum of its document, unless that is the one of a checksum.
    ///
    /// - Returns: `nil` for the same document, and for a bank that cannot be shown. The checksum is `nil` if another
    ///   document replaces a damaged one.
    /// - Throws: ``StoreError`` `storage`.
    func changedBlueprint(
        _ bank: QuestionFilter.Bank, since known: String?
    ) throws -> (blueprint: Blueprint, document: String?)? {
        let (kind, key) = Self.entry(of: bank)
        do {
            let document = try answer(
                kind, key, installed: { $1.hex }, bundled: { Checksum(of: $0).hex }
            ).value
            guard document != known else { return nil }
            let found = try blueprint(bank)
            return (found.value, found.freshness.isFallback ? nil : document)
        } catch let error as StoreError where error.code != .storage {
            return nil
        }
    }

    /// Returns the texts of the user interface in a language.
    ///
    /// - Throws: See ``questions(_:)``.
    public func localization(language: String) throws -> Fresh<Localization> {
        try answer(.localization, language) { try ReleaseReader.localization($0).value }
    }

    /// Returns the bytes of an asset of the class `eager`.
    ///
    /// - Throws: See ``questions(_:)``.
    public func asset(_ path: String) throws -> Fresh<[UInt8]> {
        try answer(.asset, path) { $0 }
    }

    /// Returns all announcements; ``AnnouncementCenter`` chooses among them.
    ///
    /// - Throws: See ``questions(_:)``.
    public func announcements() throws -> Fresh<[Announcement]> {
        try answer(.announcements, "") { try ReleaseReader.announcements($0).value }
    }

    // MARK: The release before

    /// Returns a bank as the previously installed release had it; `nil` when that release did not have the bank, or
    /// this device does not have the release.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func formerBlueprint(_ bank: QuestionFilter.Bank) throws -> Blueprint? {
        let (kind, key) = Self.entry(of: bank)
        return try readInstalled(kind, key, .lastGood) { database, checksum in
            try ReleaseReader.blueprint(document(checksum, in: database)).value
        }?.value.value
    }

    // MARK: Sources

    private func answer<Value: Sendable>(
        _ kind: EagerDocument.Kind, _ key: String, _ decode: @escaping ([UInt8]) throws -> Value
    ) throws -> Fresh<Value> {
        try answer(
            kind, key,
            installed: { database, checksum in
                try decode(document(checksum, in: database))
            }, bundled: decode)
    }

    /// A document of a source, with the checksum of the generation's entry.
    private struct Found<Value: Sendable> {
        var value: Fresh<Value>
        var entry: String?
    }

    /// Reads a document from the current generation, else the last good one, else the bundle.
    private func answer<Value: Sendable>(
        _ kind: EagerDocument.Kind, _ key: String,
        installed: @escaping (Database, Checksum) throws -> Value,
        bundled decode: @escaping ([UInt8]) throws -> Value
    ) throws -> Fresh<Value> {
        let generations = GenerationState.allCases.map { state in
            { try readInstalled(kind, key, state, installed) }
        }
        let bundle = {
            try bundled.place(of: kind, key).map { place -> Found<Value> in
                let value = try decode(place.bundle.object(place.checksum))
                return Found(value: Fresh(value, place.freshness), entry: nil)
            }
        }
        var failure: (any Error)?
        for source in bundled.isFirst ? [bundle] + generations : generations + [bundle] {
            do {
                guard let found = try source() else { continue }
                var freshness = described(found.value.freshness, kind, key, entry: found.entry)
                freshness.isFallback = freshness.isFallback || failure != nil
                return Fresh(found.value.value, freshness)
            } catch {
                failure = failure ?? error
            }
        }
        guard let failure else {
            throw missing("\(kind) \"\(key)\"", because: refusalText(kind, key))
        }
        throw Self.storeError(failure, of: "\(kind) \"\(key)\"")
    }

    /// Wraps an error of a reader of documents, whose bytes are verified but unreadable for this version.
    private static func storeError(_ error: any Error, of document: String) -> StoreError {
        error as? StoreError
            ?? StoreError(
                .vetoed,
                "This version of the app cannot read the \(document). Update the app, or sync.",
                cause: error)
    }

    /// Reads a document of a generation in one transaction; `nil` when it has none.
    private func readInstalled<Value: Sendable>(
        _ kind: EagerDocument.Kind, _ key: String, _ state: GenerationState,
        _ read: (Database, Checksum) throws -> Value
    ) throws -> Found<Value>? {
        do {
            return try database.read { database in
                let row = try Row.fetchOne(
                    database.cachedStatement(
                        sql: """
                            SELECT entry.checksum AS document, generation.* FROM generation
                            JOIN entry ON entry.generation = generation.id
                            WHERE generation.state = ? AND entry.kind = ? AND entry.key = ?
                            """),
                    arguments: [state.rawValue, kind.rawValue, key])
                guard let row else {
                    if try isEntryLost(kind, key, state, database) { repair.raise() }
                    return nil
                }
                guard let hex = String.fromDatabaseValue(row["document"]),
                    let checksum = Checksum(hex: hex)
                else { throw Self.damaged("The entry of \(kind) \"\(key)\"") }
                let freshness = try Self.generation(row).freshness
                return Found(
                    value: Fresh(try read(database, checksum), freshness), entry: checksum.hex)
            }
        } catch let error as StoreError where error.code == .damaged {
            repair.raise()
            throw error
        }
    }

    /// Returns true when a generation's manifest names a document and its blob is here, but not its entry.
    ///
    /// A document that was refused has neither.
    private func isEntryLost(
        _ kind: EagerDocument.Kind, _ key: String, _ state: GenerationState, _ database: Database
    ) throws -> Bool {
        let manifest = try Data.fetchOne(
            database, sql: "SELECT manifest FROM generation WHERE state = ?",
            arguments: [state.rawValue])
        // Whoever needs a damaged manifest finds it damaged.
        guard let manifest,
            let documents = try? ReleaseReader.manifest([UInt8](manifest)).manifest
                .eagerDocuments,
            let document = documents.first(where: { $0.kind == kind && $0.key == key })
        else { return false }
        return try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM blob WHERE checksum = ?)",
            arguments: [document.checksum.hex]) ?? false
    }

    /// Returns the bytes of a document, verified each time: that costs less than decoding them.
    private func document(_ checksum: Checksum, in database: Database) throws -> [UInt8] {
        let data = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT bytes FROM blob WHERE checksum = ?"),
            arguments: [checksum.hex]
        ).flatMap { Data.fromDatabaseValue($0[0]) }
        let bytes = [UInt8](data ?? Data())
        guard Checksum(of: bytes) == checksum else { throw Self.damaged("A document") }
        return bytes
    }

    private func missing(_ what: String, because reason: String = "") -> StoreError {
        if let problem = access.error, (try? currentGeneration()) == nil {
            return StoreError(
                .storage, "There is no \(what) on this device. \(problem.message)", cause: problem)
        }
        let remedy = reason.isEmpty ? " Connect to the network and sync." : reason
        return StoreError(.notFound, "There is no \(what) on this device.\(remedy)")
    }
}
