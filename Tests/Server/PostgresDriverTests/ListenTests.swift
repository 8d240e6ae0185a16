import DatabaseTestSupport
import PostgresDriver
import Testing

@Suite struct ListenTests {
    @Test func notificationsArriveWithTheirPayload() async throws {
        try await withPool { pool in
            let listener = PostgresListener(pool.settings.address)
            let received = try await listener.listen(to: ["release", "odd \"name\""]) {
                notifications in
                try await pool.pipeline([
                    "SELECT pg_notify('release', \("7"))", "SELECT pg_notify('elsewhere', 'x')",
                    "NOTIFY \(identifier: "odd \"name\""), 'ünï'", "NOTIFY release",
                ])
                var received: [PostgresNotification] = []
                for try await notification in notifications {
                    received.append(notification)
                    if received.count == 3 { break }
                }
                return received
            }
            #expect(received.map(\.channel) == ["release", "odd \"name\"", "release"])
            #expect(received.map(\.payload) == ["7", "ünï", ""])
        }
    }

    @Test func aReaderLearnsThatTheConnectionIsLost() async throws {
        try await withPool { pool in
            let error = await failure {
                try await PostgresListener(pool.settings.address).listen(to: ["a"]) {
                    notifications in
                    try await pool.query(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE query LIKE 'LISTEN%' AND datname = current_database()
                        """)
                    for try await _ in notifications {}
                }
            }
            #expect(error?.code.meansConnectionLost == true)
            #expect(error?.phase == .listening)
        }
    }

    @Test func listeningEndsWithItsTask() async throws {
        try await withPool { pool in
            let isListening = Counter()
            let task = Task {
                try await PostgresListener(pool.settings.address).listen(to: ["a"]) {
                    notifications in
                    isListening.add()
                    for try await _ in notifications {}
                }
            }
            try await eventually("it listens") { isListening.value == 1 }
            task.cancel()
            _ = await task.result
            try await eventually("its session has ended") {
                try await pool.query(
                    "SELECT FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()"
                ).isEmpty
            }
        }
    }

    @Test func theLatestAreKeptForASlowReader() async throws {
        try await withPool { pool in
            let last = try await PostgresListener(pool.settings.address).listen(
                to: ["a"], bufferMax: 2
            ) { notifications in
                for number in 1...50 {
                    try await pool.query("SELECT pg_notify('a', \("\(number)"))")
                }
                var last = ""
                for try await notification in notifications {
                    last = notification.payload
                    if last == "50" { break }
                }
                return last
            }
            #expect(last == "50")
        }
    }
}
