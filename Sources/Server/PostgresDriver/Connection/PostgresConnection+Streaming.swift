import CLibpq

extension PostgresConnection {
    /// Executes one statement, and calls `body` with each row.
    ///
    /// It uses constant memory.
    ///
    /// - Parameters:
    ///   - statement: The statement.
    ///   - body: The function that receives a row. Its error cancels the statement.
    /// - Returns: The number of rows.
    /// - Throws: `PostgresError`, possibly after rows were received; the error of `body`; `CancellationError`.
    @discardableResult
    public func forEachRow(
        of statement: PostgresStatement, _ body: (PostgresRow) throws -> Void
    ) throws -> Int {
        try checkCancellation()
        try checkText(statement.sql)
        try sendAlone(statement)
        var columns: ColumnSet?
        var count = 0
        do {
            while let result = try nextRow(&columns) {
                try body(PostgresRow(result: result, row: 0))
                count += 1
            }
        } catch let error as PostgresError {
            // The statement has ended by itself.
            if !wire.isBroken { try finishRows() }
            throw error
        } catch {
            if !wire.isBroken, !wire.isCancelled { wire.cancel() }
            if !wire.isBroken { try finishRows() }
            throw error
        }
        try finishRows()
        return count
    }

    private func sendAlone(_ statement: PostgresStatement) throws {
        let buffer = try ParameterBuffer(statement.parameters)
        wire.restartDeadline()
        // In a pipeline of its own: outside of one, libpq would go on with single rows in the next pipeline.
        guard unsafe PQenterPipelineMode(wire.pointer) == 1 else { throw wire.lost(.executing) }
        let sent = unsafe buffer.withPointers { count, types, values, lengths, formats in
            unsafe PQsendQueryParams(
                wire.pointer, statement.sql, count, types, values, lengths, formats, 1)
        }
        guard sent == 1, unsafe PQpipelineSync(wire.pointer) == 1,
            unsafe PQsetSingleRowMode(wire.pointer) == 1
        else { throw wire.lost(.executing) }
        try wire.flush(.executing)
    }

    /// Returns the next row; `nil` when there are no more.
    private func nextRow(_ columns: inout ColumnSet?) throws -> LibpqResult? {
        guard let result = try wire.nextResult(.executing, sharing: columns) else {
            throw wire.lost(.executing)
        }
        columns = result.columns
        if result.status == PGRES_SINGLE_TUPLE { return result }
        if let error = result.failure(.executing) {
            if result.endsSession { wire.isBroken = true }
            throw error
        }
        if result.isCopy {
            wire.isBroken = true
            throw PostgresError(.misplacedStatement, .executing)
        }
        return nil
    }

    /// Reads the rest of the pipeline, and leaves it.
    private func finishRows() throws {
        while try wire.nextResult(.executing)?.status != PGRES_PIPELINE_SYNC {
            if wire.isBroken { throw wire.lost(.executing) }
        }
        guard unsafe PQexitPipelineMode(wire.pointer) == 1 else { throw wire.lost(.executing) }
    }
}
