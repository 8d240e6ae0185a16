import ContentModel
package import PostgresDriver

/// The published content as tables of a PostgreSQL database.
///
/// Any number of processes may use the same tables; one of them at a time fills them.
///
/// ```swift
/// let tables = ContentTables(pool: pool)
/// if case .filled(let report) = try await tables.fill(from: "release", now: now) {
///     print("release \(report.release): \(report.questionsWritten) questions written")
/// }
/// ```
package struct ContentTables: Sendable {
    private let pool: PostgresPool

    /// Creates the tables; filling them requires the role `ContentSchema.writer` for the pool's login.
    package init(pool: PostgresPool) { self.pool = pool }

    /// Fills the tables with the current release of a directory, in one transaction.
    ///
    /// It writes only changed questions, and ignores releases older than the tables'.
    ///
    /// - Parameters:
    ///   - directory: The release directory.
    ///   - now: The time of changes without a time of their author.
    /// - Returns: The changed rows, or the reason why none changed.
    /// - Throws: `ContentDatabaseError`; then the tables are unchanged.
    package func fill(from directory: String, now: Moment) async throws -> FillOutcome {
        let release = try PublishedRelease(directory: directory)
        return try await translatingErrors {
            try await pool.transaction { transaction in
                try ContentFill(release: release, now: now).run(transaction)
            }
        }
    }

    /// Returns the position of the tables, which other processes poll.
    ///
    /// - Throws: `ContentDatabaseError`.
    package func position() async throws -> ContentPosition {
        try await translatingErrors {
            let rows = try await pool.query(FillStatements.state)
            guard let row = rows.first else {
                throw ContentDatabaseError(.outdatedSchema, "The table content.state is empty.")
            }
            return ContentPosition(
                epoch: try row.value("epoch"), revision: try row.value("revision"),
                release: try row.value("release"))
        }
    }

    /// Starts a new epoch after the database was restored from a backup: readers of changes then read everything once,
    /// since the revisions that they know may have another meaning.
    ///
    /// - Returns: The epoch, for the positions of readers.
    /// - Throws: `ContentDatabaseError`.
    @discardableResult
    package func startEpoch() async throws -> String {
        try await translatingErrors {
            try await pool.transaction { transaction in
                try transaction.query(FillStatements.takeRole)
                let rows = try transaction.query(FillStatements.startEpoch)
                guard let row = rows.first else {
                    throw ContentDatabaseError(.outdatedSchema, "The table content.state is empty.")
                }
                return try row.value("epoch", as: String.self)
            }
        }
    }

    /// Returns a page of the changes of an exam, oldest first.
    ///
    /// - Returns: The page; `nil` for an unknown exam.
    /// - Throws: `ContentDatabaseError`.
    package func changes(_ request: ChangesRequest) async throws -> ChangesPage? {
        try await translatingErrors {
            try ChangesPage(try await pool.query(request.statement), to: request)
        }
    }

    /// Returns a page of the questions of an exam, by their ids.
    ///
    /// - Returns: The page; `nil` for an unknown exam.
    /// - Throws: `ContentDatabaseError`.
    package func questions(_ request: QuestionsRequest) async throws -> QuestionsPage? {
        try await translatingErrors {
            try QuestionsPage(try await pool.query(request.statement), to: request)
        }
    }

    private func translatingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as PostgresError {
            throw ContentDatabaseError(error)
        } catch let error as PostgresDecodingError {
            throw ContentDatabaseError(
                .outdatedSchema, "The content tables are of another version of this program.",
                cause: error)
        }
    }
}

/// The position of the tables in the history of releases.
package struct ContentPosition: Hashable, Sendable {
    /// The epoch of the revisions.
    package var epoch: String
    /// The last revision; it increases with each change of an exam.
    package var revision: Int64
    /// The number of the release in the tables; 0 before the first.
    package var release: Int
}

extension ContentDatabaseError {
    /// Says what a failure of the database means for the tables.
    init(_ error: PostgresError) {
        switch error.code {
        case .undefinedTable, .undefinedColumn, .undefinedFunction, SQLState(rawValue: "3F000"):
            self.init(
                .outdatedSchema, "The database has no content tables of this version.",
                cause: error)
        case .insufficientPrivilege:
            self.init(
                .forbidden,
                "The login may not use the content tables. Whoever fills them needs the role"
                    + " \(ContentSchema.writer), whoever reads them the privileges of the migrations.",
                cause: error)
        case .lockNotAvailable, .statementCancelled, .tooManyConnections, .poolBusy,
            .serializationFailure, .deadlock:
            self.init(.busy, "The content database is busy. Try again in a moment.", cause: error)
        case .checkViolation, .notNullViolation, .foreignKeyViolation, .uniqueViolation,
            .untranslatableCharacter, .characterNotInRepertoire:
            self.init(
                .refused, "The content database refused a row (\(error)). Nothing was changed.",
                cause: error)
        default:
            self.init(
                .unavailable, "The content database is not available. Try again later.",
                cause: error)
        }
    }
}
