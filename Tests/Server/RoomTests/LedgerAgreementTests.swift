import ServiceAPI
import Synchronization
import TestSupport
import Testing
import UserData

@testable import Ledger

/// The same requests on every adapter: the same replies, and the same accounts in the end.
@Suite struct LedgerAgreementTests {
    private static let rules = [
        CollectionRules(CollectionDeclaration("exams", .askUser)),
        CollectionRules(CollectionDeclaration("notes", .appendOnly), recordsMax: 6),
        CollectionRules(CollectionDeclaration("stars", .lastWriteWins)),
        CollectionRules(CollectionDeclaration("points", .counter)),
        CollectionRules(
            CollectionDeclaration("profile", .fieldMerge),
            fields: ["n": FieldRule([.integer], maximum: 40)]),
    ]

    /// One run: a few devices of one user, some of which forget or repeat what they did.
    private struct Run {
        var random: SeededGenerator
        var now: Int64 = 1_800_000_000_000
        var counters: [ClientID: UInt64] = [:]
        var numbers: [ClientID: UInt64] = [:]
        var replies: [ClientID: ExchangeResponse] = [:]
        var answers: [ClientID: UInt64] = [:]
        var last: ExchangeCall?

        mutating func next() -> ExchangeCall {
            now += Int64.random(in: 0...10_000_000_000, using: &random)
            if let last, Int.random(in: 0..<8, using: &random) == 0 { return last }
            let client = ClientID("d\(Int.random(in: 0..<6, using: &random))")
            numbers[client, default: 0] += 1
            let known = replies[client]
            var request = ExchangeRequest(
                number: numbers[client] ?? 1, user: "u", client: client,
                epoch: known?.epoch, cursor: known?.cursor ?? 0, head: known?.head,
                operations: (0..<Int.random(in: 0...4, using: &random)).map { _ in
                    operation(client)
                },
                knownAnswers: known?.knownAnswers ?? AnswerVector())
            if Int.random(in: 0..<4, using: &random) == 0 {
                request.processedBefore = counters[client] ?? 0
            }
            if Int.random(in: 0..<12, using: &random) == 0 { request.cursor += 3 }
            request.isReadingAnew = Int.random(in: 0..<6, using: &random) == 0
            request.isCopied = Int.random(in: 0..<10, using: &random) == 0
            var call = ExchangeCall(request: request, answers: [])
            if Bool.random(using: &random) { call.answers = [run(client)] }
            call.request.answers = call.answers.map(\.span)
            last = call
            return call
        }

        private mutating func operation(_ client: ClientID) -> ChangeOperation {
            counters[client, default: 0] += 1
            let rule = LedgerAgreementTests.rules.randomElement(using: &random)
            let collection = rule?.declaration.name ?? "exams"
            let number = FieldValue.integer(Int64.random(in: 0...50, using: &random))
            let change: Change
            switch Int.random(in: 0..<6, using: &random) {
            case 0: change = .delete
            case 1: change = .count(field: "n", CounterTotals(added: 1, removed: 0))
            default: change = .put(["n": number])
            }
            let from = Int64.random(in: 0...3, using: &random)
            var operation = ChangeOperation(
                id: OperationID(client: client, counter: counters[client] ?? 1),
                key: RecordKey(collection, "r\(Int.random(in: 0..<4, using: &random))"),
                change: collection == "points"
                    ? .count(field: "n", CounterTotals(added: from + 1)) : change,
                seenRevision: UInt64.random(in: 0...20, using: &random),
                time: HybridTime(milliseconds: now))
            if collection == "points" { operation.from = CounterTotals(added: from) }
            return operation
        }

        private mutating func run(_ client: ClientID) -> AnswerColumns {
            let known = answers[client] ?? 0
            let first = max(1, Int64(known) + Int64.random(in: -2...2, using: &random))
            let count = Int.random(in: 1...4, using: &random)
            let rows = (0..<count).map { offset -> AnswerRow? in
                let number = first + Int64(offset)
                return number % 5 == 0
                    ? nil
                    : AnswerRow(
                        bank: "b", session: "s", question: "q\(number % 7)", isCorrect: true,
                        takenMilliseconds: 1, exposuresBefore: 0, mode: "study",
                        milliseconds: number * 40_000_000,
                        offsetMinutes: number % 3 == 0 ? nil : 330)
            }
            return AnswerColumns(
                span: AnswerSpan(client: client, first: UInt64(first), count: count), rows: rows)
        }

        mutating func replied(_ call: ExchangeCall, _ reply: ExchangeReply) {
            let client = call.request.client
            if !reply.response.isDeviceStale { replies[client] = reply.response }
            answers[client] = reply.response.knownAnswers[client]
        }
    }

    /// A service over a new storage, with the time and chance that all of a run have.
    private struct Service {
        let adapter: LedgerAdapter
        let service: LedgerService
        let world: LedgerWorld

        init(_ adapter: LedgerAdapter, now: @escaping @Sendable () -> Int64) async throws {
            self.adapter = adapter
            world = try await adapter.make()
            var ledger = Ledger(rules: LedgerAgreementTests.rules)
            ledger.limits.recordsPerReplyMax = 3
            ledger.limits.answersPerReplyMax = 5
            ledger.limits.marksMax = 4
            ledger.limits.devicesPerUserMax = 3
            ledger.limits.retiredDevicesMax = 2
            ledger.limits.processedResultsMax = 2
            let count = Count()
            service = LedgerService(
                ledger, storage: world.storage, clock: now, makeText: { "t\(count.next())" })
        }
    }

    private final class Count: Sendable {
        private let value = Mutex(0)
        func next() -> Int {
            value.withLock {
                $0 += 1
                return $0
            }
        }
    }

    private final class Clock: Sendable {
        let now = Mutex<Int64>(0)
    }

    /// `UNDERWAY_STORY_SEEDS` plays more of them.
    @Test(arguments: 1...TestRun.count("UNDERWAY_STORY_SEEDS", orElse: UInt64(16)))
    func everyAdapterRepliesAlike(seed: UInt64) async throws {
        var run = Run(random: SeededGenerator(seed: seed))
        let clock = Clock()
        let now: @Sendable () -> Int64 = { clock.now.withLock { $0 } }
        var services: [Service] = []
        for adapter in LedgerAdapter.allCases {
            services.append(try await Service(adapter, now: now))
        }
        for step in 0..<60 {
            let call = run.next()
            clock.now.withLock { [now = run.now] in $0 = now }
            let place = "seed \(seed), step \(step)"
            let replies = try await Self.same(services, place) { service in
                let reply = try await service.exchange(call)
                return Reply(response: reply.response, answers: reply.answers)
            }
            run.replied(call, ExchangeReply(response: replies.response, answers: replies.answers))
            switch step % 15 {
            case 4: _ = try await Self.same(services, place) { try await $0.purge() }
            case 9:
                _ = try await Self.same(services, place) {
                    try await $0.forget(device: "d\(step % 6)", of: "u")
                }
            default: break
            }
        }
        try await expectSameAccounts(services, "seed \(seed)")
    }

    private struct Reply: Equatable {
        var response: ExchangeResponse
        var answers: [AnswerColumns]
    }

    /// Does the same to each service, and returns what all of them return.
    private static func same<Value: Equatable>(
        _ services: [Service], _ place: String,
        _ body: (LedgerService) async throws -> Value
    ) async throws -> Value {
        let first = try await body(services[0].service)
        for service in services.dropFirst() {
            let other = try await body(service.service)
            #expect(other == first, "\(service.adapter), \(place)")
        }
        return first
    }

    /// Runs that all end alike prove little if they meet nothing.
    @Test func theRunsMeetEveryOutcome() async throws {
        var met: Set<String> = []
        for seed in 1...40 as ClosedRange<UInt64> {
            var run = Run(random: SeededGenerator(seed: seed))
            let clock = Clock()
            let one = try await Service(.memory, now: { clock.now.withLock { $0 } })
            for _ in 0..<60 {
                let call = run.next()
                clock.now.withLock { [now = run.now] in $0 = now }
                let reply = try await one.service.exchange(call)
                met.formUnion(Self.outcomes(of: reply, to: call.request))
                run.replied(call, reply)
                if seed % 4 == 0 { _ = try await one.service.purge() }
            }
        }
        #expect(
            met == [
                "accepted", "merged", "conflict", "refused", "stale", "too old", "more", "epoch",
                "answers", "digest",
            ])
    }

    private static func outcomes(
        of reply: ExchangeReply, to request: ExchangeRequest
    ) -> [String] {
        let response = reply.response
        var met: [String] = response.results.values.map {
            switch $0 {
            case .accepted: "accepted"
            case .merged: "merged"
            case .conflict: "conflict"
            case .refused: "refused"
            case .retryLater: "later"
            }
        }
        if response.isDeviceStale { met.append("stale") }
        if response.isTooOld { met.append("too old") }
        if response.hasMore { met.append("more") }
        if let epoch = request.epoch, epoch != response.epoch { met.append("epoch") }
        if !reply.answers.isEmpty { met.append("answers") }
        if response.digest != nil { met.append("digest") }
        return met
    }

    private func expectSameAccounts(_ services: [Service], _ place: String) async throws {
        for client in 0..<6 {
            let first = try await services[0].world.open("u", "d\(client)", Self.everything)
            for service in services.dropFirst() {
                let other = try await service.world.open("u", "d\(client)", Self.everything)
                #expect(first.account == other.account, "\(service.adapter), \(place)")
                #expect(first.device == other.device, "\(service.adapter), \(place)")
                #expect(first.devices == other.devices, "\(service.adapter), \(place)")
                #expect(first.results == other.results, "\(service.adapter), \(place)")
                #expect(first.page == other.page, "\(service.adapter), \(place)")
                #expect(first.endMark == other.endMark, "\(service.adapter), \(place)")
            }
        }
        _ = try await Self.same(services, place) { try await $0.progress(of: "u") }
    }

    private static func everything(_ keys: inout LedgerReadSet) {
        keys.counters = Set(1...60)
        keys.listsDevices = true
        keys.page = .init(after: 0, recordsMax: 1_000, bytesMax: 1 << 20)
    }
}
