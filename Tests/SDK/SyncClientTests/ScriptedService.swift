import Foundation
import OfflineStorage
import SyncClient
import Synchronization
import TestSupport
import UserData

/// A device whose service answers with tokens, and with whatever else a test wants.
struct ScriptedService: Sendable {
    /// A service: each path answers by the first entry whose name it contains, else with tokens.
    final class Script: Transport {
        let replies = Mutex<[(path: String, status: Int, text: String)]>([
            ("exchange", 503, #"{"code":"busy","detail":"The disk is full."}"#)
        ])

        func answer(_ path: String, _ status: Int, _ text: String) {
            replies.withLock { $0.insert((path, status, text), at: 0) }
        }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let found = replies.withLock { replies in
                replies.first { request.url.path().contains($0.path) }
            }
            let text = found?.text ?? ScriptedService.tokens
            let body = AsyncThrowingStream<[UInt8], any Error> { continuation in
                continuation.yield(Array(text.utf8))
                continuation.finish()
            }
            return TransportResponse(status: found?.status ?? 200, headers: [:], body: body)
        }
    }

    static let tokens = """
        {"user":"user-SECRET","access_token":"access-SECRET","refresh_token":"refresh-SECRET",\
        "expires_in":9}
        """

    let folder: TemporaryFolder
    let store: UserStore
    let script = Script()
    let account: Account
    let sync: UserDataSync

    init() throws {
        folder = try TemporaryFolder()
        store = try UserStore(
            folder: folder.url.appending(path: "device"),
            collections: [CollectionDeclaration("notes", .lastWriteWins)])
        account = Account(
            store: store,
            secrets: try FileSecretStore(folder: folder.url.appending(path: "secrets")),
            transport: script, serverURL: "https://host.example")
        sync = UserDataSync(
            store: store, account: account, transport: script, serverURL: "https://host.example")
    }
}
