import CLibpq

extension PostgresConnection {
    /// Sends rows to `COPY … FROM STDIN`, in constant memory.
    ///
    /// - Parameters:
    ///   - statement: The COPY, in any of its formats.
    ///   - body: The function that writes the rows. Its error ends the COPY without a row.
    /// - Returns: The number of rows.
    /// - Throws: `PostgresError`; the error of `body`; `CancellationError` if the task was cancelled.
    @discardableResult
    public func copyIn(
        _ statement: PostgresStatement, _ body: (PostgresCopyWriter) throws -> Void
    ) throws -> Int {
        try begin(statement, PGRES_COPY_IN)
        do {
            let writer = PostgresCopyWriter(self)
            try body(writer)
            try writer.flush()
            try checkCancellation()
        } catch {
            if !wire.isBroken {
                try endCopyIn(reason: "given up by the client")
                _ = try? finishCopy()  // The server repeats the reason.
            }
            throw error
        }
        try endCopyIn(reason: nil)
        return try finishCopy()
    }

    /// Receives the rows of `COPY … TO STDOUT` one at a time, in constant memory.
    ///
    /// - Parameters:
    ///   - statement: The COPY, in any of its formats.
    ///   - body: The function that receives a row in the format of the COPY. Its error cancels the COPY.
    /// - Returns: The number of rows.
    /// - Throws: `PostgresError`; the error of `body`; `CancellationError` if the task was cancelled.
    @discardableResult
    public func copyOut(
        _ statement: PostgresStatement, _ body: ([UInt8]) throws -> Void
    ) throws -> Int {
        try begin(statement, PGRES_COPY_OUT)
        do {
            while let row = try nextCopiedRow() { try body(row) }
        } catch {
            if !wire.isBroken, !wire.isCancelled { wire.cancel() }
            while !wire.isBroken, try nextCopiedRow() != nil {}
            _ = try? finishCopy()  // The server reports the cancellation.
            throw error
        }
        return try finishCopy()
    }

    private func begin(_ statement: PostgresStatement, _ expected: ExecStatusType) throws {
        try checkCancellation()
        try checkText(statement.sql)
        guard statement.parameters.isEmpty else {
            // The server accepts no parameter in a COPY.
            throw PostgresError(.misplacedStatement, .encoding)
        }
        wire.restartDeadline()
        guard unsafe PQsendQuery(wire.pointer, statement.sql) == 1 else {
            throw wire.lost(.copying)
        }
        try wire.flush(.copying)
        let result = try wire.nextResult(.copying)
        if result?.status == expected { return }
        if result?.isCopy == true { wire.isBroken = true }
        if result?.endsSession == true { wire.isBroken = true }
        while !wire.isBroken, try wire.nextResult(.copying) != nil {}
        throw result?.failure(.copying) ?? PostgresError(.misplacedStatement, .copying)
    }

    /// Sends bytes, and waits while the server is slower.
    func sendCopied(_ bytes: [UInt8]) throws {
        try checkCancellation()
        wire.restartDeadline()
        while true {
            let sent = unsafe bytes.withUnsafeBytes { bytes in
                unsafe PQputCopyData(
                    wire.pointer, bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count))
            }
            guard sent >= 0 else { throw wire.lost(.copying) }
            try wire.flush(.copying)
            if sent == 1 { return }
        }
    }

    private func endCopyIn(reason: String?) throws {
        while true {
            let sent = unsafe PQputCopyEnd(wire.pointer, reason)
            guard sent >= 0 else { throw wire.lost(.copying) }
            try wire.flush(.copying)
            if sent == 1 { return }
        }
    }

    private func nextCopiedRow() throws -> [UInt8]? {
        wire.restartDeadline()
        while true {
            var bytes: UnsafeMutablePointer<CChar>?
            let count = unsafe PQgetCopyData(wire.pointer, &bytes, 1)
            if count > 0 {
                defer { unsafe PQfreemem(bytes) }
                return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            }
            if count == -1 { return nil }
            if count < -1 { throw wire.lost(.copying) }
            _ = try wire.wait(for: .readable, .copying)
            try wire.consume(.copying)
        }
    }

    private func finishCopy() throws -> Int {
        var failure: PostgresError?
        var rows = 0
        while let result = try wire.nextResult(.copying) {
            if let error = result.failure(.copying) {
                failure = failure ?? error
                if result.endsSession { wire.isBroken = true }
            }
            rows = max(rows, result.affectedRows)
            if wire.isBroken { break }
        }
        if let failure { throw failure }
        if wire.isBroken { throw wire.lost(.copying) }
        return rows
    }
}

/// The writer of rows to a COPY; valid only within the closure that received it.
///
/// ```swift
/// let count = try await pool.use { connection in
///     try connection.copyIn("COPY name (number, text) FROM STDIN") { rows in
///         try rows.write(row: ["1", "Zürich"])
///         try rows.write(row: ["2", nil])
///     }
/// }
/// print(count)  // 2
/// ```
public final class PostgresCopyWriter {
    /// The bytes that are collected before they are sent.
    private static let bufferBytes = 64 * 1024

    private let connection: PostgresConnection
    private var buffer: [UInt8] = []

    init(_ connection: PostgresConnection) {
        self.connection = connection
        buffer.reserveCapacity(Self.bufferBytes)
    }

    /// Appends bytes in the format of the COPY.
    ///
    /// - Throws: `PostgresError`, `CancellationError`.
    public func write(_ bytes: some Collection<UInt8>) throws {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferBytes { try flush() }
    }

    /// Appends a row in the text format, which is the default; `nil` is NULL.
    ///
    /// - Throws: `PostgresError`, `CancellationError`.
    public func write(row: [String?]) throws {
        CopyText.append(row, to: &buffer)
        if buffer.count >= Self.bufferBytes { try flush() }
    }

    func flush() throws {
        guard !buffer.isEmpty else { return }
        try connection.sendCopied(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
