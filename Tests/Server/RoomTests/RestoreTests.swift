import Accounts
import Foundation
import GRDB
import Ledger
import ServerApplication
import ServiceAPI
import Synchronization
import Tables
import TestSupport
import Testing

/// What the server believes of tokens that its database does not know.
@Suite struct RestoreTests {
    /// A service on the disk, whose database an operator puts back.
    private final class World: Sendable {
        let folder: TemporaryFolder
        private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

        init() throws { folder = try TemporaryFolder() }

        private var path: String { folder.path + "/users.sqlite" }
        private var backup: String { folder.path + "/backup.sqlite" }

        func open() async throws -> UserBackend {
            try await UserBackend(
                UserServiceOptions(folder: folder.url, passwordRounds: 1 << 10),
                clock: { self.time.withLock { $0 } })
        }

        func advance(seconds: Double) { time.withLock { $0 += seconds } }

        func makeBackup() throws {
            try DatabaseQueue(path: path).backup(to: try DatabaseQueue(path: backup))
        }

        /// - Parameter declared: As `underway db restored` does.
        func restore(declared: Bool = false) throws {
            for name in [path, path + "-wal", path + "-shm"]
            where FileManager.default.fileExists(atPath: name) {
                try FileManager.default.removeItem(atPath: name)
            }
            try FileManager.default.copyItem(atPath: backup, toPath: path)
            guard declared else { return }
            try DatabaseQueue(path: path).write { database in
                try database.execute(
                    sql: """
                        INSERT OR REPLACE INTO setting VALUES ('generation', coalesce(
                            (SELECT value FROM setting WHERE name = 'generation'), '0') + 1)
                        """)
            }
        }

        func generation() throws -> String? {
            try DatabaseQueue(path: path).read { database in
                try String.fetchOne(
                    database, sql: "SELECT value FROM setting WHERE name = 'generation'")
            }
        }
    }

    private func code(_ users: UserBackend, _ tokens: SessionTokens) async -> ProblemCode? {
        await problemCode { _ = try await users.refresh(tokens.refreshToken, address: "a") }
    }

    @Test(arguments: [true, false])
    func sessionsOfLaterAccountsAndTokensGoOn(declared: Bool) async throws {
        let world = try World()
        let users = try await world.open()
        let old = try await users.makeAnonymousAccount(address: "a")
        try world.makeBackup()
        // Without a word of the operator, the mark that changes every few minutes tells.
        world.advance(seconds: declared ? 1 : Double(ServiceLimits.instanceMarkSeconds + 1))
        let renewed = try await users.refresh(old.refreshToken, address: "a")
        let late = try await users.makeAnonymousAccount(address: "a")
        try world.restore(declared: declared)
        let restored = try await world.open()
        #expect(try world.generation() == "1")
        for tokens in [renewed, late] {
            let again = try await restored.refresh(tokens.refreshToken, address: "a")
            #expect(again.user == tokens.user)
            // Its reply may have been lost.
            let twice = try await restored.refresh(tokens.refreshToken, address: "a")
            #expect(
                try await restored.authentication.user("Bearer " + twice.accessToken) == tokens.user
            )
        }
        _ = try await world.open()
        #expect(try world.generation() == "1", "a plain start begins no generation")
    }

    /// A second restore of the same backup is another one.
    @Test func aBackupMayBePutBackTwice() async throws {
        let world = try World()
        let users = try await world.open()
        try world.makeBackup()
        world.advance(seconds: Double(ServiceLimits.instanceMarkSeconds + 1))
        var tokens = try await users.makeAnonymousAccount(address: "a")
        for generation in 1...3 {
            try world.restore(declared: true)
            let restored = try await world.open()
            #expect(Int(try world.generation() ?? "") ?? 0 >= generation)
            tokens = try await restored.refresh(tokens.refreshToken, address: "a")
        }
    }

    /// The first way in ends copies of the device, and each start of a server repeats that.
    @Test func aSignInOfTheSameSecondGoesOnAfterARestart() async throws {
        let world = try World()
        var users = try await world.open()
        let phone = try await users.makeAnonymousAccount(address: "a")
        let caller = try await users.authentication.authenticatedUser("Bearer " + phone.accessToken)
        try await users.upgrade(
            caller, email: "ada@example.org", password: "correct horse", address: "a")
        let tablet = try await users.signIn(
            email: "ada@example.org", password: "correct horse", address: "b")
        users = try await world.open()
        for tokens in [phone, tablet] { #expect(await code(users, tokens) == nil) }
    }

    @Test func whatHadEndedStaysEnded() async throws {
        let world = try World()
        let users = try await world.open()
        var all: [SessionTokens] = []
        for _ in 0..<4 { all.append(try await users.makeAnonymousAccount(address: "a")) }
        try await signUp(all[3], users)
        try world.makeBackup()
        world.advance(seconds: Double(ServiceLimits.instanceMarkSeconds + 1))
        let copied = all[3]
        for number in all.indices {
            all[number] = try await users.refresh(all[number].refreshToken, address: "a")
        }
        try await users.delete(all[0].user)
        try await users.revoke(all[1].refreshToken)
        try await users.revokeAll(of: all[2].user)
        all[3] = try await users.refresh(all[3].refreshToken, address: "a")
        #expect(await code(users, copied) == .reusedToken)
        try world.restore()
        let restored = try await world.open()
        #expect(await code(restored, all[0]) == .noAccount)
        for tokens in all.dropFirst() { #expect(await code(restored, tokens) == .unauthorized) }
        #expect(
            await problemCode {
                _ = try await restored.authentication.user("Bearer " + all[2].accessToken)
            }
                == .unauthorized)
    }

    /// A thief's old copy and the device's newest token: only one of the two goes on.
    @Test func aCopyThatWasUsedAfterTheRestoreEndsTheFamily() async throws {
        let world = try World()
        let users = try await world.open()
        let stolen = try await users.makeAnonymousAccount(address: "a")
        try await signUp(stolen, users)
        try world.makeBackup()
        world.advance(seconds: Double(ServiceLimits.instanceMarkSeconds + 1))
        let own = try await users.refresh(stolen.refreshToken, address: "a")
        try world.restore()
        let restored = try await world.open()
        let thief = try await restored.refresh(stolen.refreshToken, address: "x")
        #expect(await code(restored, own) == .reusedToken)
        #expect(await code(restored, thief) == .unauthorized)
    }

    /// Gives an account an email, without which a used token opens a session for a copy.
    private func signUp(_ tokens: SessionTokens, _ users: UserBackend) async throws {
        try await users.upgrade(
            try await users.authentication.authenticatedUser("Bearer " + tokens.accessToken),
            email: "ada@example.org", password: "12345678", address: "a")
    }

    @Test func forgedAndForeignProofsAreNotBelieved() async throws {
        let world = try World()
        let users = try await world.open()
        let tokens = try await users.makeAnonymousAccount(address: "a")
        let foreign = try await World().open().makeAnonymousAccount(address: "a")
        var parts = tokens.refreshToken.split(separator: ".").map(String.init)
        #expect(parts.count == 9)
        parts[6] = "-1"
        for token in [
            foreign.refreshToken, parts.joined(separator: "."), tokens.refreshToken + "=",
            tokens.refreshToken + "A", String(tokens.refreshToken.dropLast()), "r1........", "",
        ] {
            #expect(
                await problemCode { _ = try await users.refresh(token, address: "a") }
                    == .unauthorized, "\(token)")
        }
        // Without a restore, a session that the database does not know has ended.
        try await users.revokeAll(of: tokens.user)
        try FileManager.default.removeItem(
            at: world.folder.url.appending(path: "revocations"))
        let again = try await world.open()
        #expect(await code(again, tokens) == .unauthorized)
    }

    /// Tokens with the proof of another key are known by their row alone.
    @Test func tokensWithoutAProofAreKnownByTheirRow() async throws {
        let world = try World()
        let users = try await world.open()
        let tokens = try await users.makeAnonymousAccount(address: "a")
        try await DatabaseQueue(path: world.folder.path + "/users.sqlite").write { database in
            try database.execute(
                sql: """
                    INSERT INTO refresh_token (hash, family, account, expires_at)
                    VALUES (x'\(sha256OfPlain)', 'old', 1, 1900000000)
                    """)
        }
        let renewed = try await users.refresh("plain", address: "a")
        #expect(renewed.user == tokens.user)
        _ = try await users.refresh(renewed.refreshToken, address: "a")
    }

    private let sha256OfPlain =
        "a116c9ed46d6207734a43317d30fd88f52ac8634c37d904bbf4e41d865f90475"

    /// A key that cannot be read is never replaced by another one.
    @Test func aDamagedKeyIsSaidAndNotReplaced() async throws {
        let world = try World()
        _ = try await world.open()
        try world.folder.write("short", to: "token-key")
        await #expect(throws: SetupError.self) { _ = try await world.open() }
        let text = try String(
            contentsOf: world.folder.url.appending(path: "token-key"), encoding: .utf8)
        #expect(text == "short")
    }
}
