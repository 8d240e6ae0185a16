import CLibpq

extension LibpqConnection {
    /// Connects to the first host of an address that accepts.
    ///
    /// - Throws: `PostgresError` of the last host, in phase `connecting`; `CancellationError`.
    static func connect(
        _ address: PostgresAddress, interrupt: Interrupt, replyTimeout: Duration
    ) throws -> LibpqConnection {
        var passes = [address.sessionAttributes]
        // Only after no host is a standby does any other do.
        if address.sessionAttributes == .preferStandby { passes = [.standby, .any] }
        var failure = PostgresError(.cannotConnect, .connecting)
        for attributes in passes {
            for host in address.hosts {
                do {
                    return try connect(
                        address, host, attributes, interrupt: interrupt, replyTimeout: replyTimeout)
                } catch let error as PostgresError {
                    if interrupt.isRequested { throw CancellationError() }
                    failure = error
                }
            }
        }
        throw failure
    }

    private static func connect(
        _ address: PostgresAddress, _ host: PostgresAddress.Host,
        _ attributes: PostgresAddress.SessionAttributes, interrupt: Interrupt,
        replyTimeout: Duration
    ) throws -> LibpqConnection {
        let settings = ConnectionSettings(address, host, attributes, replyTimeout)
        guard settings.values.allSatisfy({ !$0.1.utf8.contains(0) }),
            let pointer = unsafe start(settings.values)
        else { throw PostgresError(.cannotConnect, .connecting) }
        let connection = unsafe LibpqConnection(
            owning: pointer, interrupt: interrupt, replyTimeout: replyTimeout)
        unsafe underway_pq_silence(pointer)
        connection.ignoresInterrupt = false
        connection.setDeadline(after: address.connectTimeout)
        try connection.complete()
        unsafe PQsetErrorVerbosity(pointer, PQERRORS_TERSE)
        guard unsafe PQsetnonblocking(pointer, 1) == 0 else { throw connection.lost(.connecting) }
        return connection
    }

    private static func start(_ values: [(String, String)]) -> OpaquePointer? {
        let keys = CStringList(values.map(\.0))
        let texts = CStringList(values.map(\.1))
        return unsafe keys.withPointers { keys in
            unsafe texts.withPointers { texts in unsafe PQconnectStartParams(keys, texts, 0) }
        }
    }

    /// Carries libpq through the steps of connecting.
    private func complete() throws {
        guard unsafe PQstatus(pointer) != CONNECTION_BAD else { throw refusal() }
        var step = PGRES_POLLING_WRITING
        while true {
            switch step {
            case PGRES_POLLING_READING: try ready(.readable)
            case PGRES_POLLING_WRITING: try ready(.writable)
            case PGRES_POLLING_OK: return
            default: throw refusal()
            }
            step = unsafe PQconnectPoll(pointer)
        }
    }

    /// Waits for a state of the socket, without which libpq must not go on.
    private func ready(_ state: Readiness) throws {
        while try wait(for: state, .connecting).isEmpty {}
        if interrupt.isRequested { throw CancellationError() }
    }

    /// Reads the SQLSTATE out of libpq's words, which are the only place where it is.
    private func refusal() -> PostgresError {
        let words = unsafe String(cString: PQerrorMessage(pointer))
        isBroken = true
        var error = PostgresError(
            ConnectionRefusal.code(in: words) ?? .cannotConnect, .connecting)
        error.serverMessage = HiddenText(words)
        return error
    }
}

/// The settings of libpq for one host.
struct ConnectionSettings {
    let values: [(String, String)]

    init(
        _ address: PostgresAddress, _ host: PostgresAddress.Host,
        _ attributes: PostgresAddress.SessionAttributes, _ replyTimeout: Duration
    ) {
        let all: [(String, String?)] = [
            ("host", host.name), ("port", "\(host.port)"), ("user", address.user),
            ("password", address.password?.reveal()), ("dbname", address.database),
            ("sslmode", address.tlsMode.rawValue), ("sslrootcert", address.rootCertificate),
            ("sslcert", address.clientCertificate), ("sslkey", address.clientKey),
            ("target_session_attrs", attributes.rawValue),
            ("application_name", address.applicationName), ("client_encoding", "UTF8"),
            // A peer that vanished is noticed, also while a cancellation is sent.
            ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "\(replyTimeout.milliseconds)"),
        ]
        values = all.compactMap { key, value in value.map { (key, $0) } }
    }
}

/// The words in which libpq reports that it could not connect.
enum ConnectionRefusal {
    /// Returns the SQLSTATE at the end of a line, as in `FATAL:  53300`.
    static func code(in words: String) -> SQLState? {
        words.split(whereSeparator: \.isNewline)
            .compactMap { $0.split(separator: " ").last }
            .last(where: SQLState.isCode)
            .map { SQLState(rawValue: String($0)) }
    }
}
