import PostgresDriver
import ServiceAPI
import Testing
import UserData

@testable import Ledger

/// The round trips of exchanges with and without retractions on PostgreSQL.
@Suite struct RetractionTripsTests {
    /// Two for each exchange; three more where a retraction, or an answer that one waits for, is judged.
    @Test func onlyWhatIsJudgedTakesMoreRoundTrips() async throws {
        let users = try await PostgresUsers(["u"])
        let pool = users.pool(1)
        let service = LedgerService(
            Ledger(rules: CollectionRules.builtIn), storage: PostgresLedger(pool),
            clock: { 1_800_000_000_000 }, makeText: { "chance" })
        let answer = ServiceFixture.row("q1")
        func undo(_ client: String, _ number: UInt64) -> AnswerRow {
            answer.retraction(
                of: AnswerID(client: ClientID(client), number: number), at: answer.milliseconds,
                offsetMinutes: nil)
        }
        var number = UInt64(0)
        func trips(_ client: String, first: UInt64, _ rows: [AnswerRow]) async throws -> Int {
            number += 1
            let span = AnswerSpan(client: ClientID(client), first: first, count: rows.count)
            // A device that has all answers gets none, which would be read after the commit.
            let request = ExchangeRequest(
                number: number, user: "u", client: ClientID("x\(number)"), epoch: nil, cursor: 0,
                operations: [],
                knownAnswers: AnswerVector([ClientID("a"): 99, ClientID("b"): 99]),
                answers: [span])
            let call = ExchangeCall(
                request: request, answers: [AnswerColumns(span: span, rows: rows)])
            let before = try await pool.use { $0.roundTripCount }
            _ = try await service.exchange(call)
            return try await pool.use { $0.roundTripCount } - before
        }

        // The first request of a connection also prepares it.
        _ = try await trips("a", first: 1, [answer, answer])
        #expect(try await trips("a", first: 3, [answer, answer]) == 2)
        // Retractions that wait for other answers cost the others nothing.
        #expect(try await trips("b", first: 1, [undo("a", 9)]) == 3)
        #expect(try await trips("a", first: 5, [answer, answer]) == 2)
        #expect(try await trips("b", first: 2, [undo("a", 1)]) == 5)
        #expect(try await trips("a", first: 7, [answer, answer, answer]) == 5)
        #expect(try await trips("a", first: 10, [answer]) == 2)
    }
}
