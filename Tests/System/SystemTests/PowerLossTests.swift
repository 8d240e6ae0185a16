import CFaultyDisk
import ContentModel
import Foundation
import GRDB
import OfflineStorage
import ServiceAPI
import TestSupport
import Testing
import UserData

@testable import Ledger
@testable import Tables

/// The real stores of a device and a server on disks that lose power in the middle of a write, tear what
/// was not synced, and are full; the machine between them is as it is in the app.
@Suite(.serialized) struct PowerLossTests {
    private static let seeds = TestRun.count("UNDERWAY_POWER_SEEDS", orElse: 150)
    private static let (deviceDisk, serverDisk): (Int32, Int32) = (1, 2)
    private static let rules = [
        "points": CollectionRules(CollectionDeclaration("points", .counter)),
        "notes": CollectionRules(CollectionDeclaration("notes", .appendOnly)),
        "stars": CollectionRules(CollectionDeclaration("stars", .lastWriteWins)),
    ]

    /// One device, one server, and what the user was told.
    private final class World {
        var random: SeededGenerator
        var store: UserStore?
        var server: UserDatabase?
        var now = Date(timeIntervalSince1970: 1_800_000_000)
        /// What was confirmed, and what is in doubt because the power went during it.
        var steps = 0, stepsInDoubt = 0
        var answers = 0, answersInDoubt = 0
        var notes: Set<String> = [], notesInDoubt: Set<String> = []
        var star: Int64?
        var starsInDoubt: Set<Int64> = []
        var number: Int64 = 0
        var powerLosses = 0, fullDisks = 0
        var marks = 0

        init(seed: UInt64) throws {
            random = SeededGenerator(seed: seed)
            faulty_disk_reset(deviceDisk)
            faulty_disk_reset(serverDisk)
            try open()
            try server?.connections.write { database in
                try database.execute(
                    sql: "INSERT INTO account (id, created_at) VALUES ('u', 0)")
            }
            try store?.switchUser(to: "u", bringing: .everything, now: .distantPast)
        }

        private static func queue(_ disk: Int32) throws -> DatabaseQueue {
            var configuration = Configuration()
            configuration.prepareDatabase { database in
                // In the exclusive mode WAL needs no shared memory; the rest is as in the app.
                try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
                try database.execute(sql: "PRAGMA journal_mode = WAL")
                try database.execute(sql: "PRAGMA synchronous = FULL")
                // Small, so that checkpoints are torn too.
                try database.execute(sql: "PRAGMA wal_autocheckpoint = 20")
            }
            return try DatabaseQueue(
                path: "/faulty-disk/\(disk)/db.sqlite", configuration: configuration)
        }

        func open() throws {
            store = nil
            server = nil
            store = try UserStore(
                try Self.queue(deviceDisk),
                collections: PowerLossTests.rules.values.map(\.declaration),
                makeID: { "device" })
            server = try UserDatabase(try Self.queue(serverDisk))
        }

        /// Does something; when the power goes meanwhile, brings it back and opens everything anew.
        func attempt(_ body: () throws -> Void, whenInDoubt: () -> Void) throws {
            do {
                try body()
            } catch {
                // A device says it in its own words.
                let cause = (error as? StoreError)?.cause ?? error
                guard let error = cause as? DatabaseError else { throw error }
                let isOff = [deviceDisk, serverDisk].contains { faulty_disk_is_off($0) != 0 }
                if isOff {
                    whenInDoubt()
                    try comeBack()
                } else {
                    // A full disk undoes what was begun, and is then made room on.
                    #expect(error.resultCode == .SQLITE_FULL || error.resultCode == .SQLITE_IOERR)
                    fullDisks += 1
                    for disk in [deviceDisk, serverDisk] { faulty_disk_be_full_after(disk, -1) }
                }
            }
        }

        /// The store, which nobody may keep: a connection that outlives the power would tidy up in
        /// files that are not its own any more.
        private var live: UserStore { get throws { try #require(store) } }

        /// Opens everything anew; the power may go while it opens, too.
        func comeBack() throws {
            while true {
                store = nil
                server = nil
                for disk in [deviceDisk, serverDisk] where faulty_disk_is_off(disk) != 0 {
                    powerLosses += 1
                    faulty_disk_power_up(disk, random.next())
                }
                do {
                    return try open()
                } catch {
                    let disks = [deviceDisk, serverDisk]
                    for disk in disks { faulty_disk_be_full_after(disk, -1) }
                    guard disks.contains(where: { faulty_disk_is_off($0) != 0 })
                    else { throw error }
                }
            }
        }

        // MARK: The user

        func act() throws {
            number += 1
            let number = number
            now += 1
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                try attempt(
                    {
                        try live.post(
                            .wrote(RecordKey("points", "all"), .count(field: "n", by: 1)), now: now)
                        steps += 1
                    }, whenInDoubt: { stepsInDoubt += 1 })
            case 1:
                try attempt(
                    {
                        try live.post(
                            .wrote(RecordKey("notes", "n\(number)"), .put(["n": .integer(number)])),
                            now: now)
                        notes.insert("n\(number)")
                    }, whenInDoubt: { notesInDoubt.insert("n\(number)") })
            case 2:
                try attempt(
                    {
                        try live.post(
                            .wrote(RecordKey("stars", "s"), .put(["n": .integer(number)])), now: now
                        )
                        star = number
                        starsInDoubt = []
                    }, whenInDoubt: { starsInDoubt.insert(number) })
            default:
                let row = AnswerRow(
                    bank: "b", session: "s", question: "q\(number)", isCorrect: true,
                    takenMilliseconds: 1, exposuresBefore: 0, mode: "study", milliseconds: number)
                try attempt(
                    {
                        try live.post(
                            .answered(count: 1), now: now, extras: .init(answers: [row]))
                        answers += 1
                    }, whenInDoubt: { answersInDoubt += 1 })
            }
        }

        // MARK: Syncing

        /// Exchanges until there is nothing to say, or the power goes.
        func sync() throws {
            now += 1
            let losses = powerLosses + fullDisks
            var effects: [DeviceMachine.Effect] = []
            try attempt({ effects = try store?.handle(.started, now: now) ?? [] }, whenInDoubt: {})
            while powerLosses + fullDisks == losses, let request = effects.firstRequest {
                var reply: ExchangeReply?
                try attempt({ reply = try exchange(request) }, whenInDoubt: {})
                guard let reply else { return }
                try attempt(
                    {
                        effects =
                            try store?.handle(
                                .replied(reply.response), now: now,
                                extras: .init(received: reply.answers)) ?? []
                    }, whenInDoubt: {})
            }
        }

        private func exchange(_ request: ExchangeRequest) throws -> ExchangeReply? {
            // Through the wire, as it is sent.
            let call = ExchangeCall(request: request, answers: try live.columns(request.answers))
            let received = try ExchangeCall(call.json.canonicalBytes)
            marks += 1
            let (mark, milliseconds) = ("m\(marks)", Int64(now.timeIntervalSince1970 * 1000))
            let ledger = Ledger(rules: PowerLossTests.rules.values)
            let keys = ledger.keys(of: received, now: milliseconds)
            let requestDigest = RequestDigest(received)
            let reply = try #require(server).connections.write { database in
                let outline = try SQLiteLedger.exchange(keys, in: database) {
                    ledger.decide(
                        received, requestDigest: requestDigest, now: milliseconds, chance: mark,
                        over: $0)
                }
                let account = try AccountRow(request.user, in: database)
                let page = try SQLiteAnswers(database, account.number)
                    .page(outline.answers, bytesMax: ServiceLimits.replyBytesMax)
                return outline.reply(page)
            }
            return try ExchangeReply(reply.json.canonicalBytes, client: request.client)
        }

        // MARK: The end

        func judge(_ seed: UInt64) throws {
            let state = try #require(store).state()
            #expect(state.isSynced, "seed \(seed)")
            let shown = state.current(RecordKey("points", "all"))?.values["n"] ?? .integer(0)
            guard case .integer(let count) = shown else { return }
            #expect((steps...steps + stepsInDoubt).contains(Int(count)), "seed \(seed)")
            let kept = Set(state.keys(of: "notes").map(\.id))
            #expect(notes.isSubset(of: kept), "seed \(seed)")
            #expect(kept.isSubset(of: notes.union(notesInDoubt)), "seed \(seed)")
            let total = Int(state.answers.total)
            #expect((answers...answers + answersInDoubt).contains(total), "seed \(seed)")
            if case .integer(let value)? = state.current(RecordKey("stars", "s"))?.values["n"] {
                #expect(value == star || starsInDoubt.contains(value), "seed \(seed)")
            } else {
                #expect(star == nil, "seed \(seed)")
            }
            try expectServerHas(state, seed)
        }

        private func expectServerHas(_ state: DeviceState, _ seed: UInt64) throws {
            let (records, answers) = try #require(server).connections.read { database in
                (
                    try String.fetchAll(database, sql: "SELECT json FROM record"),
                    try Int.fetchOne(database, sql: "SELECT count(*) FROM answer") ?? 0
                )
            }
            #expect(records.count == state.bases.count, "seed \(seed)")
            #expect(answers == Int(state.answers.total), "seed \(seed)")
        }
    }

    @Test func whatWasConfirmedOutlivesThePower() throws {
        #expect(faulty_disk_register() == 0)
        var (losses, full) = (0, 0)
        for seed in 0..<UInt64(Self.seeds) {
            let world = try World(seed: seed)
            for _ in 0..<Int.random(in: 10...40, using: &world.random) {
                let disk = Bool.random(using: &world.random) ? Self.deviceDisk : Self.serverDisk
                switch Int.random(in: 0..<8, using: &world.random) {
                case 0, 1:
                    faulty_disk_lose_power_after(
                        disk, Int.random(in: 1...60, using: &world.random))
                case 2:
                    faulty_disk_be_full_after(
                        disk, Int.random(in: 0...10, using: &world.random))
                default: break
                }
                try Bool.random(using: &world.random) ? world.act() : world.sync()
            }
            for disk in [Self.deviceDisk, Self.serverDisk] {
                faulty_disk_lose_power_after(disk, 0)
                faulty_disk_be_full_after(disk, -1)
            }
            // The power may have gone during a checkpoint, which nobody was told.
            try world.comeBack()
            try world.sync()
            try world.sync()
            try world.judge(seed)
            losses += world.powerLosses
            full += world.fullDisks
        }
        print("power loss: \(Self.seeds) seeds, \(losses) losses, \(full) full disks")
        #expect(losses > Self.seeds && full > 0)
    }

    /// The disk itself: without a sync nothing is promised, with one everything is.
    @Test func theDiskForgetsWhatWasNotSynced() throws {
        #expect(faulty_disk_register() == 0)
        var lost = 0
        for seed in 0..<40 as Range<UInt64> {
            faulty_disk_reset(3)
            var configuration = Configuration()
            configuration.prepareDatabase { database in
                try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
                try database.execute(sql: "PRAGMA journal_mode = WAL")
                try database.execute(sql: "PRAGMA synchronous = OFF")
            }
            do {
                let queue = try DatabaseQueue(
                    path: "/faulty-disk/3/x.sqlite", configuration: configuration)
                try queue.write { database in
                    try database.execute(sql: "CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('x')")
                }
                faulty_disk_lose_power_after(3, 1)
                try? queue.write { try $0.execute(sql: "INSERT INTO t VALUES ('y')") }
            }
            faulty_disk_power_up(3, seed)
            let again = try? DatabaseQueue(
                path: "/faulty-disk/3/x.sqlite", configuration: configuration)
            let count = try? again?.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
            if count != 1 { lost += 1 }
        }
        #expect(lost > 10)
    }
}

extension [DeviceMachine.Effect] {
    fileprivate var firstRequest: ExchangeRequest? {
        for case .send(let request) in self { return request }
        return nil
    }
}
