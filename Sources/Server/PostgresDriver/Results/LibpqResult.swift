import CLibpq

/// A result of libpq, freed with its last reference.
///
/// `@unchecked Sendable`: nothing writes to a result after libpq has returned it, and libpq's accessors of results
/// only read (manual, section "Behavior in Threaded Programs"); the one call that frees it is in `deinit`.
@safe final class LibpqResult: @unchecked Sendable {
    private let pointer: OpaquePointer
    let rowCount: Int
    let columns: ColumnSet

    /// Takes ownership of a result; its columns are those of an earlier row of the same statement, if there is one.
    init(owning pointer: OpaquePointer, sharing columns: ColumnSet? = nil) {
        unsafe self.pointer = pointer
        rowCount = Int(unsafe PQntuples(pointer))
        self.columns = unsafe columns ?? ColumnSet(of: pointer)
    }

    deinit { unsafe PQclear(pointer) }

    var status: ExecStatusType { unsafe PQresultStatus(pointer) }

    var commandTag: String { unsafe String(cString: PQcmdStatus(pointer)) }

    var affectedRows: Int { Int(unsafe String(cString: PQcmdTuples(pointer))) ?? 0 }

    func isNull(_ row: Int32, _ column: Int32) -> Bool {
        unsafe PQgetisnull(pointer, row, column) == 1
    }

    func length(_ row: Int32, _ column: Int32) -> Int {
        Int(unsafe PQgetlength(pointer, row, column))
    }

    /// Reads an integer; the caller has checked the bounds.
    func load<Number: FixedWidthInteger>(
        _ row: Int32, _ column: Int32, _ offset: Int, as type: Number.Type
    ) -> Number {
        let bytes = unsafe UnsafeRawPointer(PQgetvalue(pointer, row, column))
        guard let bytes = unsafe bytes else { return 0 }
        return Number(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: type))
    }

    /// Copies bytes; the caller has checked the bounds.
    func array(_ row: Int32, _ column: Int32, _ offset: Int, _ count: Int) -> [UInt8] {
        unsafe Array(buffer(row, column, offset, count))
    }

    /// Decodes bytes; the caller has checked the bounds.
    func text(_ row: Int32, _ column: Int32, _ offset: Int, _ count: Int) -> String? {
        let bytes = unsafe buffer(row, column, offset, count)
        guard unsafe !bytes.contains(0) else { return nil }
        return unsafe String(validating: bytes, as: UTF8.self)
    }

    private func buffer(
        _ row: Int32, _ column: Int32, _ offset: Int, _ count: Int
    ) -> UnsafeRawBufferPointer {
        let bytes = unsafe UnsafeRawPointer(PQgetvalue(pointer, row, column))
        return unsafe UnsafeRawBufferPointer(start: bytes.map { unsafe $0 + offset }, count: count)
    }
}

extension LibpqResult {
    /// Returns the failure that this result reports, if it is one.
    func failure(_ phase: PostgresError.Phase) -> PostgresError? {
        switch status {
        case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE, PGRES_NONFATAL_ERROR: break
        default: return nil
        }
        let code = unsafe underway_pq_sqlstate(pointer).map { unsafe String(cString: $0) }
        var error = PostgresError(code.map(SQLState.init) ?? .connectionLost, phase)
        error.schema = unsafe name(underway_pq_schema(pointer))
        error.table = unsafe name(underway_pq_table(pointer))
        error.column = unsafe name(underway_pq_column(pointer))
        error.constraint = unsafe name(underway_pq_constraint(pointer))
        error.dataType = unsafe name(underway_pq_data_type(pointer))
        error.serverMessage = unsafe name(underway_pq_message(pointer)).map(HiddenText.init)
        return error
    }

    /// True when the server ends the session after this error.
    var endsSession: Bool {
        let severity = unsafe name(underway_pq_severity(pointer))
        return severity == "FATAL" || severity == "PANIC"
    }

    private func name(_ text: UnsafePointer<CChar>?) -> String? {
        unsafe text.map { unsafe String(cString: $0) }
    }
}
