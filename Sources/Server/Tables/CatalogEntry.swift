/// A part of a table as the catalogs of PostgreSQL tell it.
package struct CatalogEntry: Sendable, Hashable {
    /// What is told apart.
    package enum Kind: String, Sendable, CaseIterable {
        case table, security, column, key, index, policy, grant
    }

    /// Where a part is found, whatever it is.
    package struct Place: Sendable, Hashable {
        package let table: String
        package let kind: Kind
        /// The name within the table; that of a key or a grant says all of it.
        package let name: String
    }

    package let place: Place
    /// What it is, with conditions in the form of `essence`; empty where the name says all.
    package let form: String

    package init(_ table: String, _ kind: Kind, _ name: String, _ form: String = "") {
        place = Place(table: table, kind: kind, name: name)
        self.form = form
    }

    /// Returns the expression in SQL for a condition without what PostgreSQL adds to it: parentheses, spaces, types of
    /// texts, names of results, and lists.
    package static func essence(of expression: String) -> String {
        """
        regexp_replace(regexp_replace(\(expression), ' AS \\w+|::text|[ ()\\n]', '', 'g'),
            '=ANYARRAY\\[([^]]*)\\]', 'IN\\1', 'g')
        """
    }

    /// A declared condition in the form of `essence`.
    fileprivate static func essence(_ condition: String) -> String {
        condition.filter { !" ()".contains($0) }.replacing("TRUE", with: "true")
    }
}

/// A part of a declared table, with the statements that make it.
package struct DeclaredEntry: Sendable {
    package let entry: CatalogEntry
    /// The statement that makes it where it is missing.
    package let creation: String
    /// The statement that makes it of another one in its place.
    package let replacement: String
}

extension Table {
    /// What the catalogs say of the table in a database that was made of its declaration.
    package var entries: [DeclaredEntry] {
        [existence, security] + columns(in: .postgres).map(entry) + keys.map(entry)
            + indexes.compactMap(entry) + policies.map(entry) + grants.flatMap(entries)
    }

    private var existence: DeclaredEntry {
        DeclaredEntry(
            entry: CatalogEntry(name, .table, "", "logged"),
            creation: schema(.postgres).joined(separator: " "),
            replacement: "ALTER TABLE \(path(.postgres)) SET LOGGED;"
        )
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
        let form =
            type + (isRequired ? " NOT NULL" : "") + (column.initial == nil ? "" : " DEFAULT")
        let change = "ALTER COLUMN \(column.name)"
        let initial = column.initial.map { "SET DEFAULT \(column.kind.literal($0, .postgres))" }
        let isNumbered = column.kind == .identity
        let parts =
            isNumbered
            ? ["SET NOT NULL", "ADD GENERATED ALWAYS AS IDENTITY"]
            : [
                "TYPE \(type)", isRequired ? "SET NOT NULL" : "DROP NOT NULL",
                initial ?? "DROP DEFAULT",
            ]
        return DeclaredEntry(
            entry: CatalogEntry(name, .column, column.name, form),
            creation: alteration("ADD COLUMN \(line(column, isKey: false, .postgres))"),
            replacement: alteration(parts.map { "\(change) \($0)" }.joined(separator: ", ")))
    }

    /// The keys, each as a constraint of the table.
    private var keys: [String] {
        let single = columns(in: .postgres).compactMap { column in
            column.reference.map { "FOREIGN KEY (\(column.name)) " + target($0, .postgres) }
        }
        let several = references.map {
            "FOREIGN KEY (\($0.columns.joined(separator: ", "))) " + target($0, .postgres)
        }
        let numbered = columns.filter { $0.kind == .identity && [$0.name] != key }.map { [$0.name] }
        let unique = (unique + numbered).filter { has($0, .postgres) }.map {
            "UNIQUE (\($0.joined(separator: ", ")))"
        }
        return ["PRIMARY KEY (\(key.joined(separator: ", ")))"] + unique + single + several
    }

    private func entry(_ constraint: String) -> DeclaredEntry {
        let added = alteration("ADD \(constraint)")
        return DeclaredEntry(
            entry: CatalogEntry(name, .key, constraint), creation: added, replacement: added)
    }

    private func entry(_ index: Index) -> DeclaredEntry? {
        guard let creation = creation(index, .postgres) else { return nil }
        let form =
            (index.isUnique ? "UNIQUE " : "") + index.columns.joined(separator: ", ")
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
