package import GRDB
import GRDBSQLite

/// A statement whose values are bound and read by hand: a third of the cost of arrays of `DatabaseValue` for thousands
/// of rows.
///
/// It suits statements that run many times within a transaction that the caller opened. GRDB's observations of the
/// database are not notified.
package struct BoundStatement {
    private let database: Database
    /// The prepared statement's owner.
    private let statement: Statement
    private let pointer: SQLiteStatement

    /// Returns a statement from the connection's cache, or prepares it.
    ///
    /// - Throws: An error of the database.
    package init(_ database: Database, _ sql: String) throws {
        self.database = database
        statement = try database.cachedStatement(sql: sql)
        pointer = statement.sqliteStatement
        reset()
    }

    /// Ends a run and clears the bound values.
    package func reset() {
        // The code repeats what the last step said.
        sqlite3_reset(pointer)
        sqlite3_clear_bindings(pointer)
    }

    // MARK: Binding

    /// Binds an integer; places begin at 1.
    package func bind(_ value: Int64, at place: Int32) throws {
        try check(sqlite3_bind_int64(pointer, place, value))
    }

    /// Binds a boolean as 0 or 1.
    package func bind(_ value: Bool, at place: Int32) throws {
        try check(sqlite3_bind_int64(pointer, place, value ? 1 : 0))
    }

    /// Binds a number.
    package func bind(_ value: Double, at place: Int32) throws {
        try check(sqlite3_bind_double(pointer, place, value))
    }

    /// Binds a text, which SQLite copies; `nil` is NULL.
    package func bind(_ value: String?, at place: Int32) throws {
        guard var value else { return try bindNull(at: place) }
        if value.isEmpty {
            // Without an address it would be NULL.
            return try check(sqlite3_bind_text(pointer, place, "", 0, Self.transient))
        }
        let code = value.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                sqlite3_bind_text(
                    pointer, place, text.baseAddress, Int32(text.count), Self.transient)
            }
        }
        try check(code)
    }

    /// Binds NULL.
    package func bindNull(at place: Int32) throws {
        try check(sqlite3_bind_null(pointer, place))
    }

    /// SQLite's constant for a text that it must copy: -1 instead of a function.
    private static var transient: sqlite3_destructor_type {
        unsafeBitCast(OpaquePointer(bitPattern: -1), to: sqlite3_destructor_type.self)
    }

    // MARK: Running

    /// Runs a statement that has no rows, and resets it for the next values.
    ///
    /// - Throws: An error of the database.
    package func run() throws {
        let code = sqlite3_step(pointer)
        guard code == SQLITE_DONE else { throw failure(code) }
        sqlite3_reset(pointer)
    }

    /// Runs a statement, and returns the integer in the first column of its first row.
    ///
    /// - Throws: An error of the database.
    package func integer() throws -> Int64? {
        defer { sqlite3_reset(pointer) }
        return try next() ? integer(0) : nil
    }

    /// Steps to the next row; false after the last.
    ///
    /// - Throws: An error of the database.
    package func next() throws -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw failure(code)
        }
    }

    /// The number of rows that the last run changed.
    package var changesCount: Int { database.changesCount }

    // MARK: Reading

    /// Returns true for NULL in a column; columns begin at 0.
    package func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(pointer, column) == SQLITE_NULL
    }

    /// Returns true for a text in a column.
    package func isText(_ column: Int32) -> Bool {
        sqlite3_column_type(pointer, column) == SQLITE_TEXT
    }

    /// Returns the integer in a column; 0 for NULL.
    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(pointer, column) }

    /// Returns the number in a column; 0 for NULL.
    package func double(_ column: Int32) -> Double { sqlite3_column_double(pointer, column) }

    /// Returns the text in a column; `nil` for NULL.
    package func text(_ column: Int32) -> String? {
        guard let bytes = sqlite3_column_text(pointer, column) else { return nil }
        let count = Int(sqlite3_column_bytes(pointer, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    // MARK: Failures

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private func failure(_ code: Int32) -> DatabaseError {
        let message = database.lastErrorMessage
        reset()
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }
}
