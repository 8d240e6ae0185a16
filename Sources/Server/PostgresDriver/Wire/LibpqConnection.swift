import CLibpq

/// A connection of libpq in its non-blocking mode, and the waiting around it; used by one thread at a time.
///
/// Every wait ends: with the reply, at the deadline, or, after a cancellation, at the end of a grace period.
@safe final class LibpqConnection {
    /// The time that the server has to confirm a cancellation.
    private static let grace = Duration.seconds(5)
    /// libpq may have decrypted more than it parsed, which a socket does not show: look again after this time.
    private static let glanceMilliseconds = Int64(1_000)

    let pointer: OpaquePointer
    let interrupt: Interrupt
    /// The longest time without a byte from the server.
    var replyTimeout: Duration
    /// True after a cancellation of the current use was requested from the server.
    private(set) var isCancelled = false
    /// True while a cancellation of the task does not concern the statement, such as a ROLLBACK.
    var ignoresInterrupt = true
    /// True when nothing can be sent any more.
    var isBroken = false
    private let clock = ContinuousClock()
    private var deadline: ContinuousClock.Instant

    /// Takes ownership of a connection.
    init(owning pointer: OpaquePointer, interrupt: Interrupt, replyTimeout: Duration) {
        unsafe self.pointer = pointer
        self.interrupt = interrupt
        self.replyTimeout = replyTimeout
        deadline = clock.now + replyTimeout
    }

    deinit { unsafe PQfinish(pointer) }

    /// Begins a use, which a cancellation of its task ends.
    func beginUse() { (isCancelled, ignoresInterrupt) = (false, false) }

    /// Ends a use: what follows is no part of a task.
    func endUse() { (isCancelled, ignoresInterrupt) = (false, true) }

    /// Grants the server the whole time for its next reply.
    func restartDeadline() { deadline = clock.now + (isCancelled ? Self.grace : replyTimeout) }

    func setDeadline(after duration: Duration) { deadline = clock.now + duration }

    /// Sends the data that libpq has buffered, while reading the server's data.
    func flush(_ phase: PostgresError.Phase) throws {
        while true {
            switch unsafe PQflush(pointer) {
            case 0: return
            case 1:
                if try wait(for: [.readable, .writable], phase).contains(.readable) {
                    try consume(phase)
                }
            default: throw lost(phase)
            }
        }
    }

    /// Waits for the next result; `nil` at the end of a statement.
    func nextResult(
        _ phase: PostgresError.Phase, sharing columns: ColumnSet? = nil
    ) throws -> LibpqResult? {
        while unsafe PQisBusy(pointer) == 1 {
            let ready = try wait(for: .readable, phase)
            // A server that ends the session may have said why: the result has it.
            if unsafe PQconsumeInput(pointer) == 0 {
                isBroken = true
                break
            }
            if !ready.isEmpty, !isCancelled { restartDeadline() }
            try flush(phase)
        }
        return unsafe PQgetResult(pointer).map { unsafe LibpqResult(owning: $0, sharing: columns) }
    }

    /// Reads what has arrived.
    func consume(_ phase: PostgresError.Phase) throws {
        if unsafe PQconsumeInput(pointer) == 0 { throw lost(phase) }
    }

    /// The states of a socket.
    struct Readiness: OptionSet {
        let rawValue: Int
        static let readable = Readiness(rawValue: UNDERWAY_READABLE)
        static let writable = Readiness(rawValue: UNDERWAY_WRITABLE)
    }

    /// Waits until the socket is ready, forwarding a cancellation to the server.
    ///
    /// - Returns: The states that it is in; none after a second without a change.
    /// - Throws: `PostgresError` `replyOverdue` at the deadline, `connectionLost`.
    func wait(for states: Readiness, _ phase: PostgresError.Phase) throws -> Readiness {
        while true {
            let left = deadline - clock.now
            guard left > .zero else {
                isBroken = true
                throw PostgresError(.replyOverdue, phase)
            }
            let found = underway_poll(
                unsafe PQsocket(pointer), states.contains(.readable) ? 1 : 0,
                states.contains(.writable) ? 1 : 0,
                isCancelled || ignoresInterrupt ? -1 : interrupt.descriptor,
                Int32(min(left.milliseconds + 1, Self.glanceMilliseconds)))
            if found < 0 { throw lost(phase) }
            if Int(found) & UNDERWAY_WOKEN != 0 {
                // Before there is a session, there is nothing to cancel.
                if phase == .connecting { throw CancellationError() }
                cancel()
            }
            let ready = Readiness(rawValue: Int(found)).intersection([.readable, .writable])
            if !ready.isEmpty || found == 0 { return ready }
        }
    }

    /// Asks the server to cancel the running statement, and grants it a grace period to confirm.
    func cancel() {
        isCancelled = true
        if unsafe PQstatus(pointer) == CONNECTION_OK {
            // An undelivered request leaves the grace period, after which the connection is closed.
            _ = unsafe underway_pq_cancel(pointer)
        }
        restartDeadline()
    }

    func lost(_ phase: PostgresError.Phase) -> PostgresError {
        isBroken = true
        return PostgresError(.connectionLost, phase)
    }
}

extension Duration {
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}

extension LibpqConnection {
    /// The bytes that a server has sent to an idle connection.
    enum Arrival {
        case nothing
        /// A changed setting, or the reason why the session is about to end.
        case something
        case end
    }

    /// Reads what arrived while the connection was idle.
    func arrival() -> Arrival {
        let found = underway_poll(unsafe PQsocket(pointer), 1, 0, -1, 0)
        if found == 0 { return .nothing }
        if found > 0, unsafe PQconsumeInput(pointer) == 1 {
            // Parses it.
            _ = unsafe PQisBusy(pointer)
            if unsafe PQstatus(pointer) == CONNECTION_OK { return .something }
        }
        isBroken = true
        return .end
    }
}
