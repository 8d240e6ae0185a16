/// The rows of a statement, and the number of affected rows.
///
/// ```swift
/// let answers = try await pool.query("SELECT counter, response FROM answer WHERE account = \(7)")
/// for answer in answers {
///     let counter = try answer.value("counter", as: Int.self)
///     let response = try answer.value("response", as: String?.self)
///     print(counter, response ?? "nothing")
/// }
/// ```
public struct PostgresResult: RandomAccessCollection, Sendable {
    let result: LibpqResult

    /// The first index.
    public var startIndex: Int { 0 }
    /// The number of rows.
    public var endIndex: Int { result.rowCount }

    /// The row at an index.
    public subscript(index: Int) -> PostgresRow {
        precondition(indices.contains(index), "The result has no such row.")
        return PostgresRow(result: result, row: Int32(index))
    }

    /// The names of the columns.
    public var columns: [String] { result.columns.names }
    /// The number of rows that an INSERT, UPDATE, DELETE, MERGE, COPY or SELECT affected.
    public var affectedRows: Int { result.affectedRows }
    /// The server's command tag, such as "INSERT 0 1".
    public var commandTag: String { result.commandTag }

    /// Decodes one column of all rows.
    ///
    /// - Throws: The error of the first value that the type cannot represent.
    public func column<Value: PostgresDecodable>(
        _ name: String, as type: Value.Type = Value.self
    ) throws(PostgresDecodingError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(count)
        let column = try result.columns.position(name)
        for row in 0..<Int32(result.rowCount) {
            values.append(try result.decode(row, column, type))
        }
        return values
    }
}

/// A row of a result.
///
/// ```swift
/// let rows = try await pool.query("SELECT now() AS time, 1::bigint AS number")
/// let number: Int = try rows[0].value("number")
/// let time = try rows[0].value("time", as: Date.self)
/// print(number, time)
/// ```
public struct PostgresRow: Sendable {
    let result: LibpqResult
    let row: Int32

    /// Decodes a column.
    ///
    /// - Throws: `PostgresDecodingError` if the column does not exist, or its value is NULL (request an optional
    ///   then) or of another type.
    public func value<Value: PostgresDecodable>(
        _ column: String, as type: Value.Type = Value.self
    ) throws(PostgresDecodingError) -> Value {
        try result.decode(row, try result.columns.position(column), type)
    }
}

extension LibpqResult {
    func decode<Value: PostgresDecodable>(
        _ row: Int32, _ column: Int32, _ type: Value.Type
    ) throws(PostgresDecodingError) -> Value {
        do throws(PostgresDecodingError.Reason) {
            return try Value.decode(PostgresField(result: self, row: row, column: column))
        } catch {
            throw PostgresDecodingError(column: columns.names[Int(column)], reason: error)
        }
    }
}
