import ContentModel
import PostgresDriver

/// One fill of the tables, in an open transaction.
///
/// Reads one bank at a time, so that memory is bounded by the largest one.
struct ContentFill {
    /// The most questions of a statement.
    private static let rowsMax = 200
    /// About the most bytes of a statement, unless a single question is larger.
    private static let bytesMax = 1024 * 1024

    let release: PublishedRelease
    let now: Moment

    /// Fills the tables unless another process does.
    ///
    /// - Throws: `PostgresError`, `PostgresDecodingError`, `ContentDatabaseError`.
    func run(_ transaction: PostgresTransaction) throws -> FillOutcome {
        let opened = try transaction.pipeline([FillStatements.takeRole, FillStatements.takeLock])
        guard try opened[1][0].value("taken", as: Bool.self) else { return .locked }
        let state = try Self.state(transaction)
        guard
            let plan = FillPlan(
                to: release.manifest, release.checksum, from: state, now: now)
        else { return .current }
        var report = FillReport(
            release: release.manifest.release, revision: state.revision + (plan.hasRevision ? 1 : 0)
        )
        for change in plan.changes { try write(change, transaction, &report) }
        for change in plan.removed {
            try transaction.pipeline(statements(change, report).remove)
            report.removed.append(change.exam)
        }
        try transaction.commit(after: [
            FillStatements.finish(
                revision: report.revision, release: report.release, manifest: release.checksum,
                now: now)
        ])
        return .filled(report)
    }

    private static func state(_ transaction: PostgresTransaction) throws -> FilledState {
        // A later statement than the one that took the lock, which would see rows from before it.
        let results = try transaction.pipeline([
            FillStatements.state, FillStatements.exams, FillStatements.removedExams,
        ])
        guard let row = results[0].first else {
            throw ContentDatabaseError(.outdatedSchema, "The table content.state is empty.")
        }
        var state = FilledState(
            revision: try row.value("revision"), release: try row.value("release"),
            manifest: try row.value("manifest"))
        for row in results[1] {
            guard let exam = try Self.key(row) else { continue }
            state.exams[exam] = FilledState.Exam(
                checksum: try row.value("checksum"),
                updatedAt: try row.value("content_updated_at"))
        }
        for row in results[2] {
            guard let exam = try Self.key(row) else { continue }
            state.removed[exam] = try row.value("content_updated_at", as: Moment.self)
        }
        return state
    }

    private static func key(_ row: PostgresRow) throws -> ExamKey? {
        let region = try row.value("region", as: String.self)
        return ExamKey("\(region)/\(try row.value("id", as: String.self))")
    }

    private func statements(_ change: FillPlan.Change, _ report: FillReport) -> ExamStatements {
        ExamStatements(
            exam: change.exam, updatedAt: change.updatedAt, revision: report.revision)
    }

    private func write(
        _ change: FillPlan.Change, _ transaction: PostgresTransaction, _ report: inout FillReport
    ) throws {
        let statements = statements(change, report)
        guard let reference = change.bank else {
            try transaction.query(statements.touch)
            return
        }
        let (bank, leftOut) = try release.bank(of: change.exam, reference)
        let results = try transaction.pipeline(
            [statements.present] + statements.open(bank, checksum: reference.checksum))
        var present: [String: String] = [:]
        for row in results[0] {
            present[try row.value("id", as: String.self)] = try row.value("checksum")
        }
        let difference = BankChange(to: bank, from: present)
        for batch in difference.batches(rowsMax: Self.rowsMax, bytesMax: Self.bytesMax) {
            try transaction.pipeline(statements.write(batch))
        }
        try transaction.pipeline(
            statements.close(removing: difference.removed, domains: bank.domains.map(\.id)))
        report.changed.append(change.exam)
        report.questionsWritten += difference.written.count
        report.questionsRemoved += difference.removed.count
        report.leftOut += leftOut.map { "\(change.exam): \($0.message)" }
        report.leftOut += difference.leftOut.map { "\(change.exam): \($0) has U+0000" }
    }
}
