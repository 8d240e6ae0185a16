import Accounts
import ContentModel
import DatabaseTestSupport
import Foundation
import HTTPTypes
import Ledger
import Logging
import PostgresDriver
import ServerApplication
import ServerTestSupport
import Synchronization
import TestSupport
import UserData

/// What one process of the server consists of: a pool, a service and its routes.
struct TestProcess: Sendable {
    let users: UserBackend
    let router: InProcessRouter
    let log: TestLog
    /// The pool; `nil` on SQLite.
    let pool: PostgresPool?
    private let folder: TemporaryFolder
    private let mail: TemporaryFolder

    static let collections = [
        CollectionDeclaration("stars", .lastWriteWins), CollectionDeclaration("exams", .askUser),
        CollectionDeclaration("profile", .fieldMerge), CollectionDeclaration("notes", .appendOnly),
        CollectionDeclaration("points", .counter),
    ]

    /// Starts a process.
    ///
    /// - Parameters:
    ///   - address: The address of the database; `nil` for SQLite.
    ///   - other: A process of the same server, whose key is copied as an operator does.
    ///   - clock: The wall clock.
    ///   - change: Changes of the pool's settings, whose limits are short.
    init(
        _ address: PostgresAddress?, beside other: TestProcess? = nil,
        clock: @escaping @Sendable () -> Date = { Date() },
        settings change: (inout PoolSettings) -> Void = { _ in }
    ) async throws {
        (folder, mail, log) = (try TemporaryFolder(), try TemporaryFolder(), TestLog())
        if let other { try folder.write(other.folder.read("token-key"), to: "token-key") }
        let options = UserServiceOptions(
            folder: folder.url, collections: Self.collections.map { CollectionRules($0) },
            passwordRounds: 1 << 10, mailbox: try FileMailbox(folder: mail.url))
        if let address {
            var settings = PoolSettings(address)
            settings.connectionsMax = 4
            change(&settings)
            let pool = PostgresPool(settings)
            self.pool = pool
            users = try await UserBackend(pool, options, clock: clock)
        } else {
            pool = nil
            users = try await UserBackend(options, clock: clock)
        }
        try folder.write(Manifest(release: 1).canonicalBytes, to: "release/manifest.json")
        router = InProcessRouter(
            release: folder.path + "/release", users: users, logger: log.logger)
    }

    /// The folder of its release.
    var release: String { folder.path + "/release" }

    /// Makes a client without an account.
    var client: TestClient { TestClient(router) }

    /// Makes a client with an account.
    func newClient() async throws -> TestClient {
        var client = client
        try await client.signUp()
        return client
    }

    /// Takes the code out of the only message, and removes that.
    func receiveCode() throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: mail.path)
        guard names.count == 1 else { throw ProgramFailure(description: "\(names.count) messages") }
        let message = try JSONDecoder().decode(
            [String: String].self, from: Data(mail.read(names[0])))
        try mail.remove(names[0])
        return message["code"] ?? ""
    }
}

/// The lines of a log.
final class TestLog: Sendable {
    private let lines = Mutex<[String]>([])

    /// What was logged at least as a warning.
    var text: String { lines.withLock { $0.joined(separator: "\n") } }
    var count: Int { lines.withLock { $0.count } }

    var logger: Logger {
        var logger = Logger(label: "test", factory: { _ in Handler(log: self) })
        logger.logLevel = .warning
        return logger
    }

    private struct Handler: LogHandler {
        let log: TestLog
        var logLevel = Logger.Level.warning
        var metadata: Logger.Metadata = [:]

        init(log: TestLog) { self.log = log }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let line = "\(event.level) \(event.message) \(event.metadata ?? [:])"
            log.lines.withLock { $0.append(line) }
        }
    }
}
