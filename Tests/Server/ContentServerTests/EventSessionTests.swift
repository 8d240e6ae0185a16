import Accounts
import Foundation
import Ledger
import Logging
import ServiceAPI
import TestSupport
import Testing

@testable import ContentServer
@testable import LiveEvents
@testable import ServerApplication

/// Streams that end with the session that opened them.
@Suite struct EventSessionTests {
    private let folder: TemporaryFolder
    private let users: UserBackend
    private let broadcast: EventBroadcast

    init() async throws {
        folder = try TemporaryFolder()
        users = try await UserBackend(
            UserServiceOptions(folder: folder.url, passwordRounds: 1 << 10))
        broadcast = EventBroadcast(users, logger: Logger(label: "test"))
    }

    private func watch(_ tokens: SessionTokens) async throws -> AsyncStream<Void> {
        let caller = try await users.authentication.authenticatedUser(
            "Bearer " + tokens.accessToken)
        return try #require(broadcast.add("finals", caller: caller)).signals
    }

    private func count(_ signals: AsyncStream<Void>) async -> Int {
        var count = 0
        for await _ in signals { count += 1 }
        return count
    }

    enum End: CaseIterable {
        case family, allSessions, account, password
    }

    @Test(arguments: End.allCases) func aStreamEndsWithItsSession(_ end: End) async throws {
        let tokens = try await users.makeAnonymousAccount(address: "a")
        let caller = try await users.authentication.authenticatedUser(
            "Bearer " + tokens.accessToken)
        try await users.upgrade(
            caller, email: "a@b.c", password: "correct horse", currentPassword: nil, address: "a")
        let own = try await users.signIn(email: "a@b.c", password: "correct horse", address: "a")
        let other = try await users.makeAnonymousAccount(address: "a")
        let (ending, staying) = (try await watch(own), try await watch(other))
        await broadcast.endClosedStreams()
        #expect(broadcast.watcherCount == 2)
        switch end {
        case .family: try await users.revoke(own.refreshToken)
        case .allSessions: try await users.revokeAll(of: own.user)
        case .account: try await users.delete(own.user)
        case .password:
            // Another device of the account changes it.
            let second = try await users.signIn(
                email: "a@b.c", password: "correct horse", address: "a")
            try await users.upgrade(
                try await users.authentication.authenticatedUser("Bearer " + second.accessToken),
                email: "a@b.c", password: "battery staple", currentPassword: "correct horse",
                address: "a")
        }
        await broadcast.endClosedStreams()
        // The signal of the beginning, and the end.
        #expect(await count(ending) == 1)
        #expect(broadcast.watcherCount == 1)
        withExtendedLifetime(staying) {}
    }

    @Test func anExportEndsWithItsSession() async throws {
        let tokens = try await users.makeAnonymousAccount(address: "a")
        let caller = try await users.authentication.authenticatedUser(
            "Bearer " + tokens.accessToken)
        var export = users.export(for: caller)
        _ = try await export.next()
        try await users.revoke(tokens.refreshToken)
        let error = await #expect(throws: RequestError.self) { _ = try await export.next() }
        #expect(error?.code == .unauthorized)
    }
}
