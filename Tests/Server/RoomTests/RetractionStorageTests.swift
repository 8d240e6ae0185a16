import ServiceAPI
import SimulationSupport
import Tables
import TestSupport
import Testing
import UserData

@testable import Ledger

/// What the server derives from answers of which some are taken back, in any order and in any batches.
@Suite struct RetractionStorageTests {
    private static let devices = ["a", "b", "c"]

    /// Answers of three devices, and retractions of them that come before, with or after their answers.
    private struct History {
        var random: SeededGenerator
        var rows: [String: [AnswerRow?]] = [:]

        mutating func row() -> AnswerRow? {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: nil
            case 1...4: retraction()
            default: answer()
            }
        }

        private mutating func answer() -> AnswerRow {
            let question = Int.random(in: 0..<5, using: &random)
            return AnswerRow(
                bank: ["int/swift", "es"].randomElement(using: &random) ?? "es",
                session: "s\(Int.random(in: 0..<3, using: &random))", question: "q\(question)",
                domain: Bool.random(using: &random) ? nil : "d\(question % 3)", version: "1",
                options: ["a"], isCorrect: Bool.random(using: &random),
                takenMilliseconds: Int64.random(in: 0...90_000, using: &random),
                exposuresBefore: Int64.random(in: 0...1, using: &random),
                mode: ["study", "study", "repeat", "exam"].randomElement(using: &random) ?? "study",
                milliseconds: 1_790_000_000_000
                    + Int64.random(in: 0..<60, using: &random) * 3_600_000)
        }

        /// A retraction of an answer that was given, or of a number that nobody has yet.
        private mutating func retraction() -> AnswerRow {
            let client = devices.randomElement(using: &random) ?? "a"
            let given = rows[client] ?? []
            let number = Int.random(in: 1...given.count + 2, using: &random)
            let target = AnswerID(client: ClientID(client), number: UInt64(number))
            let known = number <= given.count ? given[number - 1] : nil
            let hours = Int64.random(in: -1...25, using: &random)
            let answer = known ?? answer()
            var row = answer.retraction(of: target, at: answer.milliseconds, offsetMinutes: 60)
            row.milliseconds += hours * 3_600_000
            if Int.random(in: 0..<8, using: &random) == 0 { row.session = "other" }
            return row
        }

        /// Gives answers, of which none is sent.
        mutating func fill() {
            for _ in 0..<90 {
                let client = devices.randomElement(using: &random) ?? "a"
                rows[client, default: []].append(row())
            }
        }
    }

    private func service(_ storage: any LedgerStorage) -> LedgerService {
        LedgerService(
            Ledger(rules: CollectionRules.builtIn), storage: storage,
            clock: { 1_800_000_000_000 }, makeText: { "chance" })
    }

    private func call(_ runs: [AnswerColumns], number: UInt64) -> ExchangeCall {
        ExchangeCall(
            request: ExchangeRequest(
                number: number, user: "u", client: ClientID("x\(number)"), epoch: nil, cursor: 0,
                operations: [], answers: runs.map(\.span)), answers: runs)
    }

    /// Returns the sums of sessions of a database.
    private func sessions(_ tables: any TableDatabase) async throws -> [[String]] {
        try await tables.read(as: .user("u")) { transaction in
            let rows = try transaction.commit(after: [
                Statement(
                    """
                    SELECT bank, session, answers, points, first_answers, first_points
                    FROM {session_score} WHERE account = {me} ORDER BY bank, session
                    """)()
            ])[0]
            return try rows.map { row in
                try [row.value("bank", as: String.self)]
                    + ["session", "answers", "points", "first_answers", "first_points"].map {
                        String(try row.value($0, as: Int64.self))
                    }
            }
        }
    }

    private func expected(_ sessions: [SessionScore]) -> [[String]] {
        sessions.sorted { ($0.bank, $0.session) < ($1.bank, $1.session) }.map {
            [
                $0.bank, "\($0.session)", "\($0.answers)", "\($0.points)", "\($0.firstAnswers)",
                "\($0.firstPoints)",
            ]
        }
    }

    @Test(arguments: LedgerAdapter.allCases, 1...6)
    func anyOrderLeavesWhatTheAnswersThatCountSay(
        adapter: LedgerAdapter, seed: UInt64
    ) async throws {
        var history = History(random: SeededGenerator(seed: seed))
        history.fill()
        let world = try await adapter.make()
        let (tested, memory) = (service(world.storage), MemoryStorage(users: ["u"]))
        let model = service(memory)
        var sent: [String: Int] = [:]
        var number = UInt64(0)
        while history.rows.contains(where: { (sent[$0.key] ?? 0) < $0.value.count }) {
            number += 1
            var runs: [AnswerColumns] = []
            for client in Self.devices.shuffled(using: &history.random) {
                let first = sent[client] ?? 0
                let left = (history.rows[client] ?? []).dropFirst(first)
                let part = left.prefix(Int.random(in: 0...8, using: &history.random))
                guard !part.isEmpty else { continue }
                sent[client] = first + part.count
                let span = AnswerSpan(
                    client: ClientID(client), first: UInt64(first) + 1, count: part.count)
                runs.append(AnswerColumns(span: span, rows: Array(part)))
            }
            let call = call(runs, number: number)
            _ = try await tested.exchange(call)
            _ = try await model.exchange(call)

            #expect(
                try await tested.progress(of: "u") == model.progress(of: "u"),
                "seed \(seed), request \(number)")
            let account = try memory.account("u")
            let spans = account.devices.filter { !$0.answers.isEmpty }.map {
                AnswerSpan(client: $0.client, first: 1, count: $0.answers.count)
            }
            let holding = Retractions(account.rows.map { ($0, $1) }).holding
            #expect(
                try await world.storage.retractions(in: spans, of: "u") == holding,
                "seed \(seed), request \(number)")
            let counted = SessionScore.sums(EncodedAnswers(account.countedRows), now: 0)
            if let tables = world.tables {
                #expect(
                    try await sessions(tables) == expected(counted),
                    "seed \(seed), request \(number)")
            }
        }
    }

    /// A retraction with an earlier date holds in the place of another one, and takes nothing back again.
    @Test(arguments: LedgerAdapter.allCases)
    func anEarlierRetractionReplacesALaterOne(adapter: LedgerAdapter) async throws {
        let world = try await adapter.make()
        let service = service(world.storage)
        let answer = ServiceFixture.row("q1")
        let target = AnswerID(client: ClientID("a"), number: 1)
        func run(_ client: String, _ row: AnswerRow) -> AnswerColumns {
            AnswerColumns(
                span: AnswerSpan(client: ClientID(client), first: 1, count: 1), rows: [row])
        }
        func undo(after seconds: Int64) -> AnswerRow {
            answer.retraction(
                of: target, at: answer.milliseconds + seconds * 1_000, offsetMinutes: nil)
        }
        let span = AnswerSpan(client: ClientID("a"), first: 1, count: 1)

        _ = try await service.exchange(call([run("c", undo(after: 9))], number: 1))
        #expect(try await world.storage.retractions(in: [span], of: "u").isEmpty)
        _ = try await service.exchange(call([run("a", answer)], number: 2))
        #expect(
            try await world.storage.retractions(in: [span], of: "u")[target]?.client.text == "c")
        _ = try await service.exchange(call([run("b", undo(after: 5))], number: 3))

        #expect(
            try await world.storage.retractions(in: [span], of: "u")[target]?.client.text == "b")
        #expect(try await service.progress(of: "u") == AnswerProgress(days: [], domains: []))
        if let tables = world.tables { #expect(try await sessions(tables).isEmpty) }
    }
}
