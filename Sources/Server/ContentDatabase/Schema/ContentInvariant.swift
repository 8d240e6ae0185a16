package import PostgresDriver

/// A condition across the content tables that no constraint guards.
///
/// ```swift
/// for invariant in ContentInvariant.all {
///     let count = try await pool.query(invariant.violations).first?.value("rows", as: Int.self)
///     print(invariant.table, invariant.problem, count ?? 0)
/// }
/// ```
package struct ContentInvariant: Sendable {
    /// The table.
    package let table: String
    /// The description of violating rows.
    package let problem: String
    /// The statement that counts them, in the column `rows`.
    package let violations: PostgresStatement

    /// All invariants.
    package static let all =
        [
            ContentInvariant(
                table: "state", problem: "Rows that are missing",
                violations: "select 1 - count(*) as rows from content.state"),
            ContentInvariant(
                table: "state", problem: "Exams although no release was filled in",
                violations: """
                    select count(*) as rows from content.exams
                    where exists (select from content.state where release = 0)
                    """),
        ] + revisions + moments + removals

    private static let revisions =
        ["exams", "questions", "removed_exams", "removed_questions"].map { table in
            ContentInvariant(
                table: table, problem: "Rows with a revision after that of content.state",
                violations: """
                    select count(*) as rows from content.\(identifier: table) as t, content.state as s
                    where t.revision > s.revision
                    """)
        }

    private static let moments = [
        ContentInvariant(
            table: "questions", problem: "Questions that changed after their exam",
            violations: """
                select count(*) as rows from content.questions as q
                join content.exams as e on e.region = q.region and e.id = q.exam
                where q.revision > e.revision or q.content_updated_at > e.content_updated_at
                """)
    ]

    private static let removals = [
        ContentInvariant(
            table: "removed_exams", problem: "Exams that are published",
            violations: """
                select count(*) as rows from content.removed_exams as r
                join content.exams as e on e.region = r.region and e.id = r.id
                """),
        ContentInvariant(
            table: "removed_questions", problem: "Questions that are published",
            violations: """
                select count(*) as rows from content.removed_questions as r
                join content.questions as q
                    on q.region = r.region and q.exam = r.exam and q.id = r.id
                """),
        ContentInvariant(
            table: "regions", problem: "Regions without an exam",
            violations: """
                select count(*) as rows from content.regions as r
                where not exists (select from content.exams as e where e.region = r.id)
                """),
    ]

    /// The remedy for all violations: servers refill the tables, and readers read everything once.
    package static let remedy = """
        Let servers fill the tables anew from their release; run as the owner: TRUNCATE content.regions, \
        content.exams, content.domains, content.questions, content.removed_exams, \
        content.removed_questions; INSERT INTO content.state DEFAULT VALUES ON CONFLICT (number) DO UPDATE \
        SET epoch = gen_random_uuid(), revision = 0, release = 0, manifest = '';
        """
}
