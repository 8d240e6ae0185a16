import Foundation
import OfflineStorage
import SyncClient
import Synchronization
import TestSupport
import Testing
import UserData

/// Tokens are sent to the server that issued them and to no other.
@Suite struct TokenOriginTests {
    /// Servers that issue tokens for everything and write down what they are sent; `other.example` knows another user.
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

        /// The requests of a host that hold a token which another one issued.
        func foreignTokens(at host: String) -> [String] {
            requests.withLock { requests in
                requests.filter { $0.url.host() == host }.map { request in
                    "\(request.headers) \(String(decoding: request.body ?? [], as: UTF8.self))"
                }.filter { $0.contains("issued") }
            }
        }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            requests.withLock { $0.append(request) }
            let (user, word) =
                request.url.host() == "other.example" ? ("eve", "others") : ("ada", "issued")
            let text = """
                {"user":"\(user)","access_token":"\(word)-1","refresh_token":"\(word)-2","expires_in":9}
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

    /// Another server can move no account of the first one, and must not get the proof of it either.
    @Test func dataThatComesAlongBringsNoToken() async throws {
        try await account(at: "https://good.example").ensure()
        let other = account(at: "https://other.example")
        try await other.signIn(
            email: "e@example.org", password: "correct horse", bringing: .everything)
        #expect(store.user == "eve" && server.foreignTokens(at: "other.example").isEmpty)
    }

    @Test func anotherUserWhoIsTakenAlongBringsNoToken() async throws {
        try await account(at: "https://good.example").ensure()
        _ = try store.handle(
            .wrote(RecordKey("points", "all"), .count(field: "n", by: 1)), now: Date())
        let other = account(at: "https://other.example")
        try await other.signIn(
            email: "e@example.org", password: "correct horse", bringing: .nothing)
        #expect(try store.otherUsers().map(\.user) == ["ada"])
        // This server replies nothing that an exchange could take.
        await #expect(throws: ServiceError.self) { try await other.bring(from: "ada") }
        #expect(server.foreignTokens(at: "other.example").isEmpty)
    }
}
