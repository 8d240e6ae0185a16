/// A copy between both kinds of database: its rows have the same columns in the same order in both.
///
/// Values are integers (a flag is 0 or 1), numbers, texts (JSON too) and bytes. The numbers of devices differ between
/// databases, so that a reference to a device is copied as the device's name.
extension Table {
    /// The columns that a copy contains: those that both databases have and that are not derived from other rows.
    package var copiedColumns: [Column] {
        columns.filter {
            !$0.isDerived && ($0.place == .both || isOfDevice && $0.name == "account")
        }
    }

    /// Returns the query of the copied rows, in the order of the key.
    ///
    /// - Parameters:
    ///   - dialect: The language of the database.
    ///   - computed: The expressions of computed columns, by name.
    /// - Returns: The SQL.
    package func copySelection(_ dialect: Dialect, computed: [String: String] = [:]) -> String {
        let list = copiedColumns.map { column in
            let value = computed[column.name] ?? source(column.name, dialect)
            return "\(column.kind.copied(value, dialect)) AS \(column.name)"
        }
        let order = key.map { source($0, dialect) }
        return "SELECT \(self.list(list)) FROM \(path(dialect)) AS its"
            + (isOfDevice ? " JOIN \(devices(dialect))" : "") + condition
            + " ORDER BY \(self.list(order))"
    }

    /// Returns the statement that inserts a row, with a parameter for each value except those of `without`.
    ///
    /// SQLite's statement has one numbered parameter for each copied column. PostgreSQL's inserts all `rows`, with
    /// bytes as hexadecimal text; only PostgreSQL has the `further` columns.
    package func copyInsertion(
        _ dialect: Dialect, without: Set<String> = [], further: [Column] = []
    ) -> String {
        let places = Array(copiedColumns.enumerated()).filter { !without.contains($0.element.name) }
        let columns = places.map(\.element) + further
        let hasAccount = !isOfDevice || dialect == .postgres
        let names = columns.map(\.name).filter { hasAccount || $0 != "account" }
        let head = "INSERT INTO \(path(dialect)) (\(list(names)))"
        guard dialect == .postgres else {
            let values = places.filter { hasAccount || $0.element.name != "account" }
                .map { isDevice($0.element) ? device : "?\($0.offset + 1)" }
            return "\(head) VALUES (\(list(values)))"
        }
        let values = columns.map {
            $0.kind.restored(isDevice($0) ? "device.number" : "its.\($0.name)")
        }
        return head + (columns.contains { $0.kind == .identity } ? " OVERRIDING SYSTEM VALUE" : "")
            + " SELECT \(list(values)) FROM rows AS its" + (isOfDevice ? named : "")
    }

    /// Returns true for a column whose values are copied as device names.
    package func isDevice(_ column: Column) -> Bool { isOfDevice && column.name == "device" }

    private var isOfDevice: Bool { references.contains { $0.table == "device" } }

    private var condition: String {
        if case .rows(let condition) = copied { " WHERE \(condition)" } else { "" }
    }

    private func source(_ name: String, _ dialect: Dialect) -> String {
        guard isOfDevice else { return "its.\(name)" }
        return switch name {
        case "device": "device.name"
        case "account": "device.account"
        default: "its.\(name)"
        }
    }

    private func devices(_ dialect: Dialect) -> String {
        "\(Self.path("device", dialect)) AS device ON device.number = its.device"
            + (dialect == .postgres ? " AND device.account = its.account" : "")
    }

    /// The number of the device, of which the account and the name are the first values.
    private var device: String { "(SELECT number FROM device WHERE account = ?1 AND name = ?2)" }

    private var named: String {
        " JOIN underway.device AS device ON device.account = its.account AND device.name = its.device"
    }
}

extension Column.Kind {
    fileprivate func copied(_ value: String, _ dialect: Dialect) -> String {
        switch (self, dialect) {
        case (.flag, .postgres): "\(value)::integer"
        case (.json, .postgres), (.jsonObject, .postgres), (.uuid, .postgres): "\(value)::text"
        default: value
        }
    }

    fileprivate func restored(_ value: String) -> String {
        switch self {
        case .flag: "\(value) <> 0"
        case .json: "\(value)::json"
        case .jsonObject: "\(value)::jsonb"
        case .uuid: "\(value)::uuid"
        case .bytes: "decode(\(value), 'hex')"
        default: value
        }
    }
}
