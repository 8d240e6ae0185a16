import GRDB
import Tables
import Testing

// GRDB has a type of that name, too.
private typealias Table = Tables.Table

/// What is made of a declaration, and that SQLite takes it.
@Suite struct SchemaTests {
    private let note = Table(
        "note",
        [
            .identity(), .account, .text("text", "{bytes text} <= 4"),
            .flag("is_read", initial: false), .json("place").optional,
            .uuid("token").optional.only(.postgres),
        ],
        key: ["number"], unique: [["text"]],
        indexes: [.by("by_account", "account"), .by("by_token", "token")],
        access: [.own(.select, .insert, updating: ["text"]), .reads(.keeper, ["number"])],
        fillFactor: 70, isAppendOnly: true)

    private func sqlite(_ tables: [Table]) throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { database in
            for statement in tables.flatMap({ $0.schema(.sqlite) }) {
                try database.execute(sql: statement)
            }
        }
        return queue
    }

    @Test func sqliteHasChecksForWhatItHasNoTypesFor() {
        #expect(
            note.schema(.sqlite) == [
                """
                CREATE TABLE note (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
                    text TEXT NOT NULL CHECK (length(CAST(text AS BLOB)) <= 4),
                    is_read INTEGER NOT NULL DEFAULT 0 CHECK (is_read IN (0, 1)),
                    place TEXT CHECK (place IS NULL OR json_valid(place)),
                    UNIQUE (text)
                ) STRICT;
                """,
                "CREATE INDEX note_by_account ON note (account);",
                """
                CREATE TRIGGER note_only_added BEFORE UPDATE ON note
                BEGIN
                    SELECT RAISE(ABORT, 'rows of note are never changed');
                END;
                """,
            ])
    }

    @Test func postgresHasTypesGuardsAndGrants() {
        let subject = Access.subject
        #expect(
            note.schema(.postgres) == [
                """
                CREATE TABLE underway.note (
                    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                    account bigint NOT NULL REFERENCES underway.account (number) ON DELETE CASCADE,
                    text text COLLATE "C" NOT NULL CHECK (octet_length(text) <= 4),
                    is_read boolean NOT NULL DEFAULT FALSE,
                    place json,
                    token uuid,
                    UNIQUE (text)
                ) WITH (fillfactor = 70);
                """,
                "CREATE INDEX note_by_account ON underway.note (account);",
                "CREATE INDEX note_by_token ON underway.note (token);",
                "ALTER TABLE underway.note ENABLE ROW LEVEL SECURITY;",
                "ALTER TABLE underway.note FORCE ROW LEVEL SECURITY;",
                "CREATE POLICY own ON underway.note TO authenticated USING (account = \(subject))"
                    + " WITH CHECK (account = \(subject));",
                "CREATE POLICY keeper ON underway.note FOR SELECT TO underway_keeper USING (TRUE);",
                "CREATE POLICY erased ON underway.note TO underway_owner"
                    + " USING (account = (SELECT underway.erased()));",
                "GRANT SELECT, INSERT, UPDATE (text) ON underway.note TO authenticated;",
                "GRANT SELECT (number) ON underway.note TO underway_keeper;",
            ])
    }

    @Test func sqliteRefusesWhatTheTypesOfPostgresRefuse() throws {
        let account = Table("account", [.identity(), .text("id")], key: ["number"])
        let queue = try sqlite([account, note])
        try queue.write { database in
            try database.execute(sql: "INSERT INTO account (id) VALUES ('u')")
            try database.execute(sql: "INSERT INTO note (account, text) VALUES (1, 'é')")
            for (column, value) in [
                ("is_read", "2"), ("is_read", "'x'"), ("place", "'{'"), ("text", "'éée'"),
                ("account", "9"), ("text", "NULL"),
            ] {
                let columns = ["account": "1", "text": "'a'"].merging([column: value]) { $1 }
                let names = columns.keys.sorted()
                #expect(throws: DatabaseError.self, "\(column) \(value)") {
                    try database.execute(
                        sql: """
                            INSERT INTO note (\(names.joined(separator: ", ")))
                            VALUES (\(names.compactMap { columns[$0] }.joined(separator: ", ")))
                            """)
                }
            }
            #expect(throws: DatabaseError.self) {
                try database.execute(sql: "UPDATE note SET text = 'b'")
            }
        }
    }

    @Test func aNumberIsNeverGivenTwice() throws {
        let queue = try sqlite([Table("one", [.identity(), .text("id")], key: ["number"])])
        let numbers = try queue.write { database in
            try (1...3).map { _ in
                try database.execute(sql: "INSERT INTO one (id) VALUES ('a')")
                defer { try? database.execute(sql: "DELETE FROM one") }
                return database.lastInsertedRowID
            }
        }
        #expect(numbers == [1, 2, 3])
    }

    /// Conditions are compared without parentheses, which is right where they mix nothing.
    @Test func noConditionMixesAndWithOr() {
        for table in Table.all {
            let policies = table.policies.flatMap { [$0.visible, $0.writable].compactMap(\.self) }
            for condition in policies + table.indexes.compactMap(\.condition) {
                #expect(
                    !(condition.contains(" AND ") && condition.contains(" OR ")), "\(condition)")
            }
        }
    }

    /// Each table comes after those that it refers to, and SQLite has all names that a declaration has.
    @Test func sqliteTakesEveryDeclaration() throws {
        let queue = try sqlite(Table.all)
        try queue.read { database in
            for table in Table.all where table.place != .postgres {
                let names = try database.columns(in: table.name).map(\.name)
                #expect(names == table.columns(in: .sqlite).map(\.name), "\(table.name)")
                let key = try database.primaryKey(table.name).columns
                #expect(key == table.key(in: .sqlite), "\(table.name)")
            }
            #expect(try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").isEmpty)
        }
        var known: Set<String> = []
        for table in Table.all {
            known.insert(table.name)
            let targets =
                table.references.map(\.table) + table.columns.compactMap(\.reference?.table)
            #expect(known.isSuperset(of: targets), "\(table.name)")
            #expect(table.name.allSatisfy { $0.isLowercase || $0 == "_" })
        }
        #expect(known.count == Table.all.count)
    }
}
