import CLibpq

/// A notification that a session sent with NOTIFY.
public struct PostgresNotification: Sendable, Hashable {
    /// The channel.
    public var channel: String
    /// The payload; empty if there is none.
    public var payload: String
    /// The number of the process that serves the sender's session.
    public var serverProcess: Int
}

/// A receiver of notifications, on a connection of its own.
///
/// A notification is a hint of a change. A slow reader loses notifications above its buffer, and every reader loses
/// those during a disconnection. Read the state after `listen` has called its closure, and after each hint. No
/// notification arrives through a pooler in transaction mode.
///
/// ```swift
/// let listener = PostgresListener(try PostgresAddress("postgres://app@localhost/underway"))
/// try await listener.listen(to: ["release"]) { notifications in
///     for try await notification in notifications {
///         print(notification.payload)
///     }
/// }
/// ```
public struct PostgresListener: Sendable {
    /// The stream of notifications; it ends with an error if the connection is lost.
    public typealias Notifications = AsyncThrowingStream<PostgresNotification, any Error>

    private let address: PostgresAddress
    private let replyTimeout: Duration

    /// Creates a receiver.
    public init(_ address: PostgresAddress, replyTimeout: Duration = .seconds(30)) {
        self.address = address
        self.replyTimeout = replyTimeout
    }

    /// Listens to channels while a closure runs.
    ///
    /// - Parameters:
    ///   - channels: The channels.
    ///   - bufferMax: The maximum number of buffered notifications; the oldest are dropped first.
    ///   - body: The closure, which is called once, after the server listens.
    /// - Returns: The value of `body`.
    /// - Throws: `PostgresError`; the error of `body`; `CancellationError`.
    public func listen<Value: Sendable>(
        to channels: [String], bufferMax: Int = 256,
        _ body: (Notifications) async throws -> Value
    ) async throws -> Value {
        let thread = ConnectionThread()
        try await thread.open(address, replyTimeout: replyTimeout, namesMax: 0)
        let statements = channels.map { "LISTEN \(identifier: $0)" as PostgresStatement }
        _ = try await thread.use { try $0.pipeline(statements) }.get()
        let (notifications, continuation) = Notifications.makeStream(
            bufferingPolicy: .bufferingNewest(bufferMax))
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await thread.use { connection in
                        try connection.forwardNotifications { continuation.yield($0) }
                    }.get()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            defer { group.cancelAll() }
            return try await body(notifications)
        }
    }
}

extension ConnectionThread.Outcome {
    /// Returns the value of a use.
    fileprivate func get() throws -> Value {
        switch self {
        case .dead: throw PostgresError(.connectionLost, .listening)
        case .finished(let result, _): try result.get()
        }
    }
}

extension PostgresConnection {
    /// Waits for notifications until the task is cancelled or the connection is lost.
    fileprivate func forwardNotifications(_ forward: (PostgresNotification) -> Void) throws {
        while true {
            while let notification = nextNotification() { forward(notification) }
            try wire.waitForNews()
        }
    }

    private func nextNotification() -> PostgresNotification? {
        guard let pointer = unsafe PQnotifies(wire.pointer) else { return nil }
        defer { unsafe PQfreemem(pointer) }
        return PostgresNotification(
            channel: unsafe String(cString: pointer.pointee.relname),
            payload: unsafe String(cString: pointer.pointee.extra),
            serverProcess: Int(unsafe pointer.pointee.be_pid))
    }
}

extension LibpqConnection {
    /// Waits, without an end of its own, until the server has sent something.
    fileprivate func waitForNews() throws {
        let found = underway_poll(unsafe PQsocket(pointer), 1, 0, interrupt.descriptor, -1)
        if interrupt.isRequested { throw CancellationError() }
        if found < 0 { throw lost(.listening) }
        try consume(.listening)
    }
}
