import Crypto
import Foundation
import GRDB
import PostgresDriver
import ServiceAPI
import Testing

@testable import Accounts
@testable import Ledger
@testable import ServerApplication
@testable import Tables

/// Roles and the audit log on every database.
@Suite struct AdministrationTests {
    static let adapters = AccountAdapter.allCases
    private static let now = Date(timeIntervalSince1970: 1_793_620_800)

    private struct World {
        let accounts: AccountWorld
        let clock = BoardWorld.Clock(now)
        let service: AdministrationService

        init(_ adapter: AccountAdapter) async throws {
            let accounts = try await adapter.make()
            for user in ["u", "v"] {
                try await accounts.write(.create(user, tokenGeneration: 0, at: 0))
            }
            self.accounts = accounts
            service = AdministrationService(accounts.administration) { [clock] in clock.now }
        }

        func log() async throws -> [String] {
            try await service.entries().reversed().map {
                "\($0.actor) \($0.action.rawValue) \($0.subject) \($0.detail)"
            }
        }
    }

    @Test(arguments: adapters)
    func aRoleIsGivenAndTakenOnceEachWithAnEntry(adapter: AccountAdapter) async throws {
        let world = try await World(adapter)
        let service = world.service
        #expect(try await service.set(.author, isGranted: true, of: "u", by: "operator:ada"))
        #expect(try await !service.set(.author, isGranted: true, of: "u", by: "operator:bob"))
        #expect(try await service.set(.publisher, isGranted: true, of: "u", by: "operator:ada"))
        #expect(try await !service.set(.author, isGranted: false, of: "v", by: "operator:ada"))
        #expect(try await service.storage.roles(of: "u") == [.author, .publisher])
        #expect(try await service.storage.roles(of: "v") == [])
        #expect(try await service.storage.roles(of: "nobody") == [])
        #expect(try await service.set(.author, isGranted: false, of: "u", by: "operator:bob"))
        #expect(try await service.storage.roles(of: "u") == [.publisher])
        #expect(
            try await service.storage.roles() == [
                RoleAssignment(
                    user: "u", email: nil, role: .publisher, since: 1_793_620_800_000)
            ])
        #expect(
            try await world.log() == [
                "operator:ada role.granted u author", "operator:ada role.granted u publisher",
                "operator:bob role.revoked u author",
            ])
    }

    @Test(arguments: adapters)
    func aRoleOfNobodyIsRefusedWithoutAnEntry(adapter: AccountAdapter) async throws {
        let world = try await World(adapter)
        await #expect(throws: StorageError.noAccount) {
            try await world.service.set(.author, isGranted: true, of: "nobody", by: "operator:a")
        }
        #expect(try await world.log() == [])
    }

    @Test(arguments: adapters)
    func theListOfRolesNamesEmails(adapter: AccountAdapter) async throws {
        let world = try await World(adapter)
        try await world.accounts.write(.signIn(.setPassword(.sample("ada@example.org"), of: "v")))
        for user in ["u", "v"] {
            _ = try await world.service.set(
                .administrator, isGranted: true, of: user, by: "operator:a")
        }
        let roles = try await world.service.storage.roles()
        #expect(roles.map(\.user) == ["u", "v"])
        #expect(roles.map(\.email) == [nil, "ada@example.org"])
    }

    @Test(arguments: adapters)
    func anEmailNamesAnAccountForCertainOnlyOnceItWasProven(adapter: AccountAdapter) async throws {
        let world = try await World(adapter)
        let service = await UserBackend(
            accounts: world.accounts.storage, ledger: world.accounts.ledger,
            UserServiceOptions(folder: FileManager.default.temporaryDirectory),
            clock: { Self.now }, key: SymmetricKey(size: .bits256))
        func set(verifiedAt: Int64?) async throws {
            try await world.accounts.write(
                .signIn(.setPassword(.sample("ada@example.org", verifiedAt: verifiedAt), of: "u")))
        }
        try await set(verifiedAt: nil)
        #expect(try await service.findUser("Ada@example.org")?.isProven == false)
        #expect(try await service.findUser("u") == .init(id: "u", isProven: true))
        try await set(verifiedAt: 7)
        #expect(
            try await service.findUser("ada@example.org") == .init(id: "u", isProven: true))
        #expect(try await service.findUser("eve@example.org") == nil)
    }

    @Test(arguments: adapters)
    func aDeletionIsInTheLogAndEndsRoles(adapter: AccountAdapter) async throws {
        let world = try await World(adapter)
        _ = try await world.service.set(.author, isGranted: true, of: "u", by: "operator:a")
        try await world.accounts.write(.markDeleted("u", at: 1_793_620_800))
        // A second one, and that of an account nobody used, are no deletions by a user.
        try await world.accounts.write(.markDeleted("u", at: 1_793_620_801))
        try await world.accounts.write(.markUnused("v", usedAt: 0, at: 1_793_620_801))
        #expect(
            try await world.log() == [
                "operator:a role.granted u author", "u account.deleted u ",
            ])
        #expect(try await world.service.entries().first?.time == 1_793_620_800_000)
        #expect(try await world.service.storage.roles() == [])
        #expect(try await world.service.storage.roles(of: "u") == [])
    }

    @Test(arguments: adapters)
    func whatIsSaidAgainIsWrittenOnceForEachActor(adapter: AccountAdapter) async throws {
        let world = try await World(adapter)
        for (host, release) in [
            ("a", "1"), ("a", "1"), ("b", "1"), ("a", "2"), ("b", "1"), ("a", "1"),
        ] {
            try await world.service.note(
                .releaseServed, release, by: "server:\(host)", onlyIfNew: true)
        }
        #expect(
            try await world.log() == [
                "server:a release.served 1 ", "server:b release.served 1 ",
                "server:a release.served 2 ", "server:a release.served 1 ",
            ])
    }

    @Test(arguments: adapters)
    func entriesAreReadInPagesFromTheNewestOn(adapter: AccountAdapter) async throws {
        let world = try await World(adapter)
        for number in 1...5 {
            try await world.service.note(.boardDefined, "b\(number)", by: "operator:a")
        }
        let first = try await world.service.entries(limit: 2)
        #expect(first.map(\.subject) == ["b5", "b4"])
        let rest = try await world.service.entries(before: first.last?.number, limit: 9)
        #expect(rest.map(\.subject) == ["b3", "b2", "b1"])
    }

    @Test(arguments: adapters)
    func entriesAreFoundByTheirAction(adapter: AccountAdapter) async throws {
        let world = try await World(adapter)
        for action in ["board.defined", "boards.other", "board.removed", "board", "role.granted"] {
            try await world.service.note(
                AuditEntry.Action(rawValue: action), action, by: "operator:a")
        }
        for (asked, found) in [
            ("board", ["board", "board.removed", "board.defined"]),
            ("board.defined", ["board.defined"]), ("b%", []), ("board_", []), ("none", []),
        ] {
            let entries = try await world.service.entries(action: asked)
            #expect(entries.map(\.subject) == found, "\(asked)")
        }
    }

    @Test(arguments: adapters)
    func oldEntriesAreRemovedAndNumbersNeverGivenAgain(adapter: AccountAdapter) async throws {
        let world = try await World(adapter)
        // On PostgreSQL the database's own clock decides, so these are entries of long ago.
        world.clock.set(Date() - Double(ServiceLimits.auditDays + 1) * 86_400)
        for _ in 1...3 { try await world.service.note(.eventDefined, "old", by: "operator:a") }
        world.clock.set(Date())
        try await world.service.note(.eventDefined, "new", by: "operator:a")
        try await world.service.purge()
        #expect(try await world.log() == ["operator:a event.defined new "])
        #expect(try await world.service.entries().first?.number == 4)
        // Not even by a clock that is years ahead.
        world.clock.set(Date() + 5 * 365 * 86_400)
        try await world.service.purge()
        if adapter == .postgres {
            #expect(try await world.log() == ["operator:a event.defined new "])
        }
    }

    @Test(arguments: adapters)
    func textsOfAnyLengthAndKindAreStoredBounded(adapter: AccountAdapter) async throws {
        let world = try await World(adapter)
        let long = String(repeating: "ä\u{0}", count: 1_000)
        try await world.service.note(.nameHidden, long, "\u{202E}\n\u{1B}\u{2028}", by: long)
        let entry = try #require(try await world.service.entries().first)
        #expect(entry.subject == String(repeating: "ä", count: 150))
        #expect(entry.actor == entry.subject && entry.detail == "\u{202E}")
    }
}

/// The log cannot be rewritten, not even by the program's own mistake.
@Suite struct AuditIntegrityTests {
    @Test func sqliteRefusesToChangeAnEntry() async throws {
        let database = try UserDatabase.inMemory()
        let service = AdministrationService(AdministrationStorage(database)) { Date() }
        try await service.note(.boardDefined, "b", by: "operator:a")
        await #expect(throws: (any Error).self) {
            try await database.write { try $0.execute(sql: "UPDATE audit SET actor = 'x'") }
        }
        #expect(try await service.entries().map(\.actor) == ["operator:a"])
    }

    @Test func theLoginOfServersMayAppendAlone() async throws {
        let users = try await PostgresUsers(["u"])
        let pool = users.pool()
        let service = AdministrationService(AdministrationStorage(pool)) { Date() }
        try await service.note(.boardDefined, "b", by: "operator:a")
        for role in ["underway_keeper", "underway_accounts", "authenticated", "anon"] {
            for statement in [
                "UPDATE underway.audit SET actor = 'x'", "DELETE FROM underway.audit",
                "TRUNCATE underway.audit", "DROP TABLE underway.audit",
            ] {
                // A delete by upkeep finds no row; all else is refused.
                try? await pool.transaction { transaction in
                    try transaction.query("SELECT set_config('role', \(role), true)")
                    try transaction.query("\(sql: statement)")
                }
            }
        }
        for role in ["authenticated", "anon"] {
            await #expect(throws: PostgresError.self, "\(role)") {
                try await pool.transaction { transaction in
                    try transaction.query("SELECT set_config('role', \(role), true)")
                    try transaction.query("SELECT * FROM underway.audit")
                }
            }
            await #expect(throws: PostgresError.self, "\(role)") {
                try await pool.transaction { transaction in
                    try transaction.query("SELECT set_config('role', \(role), true)")
                    try transaction.query(
                        "INSERT INTO underway.role SELECT number, 'administrator', 0 FROM underway.account"
                    )
                }
            }
        }
        #expect(try await service.entries().map(\.actor) == ["operator:a"])
        #expect(try await service.storage.roles() == [])
    }
}
