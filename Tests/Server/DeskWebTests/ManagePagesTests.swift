import Accounts
import Foundation
import HTTPTypes
import Ledger
import TestSupport
import Testing

@testable import DeskWeb

/// Roles and the audit log.
struct ManagePagesTests {
    @Test func rolesAreGivenAndTakenAndWrittenDown() async throws {
        let world = try await DeskWorld()
        let admin = try await world.browser([.administrator])
        let eve = try await world.account("eve@example.org", [])

        let given = try await admin.post(
            "/desk/accounts/roles",
            [("account", eve), ("role", "author"), ("change", "grant")])
        let roles = try await world.users.administration?.storage.roles(of: eve)
        let page = try await admin.get("/desk/accounts")
        let taken = try await admin.post(
            "/desk/accounts/roles", [("account", eve), ("role", "author"), ("change", "revoke")])

        #expect(given.status == 303)
        #expect(roles == [.author])
        #expect(page.body.contains("eve@example.org"))
        #expect(taken.status == 303)
        #expect(try await world.users.administration?.storage.roles(of: eve) == [])
        let log = try await admin.get("/desk/audit?kind=role")
        #expect(log.body.contains("role.granted"))
        #expect(log.body.contains("role.revoked"))
        #expect(log.body.contains("ada@example.org"))
    }

    @Test func anUnknownAccountAndTheOwnRoleAreExplained() async throws {
        let world = try await DeskWorld()
        let admin = try await world.browser([.administrator])
        let path = "/desk/accounts/roles"

        let unknown = try await admin.post(
            path, [("account", "no@example.org"), ("role", "author"), ("change", "grant")])
        let own = try await admin.post(
            path,
            [("account", "ada@example.org"), ("role", "administrator"), ("change", "revoke")])
        let wrong = try await admin.post(
            path, [("account", "ada@example.org"), ("role", "king"), ("change", "grant")])

        #expect([unknown.status, own.status, wrong.status] as [Int] == [404, 409, 400])
        #expect(unknown.body.contains("There is no account with this email or id."))
        #expect(unknown.body.contains("value=\"no@example.org\""))
    }

    @Test func anEmailThatNobodyProvedGetsNoRole() async throws {
        let world = try await DeskWorld()
        let admin = try await world.browser([.administrator])
        let impostor = try await world.account("boss@example.org", [])

        let reply = try await admin.post(
            "/desk/accounts/roles",
            [("account", "boss@example.org"), ("role", "publisher"), ("change", "grant")])

        #expect(reply.status == 409)
        #expect(try await world.users.administration?.storage.roles(of: impostor) == [])
    }

    @Test func anOldSessionChangesNoRole() async throws {
        let clock = ManualClock()
        let world = try await DeskWorld(clock: { clock.now })
        let admin = try await world.browser([.administrator])
        let eve = try await world.account("eve@example.org", [])
        clock.advance(3_600)

        let reply = try await admin.post(
            "/desk/accounts/roles",
            [("account", "eve@example.org"), ("role", "administrator"), ("change", "grant")])

        #expect(reply.status == 403)
        #expect(reply.body.contains("right after signing in"))
        #expect(try await world.users.administration?.storage.roles(of: eve) == [])
    }
}
