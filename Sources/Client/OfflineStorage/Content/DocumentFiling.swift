import ContentModel
import Foundation
import GRDB

/// Files what is asked of a document beside its bytes: its questions, and what is left out of it.
struct DocumentFiling {
    let database: Database

    func blob(_ checksum: Checksum) throws -> [UInt8]? {
        try Data.fetchOne(
            database.cachedStatement(sql: "SELECT bytes FROM blob WHERE checksum = ?"),
            arguments: [checksum.hex]
        ).map { [UInt8]($0) }
    }

    func file(_ read: ReleasedDocument, of checksum: Checksum) throws {
        if let blueprint = read.blueprint { try file(blueprint.questions, of: checksum) }
        try database.cachedStatement(sql: "DELETE FROM omission WHERE checksum = ?")
            .execute(arguments: [checksum.hex])
        guard let first = read.leftOut.first else { return }
        try database.execute(
            sql: "INSERT INTO omission VALUES (?, ?, ?)",
            arguments: [checksum.hex, read.leftOut.count, first.summary.clipped(to: 500)])
    }

    func refile(_ document: EagerDocument) throws {
        let stored = try Data.fetchAll(
            database, sql: "SELECT json FROM question WHERE blueprint = ? ORDER BY position",
            arguments: [document.checksum.hex])
        // Damaged, it is found when it is read.
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
        try file(read, of: document.checksum)
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
}

extension String {
    /// As many whole characters of the text as fit into so many UTF-8 bytes.
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
