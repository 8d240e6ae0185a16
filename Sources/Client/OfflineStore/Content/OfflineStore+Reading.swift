public import ContentModel
import Foundation
import GRDB

/// Which questions are asked for.
public struct QuestionFilter: Hashable, Sendable {
    /// Where the questions come from.
    public enum Bank: Hashable, Sendable {
        /// The placement test of a language.
        case placement(language: String)
        /// The bank of an exam in a region.
        case exam(region: String, exam: String)
    }

    /// Where the questions come from.
    public var bank: Bank
    /// Only those of this domain.
    public var domain: String?
    /// Only those of this difficulty, 1 to 5.
    public var difficulty: Int?

    /// Describes a wish.
    public init(_ bank: Bank, domain: String? = nil, difficulty: Int? = nil) {
        self.bank = bank
        self.domain = domain
        self.difficulty = difficulty
    }
}

/// An installed generation.
public struct Generation: Hashable, Sendable {
    /// The checksum of its manifest.
    public var manifestChecksum: Checksum
    /// Its release, source and age.
    public var freshness: ContentFreshness
}

extension OfflineStore {
    /// The generation that answers are made from; `nil` on a device without any content.
    public func currentGeneration() throws -> Generation? {
        try generations().first
    }

    /// The current generation and the last good one, in this order.
    public func generations() throws -> [Generation] {
        try database.read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM generation ORDER BY state = 'lastGood'"
            ).compactMap(Self.generation)
        }
    }

    private static func generation(_ row: Row) -> Generation? {
        guard let checksum = Checksum(hex: row["manifestChecksum"] as String) else { return nil }
        let freshness = ContentFreshness(
            source: ContentSource(rawValue: row["source"]) ?? .downloaded,
            release: row["release"],
            installedAt: Date(timeIntervalSince1970: row["installedAt"]),
            isFallback: row["state"] as String == "lastGood")
        return Generation(manifestChecksum: checksum, freshness: freshness)
    }

    /// The manifest of the current generation.
    public func currentManifest() throws -> (manifest: Manifest, bytes: [UInt8])? {
        let data = try database.read { database in
            try Data.fetchOne(
                database, sql: "SELECT manifest FROM generation WHERE state = 'current'")
        }
        guard let data else { return nil }
        return (try ReleaseReader.manifest([UInt8](data)).manifest, [UInt8](data))
    }

    /// The questions that fit, in the author's order: one query of the index.
    ///
    /// - Throws: `StoreError` `notFound` when no generation has that bank.
    public func questions(_ filter: QuestionFilter) throws -> Fresh<[Question]> {
        let (kind, key) = Self.entry(of: filter.bank)
        return try answer(kind, key) { database, checksum in
            let rows = try Data.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT json FROM question
                        WHERE blueprint = ?1 AND (?2 IS NULL OR difficulty = ?2)
                            AND (?3 IS NULL OR domain = ?3)
                        ORDER BY position
                        """),
                arguments: [checksum, filter.difficulty, filter.domain])
            return try rows.map { try Self.question([UInt8]($0)) }
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

    /// A whole bank with its scoring.
    public func blueprint(_ bank: QuestionFilter.Bank) throws -> Fresh<Blueprint> {
        let (kind, key) = Self.entry(of: bank)
        return try document(kind, key) { try ReleaseReader.blueprint($0).value }
    }

    /// The texts of the user interface in a language.
    public func localization(language: String) throws -> Fresh<Localization> {
        try document(.localization, language) { try ReleaseReader.localization($0).value }
    }

    /// An asset of the class `eager`.
    public func asset(_ path: String) throws -> Fresh<[UInt8]> {
        try document(.asset, path) { $0 }
    }

    /// All announcements; choosing among them is up to the caller.
    public func announcements() throws -> Fresh<[Announcement]> {
        try document(.announcements, "") { try ReleaseReader.announcements($0).value }
    }

    private func document<Value: Sendable>(
        _ kind: EagerDocument.Kind, _ key: String, _ decode: ([UInt8]) throws -> Value
    ) throws -> Fresh<Value> {
        try answer(kind, key) { database, checksum in
            let data = try Data.fetchOne(
                database, sql: "SELECT bytes FROM blob WHERE checksum = ?", arguments: [checksum])
            return try decode([UInt8](data ?? Data()))
        }
    }

    /// Answers from the current generation or, when that fails, from the last good one.
    ///
    /// What was installed could be decoded, so a failure means damage on the disk: the next sync
    /// is then a full one, which repairs it.
    private func answer<Value: Sendable>(
        _ kind: EagerDocument.Kind, _ key: String,
        _ read: (Database, _ checksum: String) throws -> Value
    ) throws -> Fresh<Value> {
        var failure: (any Error)?
        for (index, found) in try places(of: kind, key).enumerated() {
            do {
                let value = try database.read { try read($0, found.checksum) }
                var freshness = found.generation.freshness
                freshness.isFallback = freshness.isFallback || index > 0
                return Fresh(value, freshness)
            } catch {
                failure = failure ?? error
                // A failure to note the damage must not keep the older content from the user.
                try? requestRepair()
            }
        }
        throw failure
            ?? StoreError(.notFound, "There is no \(kind) \"\(key)\" on this device.")
    }

    private func places(
        of kind: EagerDocument.Kind, _ key: String
    ) throws -> [(checksum: String, generation: Generation)] {
        try database.read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT entry.checksum, generation.* FROM generation
                        JOIN entry ON entry.generation = generation.id
                        WHERE entry.kind = ? AND entry.key = ?
                        ORDER BY generation.state = 'lastGood'
                        """),
                arguments: [kind.rawValue, key]
            ).compactMap { row in Self.generation(row).map { (row[0], $0) } }
        }
    }
}
