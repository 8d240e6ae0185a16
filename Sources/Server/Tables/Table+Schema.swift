extension Table {
    /// Returns the statements that create the table, its indexes and its triggers in an empty database.
    package func schema(_ dialect: Dialect) -> [String] {
        guard place.contains(dialect) else { return [] }
        return [creation(dialect)] + indexes.compactMap { creation($0, dialect) }
            + (dialect == .sqlite ? triggers : guards)
    }

    /// Returns the name of the table in statements of a dialect.
    package func path(_ dialect: Dialect) -> String { Self.path(name, dialect) }

    static func path(_ name: String, _ dialect: Dialect) -> String {
        dialect == .sqlite ? name : "underway.\(name)"
    }

    private func creation(_ dialect: Dialect) -> String {
        let key = key(in: dialect)
        let single = key.count == 1 ? key[0] : nil
        var lines = columns(in: dialect).map { line($0, isKey: $0.name == single, dialect) }
        if single == nil { lines.append("PRIMARY KEY (\(list(key)))") }
        lines += unique.filter { has($0, dialect) }.map { "UNIQUE (\(list($0)))" }
        lines += references.map { reference in
            let own = reference.columns(where: { has([$0], dialect) })
            return "FOREIGN KEY (\(list(own.columns))) " + target(own, dialect)
        }
        lines += checks.map { "CHECK (\(Self.spelled($0, dialect)))" }
        return "CREATE TABLE \(path(dialect)) (\n    \(lines.joined(separator: ",\n    "))\n)"
            + options(dialect, single) + ";"
    }

    /// Returns the options behind the columns: a table of SQLite is ordered by its key, unless that is one number.
    private func options(_ dialect: Dialect, _ single: String?) -> String {
        guard dialect == .sqlite else {
            return fillFactor.map { " WITH (fillfactor = \($0))" } ?? ""
        }
        let numbers: Set<Column.Kind> = [.identity, .int32, .int64]
        let isNumbered = columns.contains { $0.name == single && numbers.contains($0.kind) }
        let hasIdentity = columns.contains { $0.kind == .identity }
        return isNumbered || hasIdentity ? " STRICT" : " STRICT, WITHOUT ROWID"
    }

    func line(_ column: Column, isKey: Bool, _ dialect: Dialect) -> String {
        var parts = [column.name, column.kind.type(dialect)]
        if isKey { parts.append("PRIMARY KEY") }
        if column.kind == .identity {
            if isKey, dialect == .sqlite { parts.append("AUTOINCREMENT") }
            if !isKey { parts.append("NOT NULL UNIQUE") }
            return parts.joined(separator: " ")
        }
        if !column.isOptional, !(isKey && dialect == .postgres) { parts.append("NOT NULL") }
        if let initial = column.initial {
            parts.append("DEFAULT \(column.kind.literal(initial, dialect))")
        }
        if let check = column.check { parts.append("CHECK (\(Self.spelled(check, dialect)))") }
        if dialect == .sqlite, let check = column.typeCheck { parts.append("CHECK (\(check))") }
        if let reference = column.reference { parts.append(target(reference, dialect)) }
        return parts.joined(separator: " ")
    }

    func target(_ reference: Reference, _ dialect: Dialect) -> String {
        "REFERENCES \(Self.path(reference.table, dialect)) (\(list(reference.target)))"
            + (reference.cascades ? " ON DELETE CASCADE" : "")
    }

    func creation(_ index: Index, _ dialect: Dialect) -> String? {
        guard has(index.columns, dialect) else { return nil }
        return "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(name)_\(index.name)"
            + " ON \(path(dialect)) (\(list(index.columns)))"
            + (index.condition.map { " WHERE \($0)" } ?? "") + ";"
    }

    private var triggers: [String] {
        guard isAppendOnly else { return [] }
        return [
            """
            CREATE TRIGGER \(name)_only_added BEFORE UPDATE ON \(name)
            BEGIN
                SELECT RAISE(ABORT, 'rows of \(name) are never changed');
            END;
            """
        ]
    }

    /// Row level security, which binds the owner too; the policies; and the grants.
    private var guards: [String] {
        let table = path(.postgres)
        return [
            "ALTER TABLE \(table) ENABLE ROW LEVEL SECURITY;",
            "ALTER TABLE \(table) FORCE ROW LEVEL SECURITY;",
        ] + policies.map { $0.creation(on: table) } + grants.compactMap { $0.statement(on: table) }
    }

    func has(_ names: [String], _ dialect: Dialect) -> Bool {
        Set(columns(in: dialect).map(\.name)).isSuperset(of: names)
    }

    func list(_ names: [String]) -> String { names.joined(separator: ", ") }

    private static func spelled(_ check: String, _ dialect: Dialect) -> String {
        check.replacing(#/\{bytes (\w+)\}/#) { match in
            dialect == .sqlite
                ? "length(CAST(\(match.output.1) AS BLOB))" : "octet_length(\(match.output.1))"
        }
    }
}

extension Reference {
    fileprivate func columns(where isThere: (String) -> Bool) -> Reference {
        let pairs = zip(columns, target).filter { isThere($0.0) }
        return Reference(pairs.map(\.0), to: table, pairs.map(\.1), cascades: cascades)
    }
}

extension Access.Policy {
    /// Returns the statement that creates the policy.
    package func creation(on table: String) -> String {
        "CREATE POLICY \(name) ON \(table)" + (command.map { " FOR \($0.rawValue)" } ?? "")
            + " TO \(roles.map(\.rawValue).joined(separator: ", "))"
            + (visible.map { " USING (\($0))" } ?? "")
            + (writable.map { " WITH CHECK (\($0))" } ?? "") + ";"
    }
}

extension Access.Grant {
    /// Returns the statement that grants the commands; `nil` for none.
    package func statement(on table: String) -> String? {
        let parts = Access.Command.allCases.flatMap { command -> [String] in
            let whole = commands.contains(command) ? [command.rawValue] : []
            let names = columns[command].map {
                "\(command.rawValue) (\($0.joined(separator: ", ")))"
            }
            return whole + (names.map { [$0] } ?? [])
        }
        guard !parts.isEmpty else { return nil }
        return "GRANT \(parts.joined(separator: ", ")) ON \(table) TO \(role.rawValue);"
    }
}

extension Column {
    /// The condition of SQLite for values that PostgreSQL has a type for; its `json_valid(NULL)` is false.
    fileprivate var typeCheck: String? {
        switch kind {
        case .flag: "\(name) IN (0, 1)"
        case .json, .jsonText, .jsonObject:
            (isOptional ? "\(name) IS NULL OR " : "") + "json_valid(\(name))"
        default: nil
        }
    }
}

extension Column.Kind {
    func type(_ dialect: Dialect) -> String {
        switch (self, dialect) {
        case (.identity, .postgres): "bigint GENERATED ALWAYS AS IDENTITY"
        case (.int16, .postgres): "smallint"
        case (.int32, .postgres): "integer"
        case (.int64, .postgres): "bigint"
        case (.flag, .postgres): "boolean"
        case (.double, .postgres): "double precision"
        case (.text, .postgres), (.jsonText, .postgres): "text COLLATE \"C\""
        case (.json, .postgres): "json"
        case (.jsonObject, .postgres): "jsonb"
        case (.bytes, .postgres): "bytea"
        case (.uuid, .postgres): "uuid"
        case (.int32List, .postgres): "integer[]"
        case (.identity, .sqlite), (.int16, .sqlite), (.int32, .sqlite), (.int64, .sqlite),
            (.flag, .sqlite):
            "INTEGER"
        case (.double, .sqlite): "REAL"
        case (.bytes, .sqlite): "BLOB"
        case (_, .sqlite): "TEXT"
        }
    }

    func literal(_ value: String, _ dialect: Dialect) -> String {
        switch (self, dialect) {
        case (.flag, .sqlite): value == "TRUE" ? "1" : "0"
        case (.bytes, .sqlite): "x\(value)"
        default: value
        }
    }
}
