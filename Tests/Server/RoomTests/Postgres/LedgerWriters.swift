import Foundation
import ServiceAPI
import Synchronization
import TestSupport
import Testing
import UserData

@testable import Ledger
@testable import Tables

/// Eight devices that write to one account at once, through the services of several processes, and one
/// that reads.
struct LedgerWriters: Sendable {
    let seed: UInt64
    /// The services; the last one is the reader's.
    let services: [LedgerService]
    private let state = State()

    private final class State: Sendable {
        let running = Atomic(8)
        let acknowledged = Mutex<[RecordKey: UInt64]>([:])
        let replies = Atomic(0)
    }

    init(seed: UInt64, storages: [any LedgerStorage]) {
        self.seed = seed
        services = storages.map { storage in
            LedgerService(
                Ledger(rules: [CollectionRules(CollectionDeclaration("stars", .lastWriteWins))]),
                storage: storage, clock: { 1_800_000_000_000 }, makeText: { UUID().uuidString })
        }
    }

    /// The number of replies so far.
    var replyCount: Int { state.replies.load(ordering: .sequentiallyConsistent) }

    /// Writes and reads until all is written and read.
    func run() async throws -> LedgerReader {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 { group.addTask { try await write(number) } }
            var reader = LedgerReader()
            let own = services[services.count - 1]
            while state.running.load(ordering: .sequentiallyConsistent) > 0 {
                _ = try await repeating { try await reader.read(own) }
            }
            while try await reader.read(own) {}
            try await group.waitForAll()
            return reader
        }
    }

    private func write(_ number: Int) async throws {
        defer { state.running.subtract(1, ordering: .sequentiallyConsistent) }
        var writer = LedgerWriter(
            client: ClientID("w\(number)"),
            random: SeededGenerator(seed: seed * 100 + UInt64(number)))
        for _ in 0..<15 {
            let call = writer.next()
            let service = services[number % (services.count - 1)]
            let response = try await repeating { try await service.exchange(call).response }
            #expect(!response.isDeviceStale, "seed \(seed)")
            writer.reply = response
            note(response)
        }
    }

    /// Sends again what was not acknowledged, as a device does.
    private func repeating<Value>(_ body: () async throws -> Value) async throws -> Value {
        let end = ContinuousClock.now + .seconds(60)
        while true {
            do {
                return try await body()
            } catch let error as StorageError where ContinuousClock.now < end {
                guard error == .busy || error == .unavailable else { throw error }
            }
        }
    }

    private func note(_ response: ExchangeResponse) {
        state.acknowledged.withLock { known in
            for case .accepted(let record) in response.results.values {
                known[record.key] = max(known[record.key] ?? 0, record.revision)
            }
        }
        state.replies.add(1, ordering: .sequentiallyConsistent)
    }

    /// Compares what the reader has, and what was acknowledged, with what is stored.
    func expectAgreement(_ reader: LedgerReader, with storage: any LedgerStorage) async throws {
        var keys = LedgerReadSet(user: "u", client: ClientID("x"), now: 1)
        keys.page = .init(after: 0, recordsMax: 1_000, bytesMax: 1 << 20)
        let snapshot = try await storage.open(keys)
        let rows = snapshot.page?.rows ?? []
        let stored = Dictionary(uniqueKeysWithValues: rows.map { ($0.record.key, $0.position) })
        #expect(reader.records == stored, "seed \(seed)")
        #expect(reader.reply?.digest == snapshot.account.digest, "seed \(seed)")
        #expect(snapshot.account.digest == RecordDigest(rows.map(\.record)), "seed \(seed)")
        let lasts = snapshot.devices.reduce(0) { $0 + $1.lastAnswer }
        #expect(lasts == UInt64(snapshot.account.answerCount), "seed \(seed)")
        #expect(UInt64(reader.reply?.knownAnswers.total ?? 0) == lasts, "seed \(seed)")
        for (key, revision) in state.acknowledged.withLock({ $0 }) {
            #expect(stored[key] ?? 0 >= revision, "\(key), seed \(seed)")
        }
    }
}
