import Foundation
import OfflineStorage
import ServiceAPI
import SyncClient
import Synchronization
import TestSupport
import Testing
import UserData

/// Tokens are sent to the server that issued them and to no other.
@Suite struct TokenOriginTests {
    /// A server that issues tokens for everything and writes down what it is sent.
    private final class Server: Transport {
        private let requests = Mutex<[TransportRequest]>([])

        /// What of the requests so far holds a secret.
        var secrets: [String] {
            requests.withLock { requests in
                requests.filter { request in
                    request.headers["Authorization"] != nil
                        || String(decoding: request.body ?? [], as: UTF8.self).contains("issued")
                }.map { $0.url.absoluteString }
            }
        }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            requests.withLock { $0.append(request) }
            let text = """
                {"user":"ada","access_token":"issued-1","refresh_token":"issued-2","expires_in":9}
                """
            let body = AsyncThrowingStream<[UInt8], any Error> { continuation in
                continuation.yield(Array(text.utf8))
                continuation.finish()
            }
            return TransportResponse(status: 200, headers: [:], body: body)
        }
    }

    private let folder: TemporaryFolder
    private let store: UserStore
    private let secrets: FileSecretStore
    private let server = Server()

    init() throws {
        folder = try TemporaryFolder()
        store = try UserStore(
            folder: folder.url.appending(path: "device"),
            collections: [CollectionDeclaration("points", .counter)])
        secrets = try FileSecretStore(folder: folder.url.appending(path: "secrets"))
    }

    private func account(at url: String) -> Account {
        Account(
            store: store, secrets: secrets, transport: server,
            serverURL: URL(stringLiteral: url))
    }

    @Test(arguments: [
        "https://evil.example", "http://good.example", "https://good.example:8443",
        "https://good.example.evil.example",
    ])
    func anotherOriginGetsNoToken(other: String) async throws {
        // Given an account at one server
        try await account(at: "https://good.example").ensure()
        let before = server.secrets
        // When the app is pointed at another
        let account = account(at: other)
        for call in [
            { _ = try await account.export() }, { try await account.delete() },
            { try await account.upgrade(email: "a@example.org", password: "correct horse") },
            {
                _ = try await account.signIn(
                    externalToken: "t", linking: true, bringing: .everything)
            },
        ] as [@Sendable () async throws -> Void] {
            let problem = await #expect(throws: ServiceError.self) { try await call() }
            #expect(problem?.message.contains("https://good.example") == true)
            #expect(problem?.message.contains(other) == true)
        }
        // And the sync, even where the account itself has the right address
        _ = try store.handle(
            .wrote(RecordKey("points", "all"), .count(field: "n", by: 1)), now: Date())
        for account in [account, self.account(at: "https://good.example")] {
            let report = await UserDataSync(
                store: store, account: account, transport: server,
                serverURL: URL(stringLiteral: other)
            ).sync()
            #expect(report.problem?.contains(other) == true)
        }
        // Then it saw nothing; the user can still sign out
        try await account.signOut(erasing: false)
        #expect(server.secrets == before)
    }

    @Test func theSameOriginWrittenInAnotherWayIsTheSame() async throws {
        try await account(at: "https://good.example").ensure()
        _ = try await account(at: "HTTPS://Good.Example:443").export()
        #expect(server.secrets.count == 1)
    }

    /// An earlier version stored tokens without their origin.
    @Test func formerTokensBelongToTheOriginThatIsUsedFirst() async throws {
        let former = AccountBody.Tokens(
            user: "ada", accessToken: "issued-1", refreshToken: "issued-2")
        try secrets.set("tokens of ada", try JSONEncoder().encode(former))
        try store.switchUser(to: "ada", bringing: .everything, now: Date())
        _ = try await account(at: "https://good.example").export()
        await #expect(throws: ServiceError.self) {
            try await account(at: "https://evil.example").export()
        }
        #expect(server.secrets.count == 1)
    }
}
