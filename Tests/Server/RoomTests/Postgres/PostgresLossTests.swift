import DatabaseTestSupport
import Foundation
import PostgresDriver
import ServiceAPI
import Testing
import UserData

@testable import Ledger

/// A connection that is lost between COMMIT and its reply.
@Suite struct PostgresLossTests {
    private func call() -> ExchangeCall {
        let row = AnswerRow(
            bank: "b", session: "s", question: "q", isCorrect: true, takenMilliseconds: 1,
            exposuresBefore: 0, mode: "study", milliseconds: 5)
        let span = AnswerSpan(client: ClientID("d"), first: 1, count: 1)
        let operation = ChangeOperation(
            id: OperationID(client: ClientID("d"), counter: 1), key: RecordKey("stars", "r"),
            change: .put(["n": 1]), seenRevision: 0,
            time: HybridTime(milliseconds: 1_800_000_000_000))
        var request = ExchangeRequest(
            number: 1, user: "u", client: ClientID("d"), epoch: nil, cursor: 0,
            operations: [operation], knownAnswers: AnswerVector([ClientID("d"): 1]))
        request.answers = [span]
        return ExchangeCall(request: request, answers: [AnswerColumns(span: span, rows: [row])])
    }

    /// A commit waits for a standby that never comes, and its session is ended meanwhile: it was committed,
    /// and nobody was told. The exchange runs again, and gets the result of the first time.
    @Test func theRepeatedExchangeGetsTheSameResult() async throws {
        var settings = PostgresServer.Settings()
        settings.parameters = [
            "synchronous_standby_names": "'nobody'", "synchronous_commit": "'local'",
        ]
        let users = try await PostgresUsers(on: PostgresServer(settings))
        let database = users.admin.database ?? ""
        try await users.execute(
            "ALTER ROLE underway_server IN DATABASE \(identifier: database) SET synchronous_commit = 'on'"
        )
        let service = LedgerService(
            Ledger(rules: [CollectionRules(CollectionDeclaration("stars", .lastWriteWins))]),
            storage: PostgresLedger(users.pool()), clock: { 1_800_000_000_000 },
            makeText: { UUID().uuidString })
        async let reply = service.exchange(call())
        try await eventually("the commit waits for its standby") {
            let waiting = try await users.execute(
                "SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event = 'SyncRep'")[0]
            return try waiting.column("n", as: Int.self) == [1]
        }
        try await users.execute(
            "ALTER ROLE underway_server IN DATABASE \(identifier: database) SET synchronous_commit = 'local'"
        )
        try await users.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        let response = try await reply.response
        guard case .accepted(let record)? = response.result(1) else {
            Issue.record("\(String(describing: response.result(1)))")
            return
        }
        #expect(record.revision == 1 && !response.isDeviceStale)
        #expect(response.knownAnswers[ClientID("d")] == 1)
        for table in ["record", "answer", "result", "mark"] {
            let rows = try await users.execute(
                "SELECT count(*) AS n FROM underway.\(sql: table)")[0]
            #expect(try rows.column("n", as: Int.self) == [1], "\(table)")
        }
    }
}
