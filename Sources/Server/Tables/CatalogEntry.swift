/// A part of a table as the catalogs of PostgreSQL describe it.
package struct CatalogEntry: Sendable, Hashable {
    /// The kinds of parts.
    package enum Kind: String, Sendable {
        case table, security, column, key, index, policy, grant
    }

    /// The identity of a part, apart from its form.
    package struct Place: Sendable, Hashable {
        package let table: String
        package let kind: Kind
        /// The name within the table; for a key, its kind and columns; for a grant, its whole text.
        package let name: String
    }

    package let place: Place
    /// The rest of the declaration, with conditions in the form of `essence`; empty if the name is complete.
    package let form: String

    package init(_ table: String, _ kind: Kind, _ name: String, _ form: String = "") {
        place = Place(table: table, kind: kind, name: name)
        self.form = form
    }

    /// Returns an SQL expression for the essence of a condition, without PostgreSQL's own additions.
    ///
    /// These are parentheses, spaces, text types, result names, and the other spelling of `IN`. Quoted texts stay
    /// unchanged. Without parentheses, two conditions compare correctly only if they do not mix AND and OR; no declared
    /// condition does.
    package static func essence(of expression: String) -> String {
        """
        replace(regexp_replace(\(expression), '(''[^'']*'')| AS \\w+|::text|[] ()\\n[]', '\\1', 'g'),
            '=ANYARRAY', 'IN')
        """
    }

    /// Returns a declared condition in the form of `essence`.
    fileprivate static func essence(_ condition: String) -> String {
        let parts = condition.split(separator: "'", omittingEmptySubsequences: false)
        return parts.enumerated().map { place, part in
            // Every other part is within quotes.
            place.isMultiple(of: 2)
                ? part.filter { !" ()".contains($0) }.replacing("TRUE", with: "true") : String(part)
        }.joined(separator: "'")
    }
}

/// A part of a declared table, with the statements that create it.
package struct DeclaredEntry: Sendable {
    package let entry: CatalogEntry
    /// The statement that creates the part if it is missing.
    package let creation: String
    /// The statement that replaces a part of another form; for a key, after that key was dropped.
    package let replacement: String
    /// The type of a column, and the statement that changes another type to it.
    package var type: (name: String, change: String)?
    /// True when `replacement` reads rows that policies hide from the owner, or changes the table's owner.
    package var needsSuperuser = false
}

extension Table {
    /// The catalog entries that a database created from the declaration has, each part once.
    package var entries: [DeclaredEntry] {
        let all =
            [existence, security] + columns(in: .postgres).map(entry) + keys
            + indexes.compactMap(entry) + policies.map(entry) + grants.flatMap(entries)
        var known: Set<CatalogEntry> = []
        return all.filter { known.insert($0.entry).inserted }
    }

    private var existence: DeclaredEntry {
        DeclaredEntry(
            entry: CatalogEntry(name, .table, "", "logged"),
            creation: schema(.postgres).joined(separator: " "),
            replacement: alteration("SET LOGGED") + " " + alteration("OWNER TO underway_owner"),
            needsSuperuser: true)
    }

    private var security: DeclaredEntry {
        let forced = ["ENABLE", "FORCE"].map {
            "ALTER TABLE \(path(.postgres)) \($0) ROW LEVEL SECURITY;"
        }.joined(separator: " ")
        return DeclaredEntry(
            entry: CatalogEntry(name, .security, "", "forced"), creation: forced,
            replacement: forced)
    }

    private func entry(_ column: Column) -> DeclaredEntry {
        let (type, isRequired) = (column.kind.type(.postgres), !column.isOptional)
        let initial = column.initial.map { column.kind.literal($0, .postgres) }
        let form =
            type + (isRequired ? " NOT NULL" : "")
            + (initial.map { " DEFAULT \(column.kind.stored($0))" } ?? "")
        let entry = CatalogEntry(name, .column, column.name, form)
        let change = "ALTER COLUMN \(column.name)"
        guard column.kind != .identity else {
            return DeclaredEntry(
                entry: entry, creation: alteration("ADD COLUMN \(column.name) \(type)"),
                replacement: renumbering(column), needsSuperuser: true)
        }
        let parts = [
            isRequired ? "SET NOT NULL" : "DROP NOT NULL",
            initial.map { "SET DEFAULT \($0)" } ?? "DROP DEFAULT",
        ]
        return DeclaredEntry(
            entry: entry,
            creation: alteration("ADD COLUMN \(line(column, isKey: false, .postgres))"),
            replacement: alteration(parts.map { "\(change) \($0)" }.joined(separator: ", ")),
            type: (
                type,
                alteration(
                    "\(change) DROP DEFAULT, \(change) TYPE \(type)"
                        + " USING \(column.name)::\(type.prefix { $0 != " " || column.kind == .double })"
                )
            ))
    }

    /// Gives the numbers on far behind the last one: those of removed rows are never given again.
    private func renumbering(_ column: Column) -> String {
        let (path, change) = (path(.postgres), "ALTER COLUMN \(column.name)")
        return alteration("\(change) DROP IDENTITY IF EXISTS") + " "
            + alteration(
                "\(change) DROP DEFAULT, \(change) SET NOT NULL, \(change)"
                    + " ADD GENERATED ALWAYS AS IDENTITY")
            + " SELECT setval(pg_get_serial_sequence('\(path)', '\(column.name)'),"
            + " (SELECT coalesce(max(\(column.name)), 0) + 1000000 FROM \(path)));"
    }

    private var keys: [DeclaredEntry] {
        let single = columns(in: .postgres).compactMap(\.reference)
        let numbered = columns.filter { $0.kind == .identity && [$0.name] != key }.map { [$0.name] }
        return [key(of: "PRIMARY KEY", "(\(list(key)))")]
            + (unique + numbered).filter { has($0, .postgres) }.map {
                key(of: "UNIQUE (\(list($0)))", "")
            }
            + (single + references).map {
                key(of: "FOREIGN KEY (\(list($0.columns)))", target($0, .postgres))
            }
    }

    private func key(of name: String, _ form: String) -> DeclaredEntry {
        let added = alteration("ADD \(name)\(form.isEmpty ? "" : " ")\(form)")
        return DeclaredEntry(
            entry: CatalogEntry(self.name, .key, name, form), creation: added, replacement: added)
    }

    private func entry(_ index: Index) -> DeclaredEntry? {
        guard let creation = creation(index, .postgres) else { return nil }
        let form =
            (index.isUnique ? "UNIQUE " : "") + list(index.columns)
            + (index.condition.map { " WHERE " + CatalogEntry.essence($0) } ?? "")
        let path = "\(name)_\(index.name)"
        return DeclaredEntry(
            entry: CatalogEntry(name, .index, path, form), creation: creation,
            replacement: "DROP INDEX underway.\(path); \(creation)")
    }

    private func entry(_ policy: Access.Policy) -> DeclaredEntry {
        let creation = policy.creation(on: path(.postgres))
        let roles = policy.roles.map(\.rawValue).sorted().joined(separator: ",")
        let form = [
            policy.command?.rawValue ?? "ALL", "PERMISSIVE", roles,
            CatalogEntry.essence(policy.visible ?? ""), CatalogEntry.essence(policy.writable ?? ""),
        ].joined(separator: "/")
        return DeclaredEntry(
            entry: CatalogEntry(name, .policy, policy.name, form), creation: creation,
            replacement: "DROP POLICY \(policy.name) ON \(path(.postgres)); \(creation)")
    }

    private func entries(_ grant: Access.Grant) -> [DeclaredEntry] {
        let whole = grant.commands.map(\.rawValue)
        let parts = grant.columns.flatMap { command, columns in
            columns.map { "\(command.rawValue) (\($0))" }
        }
        return (whole + parts).map { right in
            let creation = "GRANT \(right) ON \(path(.postgres)) TO \(grant.role.rawValue);"
            return DeclaredEntry(
                entry: CatalogEntry(name, .grant, "\(right) TO \(grant.role.rawValue)"),
                creation: creation, replacement: creation)
        }
    }

    private func alteration(_ change: String) -> String {
        "ALTER TABLE \(path(.postgres)) \(change);"
    }
}

extension Column.Kind {
    /// Returns the default of a column as PostgreSQL writes it, without its type.
    fileprivate func stored(_ literal: String) -> String {
        switch self {
        case .flag: literal.lowercased()
        case .bytes: "'\\x'"
        default: literal
        }
    }
}
