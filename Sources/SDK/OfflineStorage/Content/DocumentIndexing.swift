import ContentModel
import Foundation
import GRDB

/// The index of a document beside its bytes: its questions, and the number of its omitted parts.
struct DocumentIndexing {
    let database: Database

    /// Returns the bytes of a blob; `nil` when it is not stored.
    func blob(_ checksum: Checksum) throws -> [UInt8]? {
        try Data.fetchOne(
            database.cachedStatement(sql: "SELECT bytes FROM blob WHERE checksum = ?"),
            arguments: [checksum.hex]
        ).map { [UInt8]($0) }
    }

    /// Writes the index of a decoded document.
    func index(_ read: ReleasedDocument, of checksum: Checksum) throws {
        if let blueprint = read.blueprint { try index(blueprint.questions, of: checksum) }
        try database.cachedStatement(sql: "DELETE FROM omission WHERE checksum = ?")
            .execute(arguments: [checksum.hex])
        guard let first = read.leftOut.first else { return }
        try database.execute(
            sql: "INSERT INTO omission VALUES (?, ?, ?)",
            arguments: [checksum.hex, read.leftOut.count, first.summary.clipped(to: 500)])
    }

    /// Rebuilds the index of a document if it differs from its blob; a damaged blob has no effect.
    func rebuild(_ document: EagerDocument) throws {
        let stored = try Data.fetchAll(
            database, sql: "SELECT json FROM question WHERE blueprint = ? ORDER BY position",
            arguments: [document.checksum.hex])
        // A damaged document is found when it is read.
        guard let bytes = try blob(document.checksum),
            let read = try? ReleaseReader.document(document, bytes)
        else { return }
        let questions = read.blueprint?.questions ?? []
        let leftOutCount = try Int.fetchOne(
            database, sql: "SELECT leftOutCount FROM omission WHERE checksum = ?",
            arguments: [document.checksum.hex])
        guard
            stored != questions.map({ Data($0.json.canonicalBytes) })
                || leftOutCount ?? 0 != read.leftOut.count
        else { return }
        try index(read, of: document.checksum)
    }

    private func index(_ questions: [Question], of blueprint: Checksum) throws {
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
}

extension String {
    /// Returns the text, truncated to whole characters within a number of UTF-8 bytes.
    func clipped(to bytesMax: Int) -> String {
        guard utf8.count > bytesMax else { return self }
        var clipped = ""
        var count = 0
        for scalar in unicodeScalars {
            count += UTF8.width(scalar)
            if count > bytesMax - 3 { break }
            clipped.unicodeScalars.append(scalar)
        }
        return clipped + "…"
    }
}
