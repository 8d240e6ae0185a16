import Foundation
import GRDB
import Ledger
import Operations
import Tables
import Testing
import UserData

@Suite struct EpochTests {
    @Test func aCursorFromTheFutureStartsAnEpochForItsAccountAlone() async throws {
        let service = try await ServiceFixture()
        let (one, two) = (try await service.user().user, try await service.user().user)
        let before = try await service.send(one, [service.put("exams", "a", ["n": 1], 1)])
        let other = try await service.send(two, [service.put("exams", "a", ["n": 1], 1)])
        let attack = try await service.send(two, number: 2, epoch: other.epoch, cursor: 99)
        #expect(attack.epoch != other.epoch)
        let after = try await service.send(
            one, number: 2, epoch: before.epoch, cursor: before.cursor, head: before.head,
            [service.put("exams", "b", ["n": 1], 2)])
        #expect(after.epoch == before.epoch && after.result(2) != nil)
    }

    @Test func aRestoreOfTheServerStartsAnEpochForAll() async throws {
        let service = try await ServiceFixture()
        let user = try await service.user().user
        let before = try await service.send(user)
        let first = try service.database.startGeneration(now: service.now)
        let second = try service.database.startGeneration(now: service.now)
        #expect(second == first + 1)
        let reply = try await service.send(user, number: 2, epoch: before.epoch)
        #expect(reply.epoch == "\(second).\(before.epoch)")
        let next = try await service.send(user, number: 3, epoch: reply.epoch)
        #expect(next.epoch == reply.epoch)
    }

    /// Nobody said that the server went back, and others wrote since then: the device's head lies before
    /// every mark that there is, and still belongs to another history.
    @Test func aHeadBeforeAllMarksOfAShortLogIsAnotherHistory() async throws {
        let service = try await ServiceFixture()
        let user = try await service.user().user
        _ = try await service.send(user)
        let before = try await service.send(
            user, number: 2, [service.put("exams", "a", ["n": 1], 1)])
        try await service.database.connections.write { database in
            for table in ["record", "mark", "device"] {
                try database.execute(sql: "DELETE FROM \(table)")
            }
            try database.execute(
                sql: "UPDATE account SET position = 0, digest = '0.0.0', record_bytes = 0")
        }
        _ = try await service.send(
            user, client: "other",
            [
                service.put("exams", "b", ["n": 1], 1, client: "other"),
                service.put("exams", "c", ["n": 1], 2, client: "other"),
            ])
        let reply = try await service.send(
            user, number: 3, epoch: before.epoch, cursor: 1, head: before.head)
        #expect(reply.epoch != before.epoch && !reply.isTooOld)
    }
}
