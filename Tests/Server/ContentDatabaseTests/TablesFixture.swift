import ContentModel
import DatabaseTestSupport
import PostgresDriver
import TestSupport

@testable import ContentDatabase

/// A database with empty content tables, and a release directory to fill them from.
final class TablesFixture: Sendable {
    let address: PostgresAddress
    let pool: PostgresPool
    let tables: ContentTables
    let folder: TemporaryFolder

    /// Makes the tables in a new database of the server that suites share.
    convenience init() async throws {
        try await self.init(address: try await PostgresServer.shared().newDatabase("content"))
    }

    /// Makes the tables in an empty database.
    convenience init(address: PostgresAddress) async throws {
        try self.init(address: address, pool: PostgresPool(PoolSettings(address)))
        try await execute(ContentSchema.preparation)
        try await execute(ContentSchema.sql)
    }

    /// Uses tables that are there.
    init(address: PostgresAddress, pool: PostgresPool) throws {
        self.address = address
        self.pool = pool
        tables = ContentTables(pool: pool)
        folder = try TemporaryFolder()
    }

    func execute(_ script: String) async throws {
        try await pool.use { try $0.execute(script: script) }
    }

    /// Makes a release the current one of the directory; see `TemporaryFolder.publish`.
    func publish(_ number: Int, _ banks: [Blueprint], updatedAt: Int? = nil) throws {
        try folder.publish(number, banks, updatedAt: updatedAt)
    }

    /// Fills the tables; fails unless that makes them show the release.
    @discardableResult
    func fill(now: Int64 = 1_000) async throws -> FillReport {
        let outcome = try await tables.fill(
            from: folder.path, now: Moment(microseconds: now * 1_000_000))
        guard case .filled(let report) = outcome else { throw Unfilled() }
        return report
    }

    struct Unfilled: Error {}
}

extension TemporaryFolder {
    /// Makes a release the current one of the directory.
    ///
    /// - Parameters:
    ///   - number: Its number.
    ///   - banks: Its banks.
    ///   - updatedAt: The second after 1970 that the manifest states for each exam; none when `nil`.
    func publish(_ number: Int, _ banks: [Blueprint], updatedAt: Int? = nil) throws {
        var manifest = Manifest(release: number)
        for bank in banks {
            let bytes = bank.canonicalBytes
            let checksum = Checksum(of: bytes)
            try write(bytes, to: ReleasePath.object(checksum).text)
            manifest.exams[bank.id] = ExamEntry(
                contentUpdatedAt: updatedAt.map {
                    Moment(microseconds: Int64($0) * 1_000_000).text
                }, blueprint: ContentReference(checksum: checksum, size: bytes.count))
        }
        try write(manifest.canonicalBytes, to: ReleasePath.manifest.text)
    }
}

/// Banks for tests.
enum BankFixture {
    static func bank(_ id: String, _ stems: KeyValuePairs<String, String>) -> Blueprint {
        Blueprint(
            kind: .exam, id: id, title: "Exam \(id)", version: "1",
            questions: stems.map { question($0, stem: $1) })
    }

    static func question(_ id: String, stem: String, difficulty: Int = 1) -> Question {
        Question(
            id: id, type: .singleChoice, difficulty: difficulty, stem: stem,
            options: [QuestionOption(id: "a", text: "A"), QuestionOption(id: "b", text: "B")],
            correct: [0])
    }
}
