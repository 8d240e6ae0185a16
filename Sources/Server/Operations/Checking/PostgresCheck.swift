import ContentDatabase
package import PostgresDriver

/// A check of a PostgreSQL database by the login of `underway serve`, which may run while servers use the database.
///
/// It writes nothing. It reads each account as its own user, in a transaction with one consistent state.
///
/// ```swift
/// let address = try PostgresAddress("postgres://underway_server@db/underway")
/// let report = try await PostgresCheck(address).run()
/// for finding in report.findings { print(finding.place, finding.problem, finding.remedy) }
/// ```
package struct PostgresCheck: Sendable {
    private let settings: PoolSettings
    private let migrations: [PostgresMigration]

    /// Creates a check of the database at the servers' address.
    package init(
        _ address: PostgresAddress, migrations: [PostgresMigration] = PostgresMigration.all
    ) {
        var settings = PoolSettings(address)
        settings.connectionsMax = 1
        // One statement reads all answers of an account, or all rows of a table.
        settings.replyTimeout = .seconds(3_600)
        self.settings = settings
        self.migrations = migrations
    }

    /// Checks the connection, the login, the schema, each account, and the tables of content.
    ///
    /// - Returns: The report; an unreachable database is a finding.
    /// - Throws: `PostgresError` of a statement during the check; `CancellationError`.
    package func run() async throws -> DatabaseCheckReport {
        let pool = PostgresPool(settings)
        var report = DatabaseCheckReport()
        do {
            try await run(pool, &report)
            await pool.close()
            return report
        } catch let error as PostgresError
            where error.phase != .connecting && error.code.conditionClass == "42"
        {
            await pool.close()
            report.add([Self.unreadable(error)])
            return report
        } catch {
            await pool.close()
            throw error
        }
    }

    /// Returns the finding for a missing right, table or function that the other checks did not find.
    private static func unreadable(_ error: PostgresError) -> DatabaseFinding {
        DatabaseFinding(
            .schema, "database",
            "A right, a table or a function that the check needs is missing (\(error)).",
            remedy:
                "Mend what else was found, and check again. If this stays, restore the database with its owners"
                + " and privileges, and with all its schemas.")
    }

    private func run(_ pool: PostgresPool, _ report: inout DatabaseCheckReport) async throws {
        let login: LoginCheck
        do {
            login = try await pool.use(LoginCheck.init)
        } catch let error as PostgresError where error.phase == .connecting {
            report.add([ConnectionFinding(error).finding])
            return
        }
        report.add(login.findings)
        guard login.canCheck else { return }
        let comparison = try await pool.use { connection in
            try PostgresMigrator(migrations).comparisonAsServer(connection)
        }
        if let obstacle = comparison.obstacleToServing {
            report.add([MigrationFinding(obstacle).finding])
            return
        }
        report.add(login.objectFindings)
        let schema = try await pool.use(SchemaCheck.init)
        report.add(schema.findings(allowsFurther: !comparison.later.isEmpty))
        guard schema.isReadable else { return }
        try await checkAccounts(pool, &report)
        report.add(try await pool.transaction(PostgresAccountCheck.options, OrphanCheck.findings))
        report.add(
            try await pool.transaction(PostgresAccountCheck.options, SharedDeviceCheck.findings))
        report.add(try await pool.transaction(PostgresAccountCheck.options, Self.contentFindings))
    }

    private func checkAccounts(
        _ pool: PostgresPool, _ report: inout DatabaseCheckReport
    ) async throws {
        var last: Int64 = 0
        while true {
            let after = last
            let page = try await pool.transaction { transaction in
                try PostgresAccountCheck.page(after: after, in: transaction)
            }
            for account in page {
                let audit = try await pool.transaction(PostgresAccountCheck.options) {
                    try account.run(in: $0)
                }
                report.add(account.findings)
                guard let audit else {
                    let isThere = try await pool.transaction(PostgresAccountCheck.options) {
                        try account.isStillThere(in: $0)
                    }
                    if isThere, account.findings.isEmpty { report.add([account.unopened]) }
                    continue
                }
                report.accountCount += 1
                report.recordCount += audit.recordCount
                report.answerCount += audit.answerCount
                report.add(audit.findings)
            }
            guard let end = page.last else { return }
            last = end.number
        }
    }

    private static func contentFindings(
        _ transaction: PostgresTransaction
    ) throws -> [DatabaseFinding] {
        try transaction.query("SELECT set_config('statement_timeout', '0', true)")
        return try ContentInvariant.all.compactMap { invariant in
            let rows = try transaction.query(invariant.violations)
            guard let count = try rows.first?.value("rows", as: Int.self), count > 0 else {
                return nil
            }
            return DatabaseFinding(
                .content, "table content.\(invariant.table)", "\(invariant.problem): \(count).",
                remedy: ContentInvariant.remedy)
        }
    }
}

/// The finding that a failure to connect is.
private struct ConnectionFinding {
    let finding: DatabaseFinding

    init(_ error: PostgresError) {
        let (problem, remedy) =
            switch error.code {
            case .invalidPassword, .invalidAuthorization:
                (
                    "The server refuses the login.",
                    "Compare the user and the password (PGPASSWORD, ~/.pgpass) with those of the server,"
                        + " and look at its pg_hba.conf."
                )
            case .unknownDatabase:
                (
                    "There is no such database.",
                    "Create it, and run `underway db migrate`; or correct the address."
                )
            case .tooManyConnections:
                (
                    "The server has no connection left.",
                    "End sessions that nobody uses, lower --database-connections, or put a pooler before"
                        + " it."
                )
            case .cannotConnectNow:
                ("The server is starting or stopping.", "Wait, and look at its log.")
            default:
                (
                    "The server cannot be reached.",
                    "Look whether it runs, and whether host, port and TLS of the address are right."
                )
            }
        finding = DatabaseFinding(.connection, "database", problem, remedy: remedy)
    }
}

/// The finding that a difference of migrations is.
private struct MigrationFinding {
    let finding: DatabaseFinding

    init(_ error: PostgresMigrationError) {
        let (problem, remedy) =
            switch error {
            case .missing(let name):
                (
                    "It lacks the migration \"\(name)\".",
                    "Run `underway db migrate` of this version."
                )
            case .later(let name):
                (
                    "A later version of this program ran the migration \"\(name)\".",
                    "Check with that version."
                )
            case .edited(let name):
                (
                    "The migration \"\(name)\" is not the one of this version.",
                    "Check with the version that ran it."
                )
            case .beforeRelease:
                (
                    "It was made before 0.1.0.",
                    "Export its users with the version that made it, then begin with an empty database."
                )
            }
        finding = DatabaseFinding(.migration, "schema underway", problem, remedy: remedy)
    }
}
