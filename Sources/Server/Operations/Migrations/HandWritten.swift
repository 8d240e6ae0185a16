/// A function, a view or a trigger of the schema, which is written by hand and known by its name alone.
struct HandWritten: Sendable {
    /// The kind and the name, as "function claim".
    let title: String
    /// The statements that make it, with its rights.
    let creation: String
    /// True for what policies call.
    let isOfSession: Bool

    /// The scripts that the tables need, because their policies call them.
    static let beforeTables = [
        SessionFunctions.claims, SessionFunctions.accounts, SessionFunctions.auditEnd,
    ]

    /// The scripts that need the tables, each after those that it needs.
    static let afterTables =
        LedgerFunctions.all + [ErasureFunctions.answers, ErasureFunctions.accounts]
        + [CountedAnswers.view] + StatisticsViews.all
        + [RecountFunctions.sums, RecountFunctions.recounting, CountedAnswers.recounting]

    /// All that the scripts make.
    static let all =
        beforeTables.flatMap { statements(in: $0, isOfSession: true) }
        + afterTables.flatMap { statements(in: $0, isOfSession: false) }

    /// One of a database.
    struct Found: Sendable {
        let title: String
        /// The table of a trigger or a rule.
        let table: String
    }

    /// The statement whose rows are those of a database, and rules.
    ///
    /// A function that runs with its owner's rights counts when it is the program's and nobody else may execute it. The
    /// program has no rules.
    static let catalogs = """
        SELECT 'function ' || proname AS name, '' AS table_name FROM pg_proc
        WHERE pronamespace = 'underway'::regnamespace AND (NOT prosecdef
            OR pg_get_userbyid(proowner) = 'underway_owner' AND proacl IS NOT NULL
                AND NOT EXISTS (SELECT FROM aclexplode(proacl) x WHERE x.grantee = 0))
        UNION ALL
        SELECT 'view ' || relname, '' FROM pg_class
        WHERE relnamespace = 'underway'::regnamespace AND relkind = 'v'
        UNION ALL
        SELECT 'trigger ' || tgname, c.relname::text FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE c.relnamespace = 'underway'::regnamespace AND NOT t.tgisinternal AND t.tgenabled <> 'D'
        UNION ALL
        SELECT 'rule ' || rulename, c.relname::text FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
        WHERE c.relnamespace = 'underway'::regnamespace AND rulename <> '_RETURN'
        """

    /// The finding that it is missing, or open to others.
    var finding: DatabaseFinding {
        DatabaseFinding(
            .schema, "schema underway", "The \(title) is missing, or has other rights.",
            remedy: "Run as its owner: \(creation)")
    }

    private static func statements(in script: String, isOfSession: Bool) -> [HandWritten] {
        var parts: [HandWritten] = []
        var rest = script[...]
        while let start = rest.firstMatch(
            of: #/(?m)^CREATE (FUNCTION|VIEW|TRIGGER) (?:underway\.)?(\w+)/#)
        {
            let after = rest[start.range.upperBound...]
            let end = after.firstRange(of: "\n\nCREATE ")?.lowerBound ?? after.endIndex
            let (kind, name) = (start.output.1.lowercased(), String(start.output.2))
            let rights =
                kind == "view" ? "\nGRANT SELECT ON underway.\(name) TO authenticated;" : ""
            let statement = rest[start.range.lowerBound..<end].replacing(
                "CREATE \(start.output.1)", with: "CREATE OR REPLACE \(start.output.1)")
            parts.append(
                HandWritten(
                    title: "\(kind) \(name)", creation: statement + rights,
                    isOfSession: isOfSession))
            rest = after[end...]
        }
        return parts
    }
}

extension HandWritten.Found {
    /// The finding that a trigger or a rule is not of this program; `nil` for one that is, and for functions and views.
    var addition: DatabaseFinding? {
        guard !table.isEmpty, !HandWritten.all.contains(where: { $0.title == title }) else {
            return nil
        }
        let words = title.split(separator: " ", maxSplits: 1)
        let name = SchemaCheck.quoted(String(words.last ?? ""))
        let path = "underway." + SchemaCheck.quoted(table)
        return DatabaseFinding(
            .schema, "table underway.\(table)", "The \(title) is not of this program.",
            remedy: "Run as its owner: DROP \(words[0].uppercased()) \(name) ON \(path);")
    }
}
