import Ledger
import Operations
import Testing
import UserData

/// A device that was restored from a backup, or a copy of one that runs beside it.
@Suite struct StaleDeviceTests {
    private let service: ServiceFixture
    private let user: String

    init() async throws {
        service = try await ServiceFixture()
        user = try await service.user().user
    }

    @Test func aRequestNumberThatIsUsedAgainForOtherContentChangesNothing() async throws {
        _ = try await service.send(user, [service.put("exams", "a", ["n": 1], 1)])
        let copy = try await service.send(user, [service.put("exams", "b", ["n": 2], 1)])
        #expect(copy.isDeviceStale && copy.results.isEmpty && copy.changes.isEmpty)
        #expect(copy.head?.position == 1)
        #expect(try await service.users.record(RecordKey("exams", "b"), of: user) == nil)
    }

    @Test func aRequestThatIsSentTwiceIsNoSignOfIt() async throws {
        let operation = service.put("exams", "a", ["n": 1], 1)
        let first = try await service.send(user, [operation])
        let second = try await service.send(user, [operation])
        #expect(!second.isDeviceStale && first.results == second.results)
    }

    @Test func anOperationWithOtherContentIsNotTakenForTheOneOfBefore() async throws {
        _ = try await service.send(user, [service.put("exams", "a", ["n": 1], 1)])
        let copy = try await service.send(user, number: 9, [service.put("exams", "a", ["n": 2], 1)])
        #expect(copy.isDeviceStale)
    }

    @Test func whatItsAuthorSawMayBePutInOtherWords() async throws {
        var operation = service.put("exams", "a", ["n": 1], 1)
        _ = try await service.send(user, [operation])
        operation.follows = OperationID(client: ClientID("x"), counter: 7)
        let again = try await service.send(user, number: 2, [operation])
        #expect(!again.isDeviceStale && again.result(1) != nil)
    }

    @Test func aStaleDeviceLearnsWhichOfItsOperationsWereApplied() async throws {
        let (one, two) = (
            service.put("exams", "a", ["n": 1], 1), service.put("exams", "b", ["n": 1], 2)
        )
        _ = try await service.send(user, [one])
        _ = try await service.send(user, number: 2, processedBefore: 2)
        let copy = try await service.send(user, [one, two])
        #expect(copy.isDeviceStale && copy.result(2) == nil)
        guard case .accepted(let record)? = copy.result(1) else {
            Issue.record("the operation that was applied is not named")
            return
        }
        #expect(record.key.id == "a")
    }

    @Test func acknowledgementsNeverGoBack() async throws {
        _ = try await service.send(user, processedBefore: 5)
        #expect(try await service.send(user, number: 2, processedBefore: 4).isDeviceStale)
        let operation = service.put("exams", "a", ["n": 1], 4)
        let below = try await service.send(user, number: 3, processedBefore: 5, [operation])
        #expect(below.isDeviceStale)
        #expect(try await !service.send(user, number: 4, processedBefore: 5).isDeviceStale)
    }

    @Test func aDeviceHasItsOwnAnswers() async throws {
        _ = try await service.answer(user, [ServiceFixture.row("q1"), ServiceFixture.row("q2")])
        #expect(try await service.send(user, number: 2).isDeviceStale)
    }

    @Test func otherAnswersUnderTheSameNumbersAreStale() async throws {
        _ = try await service.answer(user, [ServiceFixture.row("q1")])
        let rows = [ServiceFixture.row("other"), ServiceFixture.row("q2")]
        let copy = try await service.answer(user, number: 2, rows)
        #expect(copy.isDeviceStale && copy.knownAnswers[ClientID("d")] == 1)
        let same = [ServiceFixture.row("q1"), ServiceFixture.row("q2")]
        let reply = try await service.answer(user, number: 3, same)
        #expect(!reply.isDeviceStale && reply.knownAnswers[ClientID("d")] == 2)
    }

    @Test func aDeviceNeverForgetsTheEndOfTheLog() async throws {
        let first = try await service.send(user, [service.put("exams", "a", ["n": 1], 1)])
        let second = try await service.send(
            user, number: 2, epoch: first.epoch, cursor: first.cursor, head: first.head,
            [service.put("exams", "b", ["n": 1], 2)])
        _ = try await service.send(
            user, number: 3, epoch: first.epoch, cursor: second.cursor, head: second.head)
        let copy = try await service.send(
            user, number: 4, epoch: first.epoch, cursor: first.cursor, head: first.head)
        #expect(copy.isDeviceStale)
    }

    @Test func aServerThatWentBackKnowsLowerNumbersAndFindsNobodyStale() async throws {
        let first = try await service.send(user, [service.put("exams", "a", ["n": 1], 1)])
        let generation = try service.database.startGeneration(now: service.now)
        let next = try await service.send(
            user, number: 50, epoch: first.epoch, cursor: 1, head: first.head, processedBefore: 9)
        #expect(!next.isDeviceStale && next.epoch == "\(generation).\(first.epoch)")
    }
}
