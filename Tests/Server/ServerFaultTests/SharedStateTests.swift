import ContentModel
import Foundation
import HTTPTypes
import Ledger
import ServerTestSupport
import ServiceAPI
import Tables
import TestSupport
import Testing

/// Two processes on one database: what they share, and what differs between them.
@Suite struct SharedStateTests {
    private static let password = "correct horse"

    /// Two processes with one key; the clock of the second is ahead by some seconds.
    private func processes(
        ahead: TimeInterval = 0
    ) async throws -> (UserDatabaseServer, TestProcess, TestProcess) {
        let server = try await UserDatabaseServer()
        let one = try await TestProcess(server.login)
        let two = try await TestProcess(
            server.login, beside: one, clock: { Date().addingTimeInterval(ahead) })
        return (server, one, two)
    }

    private func signUp(_ email: String, at process: TestProcess) async throws -> TestClient {
        var client = try await process.newClient()
        for action in ["upgrade", "sign-in"] {
            let reply = try await client.account(
                action, ["email": .string(email), "password": .string(Self.password)])
            guard reply.isSuccess else { throw reply.failure }
            if action == "sign-in" { client.tokens = try AccountBody.Tokens(reply.body) }
        }
        return client
    }

    /// Sends eight requests at once, every other one to the other process.
    private func race(
        _ one: TestProcess, _ two: TestProcess,
        _ send: @escaping @Sendable (TestProcess, Int) async throws -> TestClient.Reply
    ) async throws -> [TestClient.Reply] {
        try await withThrowingTaskGroup(of: TestClient.Reply.self) { group in
            for number in 0..<8 {
                group.addTask { try await send(number.isMultiple(of: 2) ? one : two, number) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    // MARK: At once

    @Test func anEmailGoesToOneOfEight() async throws {
        let (server, one, two) = try await processes()
        var clients: [TestClient] = []
        for _ in 0..<8 { clients.append(try await one.newClient()) }
        let all = clients
        let replies = try await race(one, two) { process, number in
            try await all[number].at(process).account(
                "upgrade", ["email": "ada@b.c", "password": .string(Self.password)])
        }
        #expect(replies.filter { $0.status == .noContent }.count == 1)
        for reply in replies where reply.status != .noContent { expectProblem(reply, .emailTaken) }
        #expect(try await server.count("password") == 1)
    }

    @Test func aCodeIsRedeemedByOneOfEight() async throws {
        let (_, one, two) = try await processes()
        let client = try await signUp("ada@b.c", at: one)
        _ = try await client.account("password/request-reset", ["email": "ada@b.c"])
        let code = try one.receiveCode()
        let replies = try await race(one, two) { process, number in
            try await process.client.account(
                "password/reset",
                [
                    "email": "ada@b.c", "code": .string(code),
                    "password": .string("password number \(number)"),
                ])
        }
        #expect(replies.filter { $0.status == .noContent }.count == 1)
        for reply in replies where reply.status != .noContent {
            #expect([.wrongCredentials, .busy].contains(reply.code), "\(reply.text)")
        }
    }

    /// Each gets a successor, of which the one that is used first goes on, and the account stays signed in.
    @Test func aRefreshTokenThatEightPresentEndsNoSession() async throws {
        let (_, one, two) = try await processes()
        let client = try await one.newClient()
        let token = client.tokens?.refreshToken ?? ""
        let replies = try await race(one, two) { process, _ in
            try await process.client.account("refresh", ["refresh_token": .string(token)])
        }
        var newest = client
        for reply in replies {
            guard reply.status == .ok else { throw reply.failure }
            newest.tokens = try AccountBody.Tokens(reply.body)
            #expect(try await newest.at(two).put("a\(UUID())").status == .created)
        }
    }

    // MARK: Clocks

    /// Tokens last minutes, so that those of a process are no use at another whose clock is an hour ahead; sessions,
    /// accounts and records are.
    @Test func aClockThatIsAnHourAheadEndsNoSession() async throws {
        let (_, one, two) = try await processes(ahead: 3_600)
        var client = try await signUp("ada@b.c", at: one)
        #expect(try await client.put("a").headers[.eTag] == "\"1\"")
        expectProblem(try await client.at(two).put("a", 2, ifMatch: "\"1\""), .unauthorized)
        let renewed = try await client.at(two).account(
            "refresh", ["refresh_token": .string(client.tokens?.refreshToken ?? "")])
        client.tokens = try AccountBody.Tokens(renewed.body)
        // One after the other, each over what the other wrote: the later clock wins nothing.
        var number = 1
        for process in [two, one, two, one] {
            number += 1
            let reply = try await client.at(process).put(
                "a", number, ifMatch: "\"\(number - 1)\"")
            #expect(reply.status == .ok && reply.text.contains("\"n\":\(number)"), "\(reply.text)")
        }
        #expect(try await client.at(one).exchange("b").status == .ok)
        #expect(try await client.at(two).exchange("c", client: "e").status == .ok)
        try await two.users.purgeAccounts()
        #expect(try await client.at(one).get("a").status == .ok)
        // What was ended at one is ended at the other, whatever the time.
        #expect(try await client.at(two).account("revoke-all").status == .noContent)
        expectProblem(try await client.at(one).get("a"), .unauthorized)
    }

    /// Whoever asks two processes in turn, whose clocks differ, gets no more guesses.
    @Test(arguments: [-3_600, 3_600] as [TimeInterval])
    func guessesAreCountedAcrossClocks(ahead: TimeInterval) async throws {
        let (_, one, two) = try await processes(ahead: ahead)
        _ = try await signUp("ada@b.c", at: one)
        var wrong = 0
        for number in 0..<30 {
            let process = number.isMultiple(of: 2) ? one : two
            let reply = try await process.client.account(
                "sign-in", ["email": "ada@b.c", "password": "wrong horse"])
            if reply.code == .wrongCredentials { wrong += 1 }
            if reply.code == .tooManyRequests { #expect(reply.retryAfter ?? .max <= 121) }
        }
        // A window may have ended meanwhile.
        let most = ServiceLimits.failedSignInsPerEmailMinute * 2
        #expect((ServiceLimits.failedSignInsPerEmailMinute...most).contains(wrong), "\(wrong)")
    }

    // MARK: Keys

    @Test func aProcessWithAnotherKeyDoesNotStartAndSaysWhatToCopy() async throws {
        let server = try await UserDatabaseServer()
        let one = try await TestProcess(server.login)
        let client = try await one.newClient()
        let error = await #expect(throws: SetupError.self) {
            _ = try await TestProcess(server.login)
        }
        #expect(error?.message.contains("Copy that file") == true)
        #expect(try await client.put("a").status == .created)
    }

    /// A token of another server with the same accounts' ids is worth nothing.
    @Test func aTokenOfAnotherKeyIsRefused() async throws {
        let (one, other) = (
            try await TestProcess(UserDatabaseServer().login),
            try await TestProcess(UserDatabaseServer().login)
        )
        let client = try await other.newClient()
        expectProblem(try await client.at(one).put("a"), .unauthorized)
        expectProblem(
            try await client.at(one).account(
                "refresh", ["refresh_token": .string(client.tokens?.refreshToken ?? "")]),
            .unauthorized)
    }
}
