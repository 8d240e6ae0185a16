import CLibpq

extension PostgresConnection {
    /// A part of a pipeline that has a result of its own.
    private enum Step {
        case prepare(StatementNames.Key, String)
        case execute
    }

    /// Sends statements with one sync, and reads their results.
    ///
    /// - Parameters:
    ///   - statements: The statements.
    ///   - phase: The phase in which a loss of the connection is reported: `committing` if one of them is COMMIT.
    /// - Returns: The outcome of each.
    /// - Throws: `PostgresError` when the connection was lost or a parameter cannot be encoded.
    func run(
        _ statements: [PostgresStatement], _ phase: PostgresError.Phase
    ) throws -> [StatementOutcome] {
        if wire.isBroken { throw wire.lost(.executing) }
        var buffers: [ParameterBuffer] = []
        for (index, statement) in statements.enumerated() {
            buffers.append(try encode(statement, index))
        }
        // Nothing was sent before: a failure here has no outcome that could be unknown.
        guard unsafe PQenterPipelineMode(wire.pointer) == 1 else { throw wire.lost(.executing) }
        wire.restartDeadline()
        roundTripCount += 1
        var steps: [Step] = []
        for (statement, buffer) in zip(statements, buffers) {
            steps += try send(statement, buffer, phase)
        }
        guard unsafe PQpipelineSync(wire.pointer) == 1 else { throw wire.lost(phase) }
        try wire.flush(phase)
        let outcomes = try read(steps, phase)
        guard unsafe PQexitPipelineMode(wire.pointer) == 1 else { throw wire.lost(phase) }
        return outcomes
    }

    private func encode(
        _ statement: PostgresStatement, _ index: Int
    ) throws(PostgresError) -> ParameterBuffer {
        do throws(PostgresError) {
            try checkText(statement.sql)
            return try ParameterBuffer(statement.parameters)
        } catch {
            var error = error
            error.statementIndex = index
            throw error
        }
    }

    private func send(
        _ statement: PostgresStatement, _ buffer: ParameterBuffer, _ phase: PostgresError.Phase
    ) throws -> [Step] {
        var steps: [Step] = []
        var name: String?
        if usesNames, names.max > 0, !statement.parameters.isEmpty {
            let key = StatementNames.Key(sql: statement.sql, types: buffer.types)
            name = names.name(key)
            if name == nil, let new = names.newName() {
                name = new
                steps.append(.prepare(key, new))
                let sent = unsafe buffer.withPointers { count, types, _, _, _ in
                    unsafe PQsendPrepare(wire.pointer, new, statement.sql, count, types)
                }
                guard sent == 1 else { throw wire.lost(phase) }
            }
        }
        let sent = unsafe buffer.withPointers { count, types, values, lengths, formats in
            if let name {
                return unsafe PQsendQueryPrepared(
                    wire.pointer, name, count, values, lengths, formats, 1)
            }
            return unsafe PQsendQueryParams(
                wire.pointer, statement.sql, count, types, values, lengths, formats, 1)
        }
        guard sent == 1 else { throw wire.lost(phase) }
        return steps + [.execute]
    }

    private func read(_ steps: [Step], _ phase: PostgresError.Phase) throws -> [StatementOutcome] {
        var outcomes: [StatementOutcome] = []
        var prepareFailure: PostgresError?
        for step in steps {
            let outcome = try readOne(phase, outcomes.count)
            switch step {
            case .prepare(let key, let name):
                if case .result = outcome { names.prepared(key, name) }
                if case .failure(let error) = outcome { prepareFailure = error }
            case .execute:
                // The statement that could not be prepared was skipped, but it is the one that failed.
                outcomes.append(prepareFailure.map(StatementOutcome.failure) ?? outcome)
                prepareFailure = nil
            }
        }
        guard let end = try wire.nextResult(phase), end.status == PGRES_PIPELINE_SYNC else {
            throw wire.lost(phase)
        }
        return outcomes
    }

    /// Reads the result of one step and the mark of its end.
    private func readOne(_ phase: PostgresError.Phase, _ index: Int) throws -> StatementOutcome {
        guard let result = try wire.nextResult(phase) else { throw wire.lost(phase) }
        if var error = result.failure(.executing) {
            error.statementIndex = index
            if unsafe PQstatus(wire.pointer) != CONNECTION_OK { wire.isBroken = true }
            if result.endsSession || wire.isBroken {
                wire.isBroken = true
                error.phase = phase
                throw error
            }
            if error.code.forgetsNames { names.forget() }
            try readEnd(phase)
            return .failure(error)
        }
        if result.isCopy {
            // In a pipeline nothing can be copied, and there is no way back.
            wire.isBroken = true
            throw PostgresError(.misplacedStatement, .executing)
        }
        let isSkipped = result.status == PGRES_PIPELINE_ABORTED
        try readEnd(phase)
        return isSkipped ? .skipped : .result(PostgresResult(result: result))
    }

    private func readEnd(_ phase: PostgresError.Phase) throws {
        if try wire.nextResult(phase) != nil { throw wire.lost(phase) }
    }
}

extension SQLState {
    /// True when the names of prepared statements do not hold: another session behind a pooler, or an outdated plan.
    var forgetsNames: Bool {
        [.duplicateStatementName, .unknownStatementName, .featureNotSupported].contains(self)
    }
}
