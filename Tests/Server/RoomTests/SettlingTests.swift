import ContentModel
import Ledger
import ServiceAPI
import Testing
import UserData

/// Devices that leave their name: the server counts a step that several copies of a store hold once.
@Suite struct SettlingTests {
    private let service: ServiceFixture
    private let user: String
    private let points = RecordKey("points", "p")

    init() async throws {
        service = try await ServiceFixture()
        user = try await service.user().user
    }

    /// A step of one, as devices send it.
    private func step(
        _ counter: UInt64, from: Int64, to total: Int64? = nil, client: String = "d"
    ) -> ChangeOperation {
        var operation = service.change(
            "points", "p", .count(field: "n", CounterTotals(added: total ?? from + 1)), counter,
            client: client)
        operation.from = CounterTotals(added: from)
        return operation
    }

    private func settle(
        _ operations: [ChangeOperation], client: String = "d"
    ) async throws -> ExchangeResponse {
        let request = ExchangeRequest(
            number: 1, user: user, client: ClientID(client), epoch: nil, cursor: 0,
            operations: operations, processedBefore: 1 << 53, isCopied: true)
        // Through the wire, as a request comes.
        let call = try ExchangeCall(
            ExchangeCall(request: request, answers: []).json.canonicalBytes)
        return try await service.users.exchange(call, of: user).response
    }

    private func total() async throws -> FieldValue? {
        try await service.users.record(points, of: user)?.values["n"]
    }

    @Test func aStepThatContinuesIsCountedOnce() async throws {
        _ = try await service.send(user, [step(1, from: 0)])
        let first = try await settle([step(2, from: 1)])
        #expect(first.isDeviceStale && first.result(2)?.record?.values == ["n": 2])
        let second = try await settle([step(2, from: 1)])
        #expect(second.result(2)?.record?.values == ["n": 2])
        #expect(try await total() == 2)
        #expect(first.head?.position == 2, "other devices hear of it")
    }

    /// The original does not know what its copy settled.
    @Test func theNameIsClosedForEveryDeviceThatUsesIt() async throws {
        _ = try await service.send(user, [step(1, from: 0)])
        _ = try await settle([step(2, from: 1)])
        let original = try await service.send(user, number: 9, processedBefore: 2)
        #expect(original.isDeviceStale)
        let settled = try await settle([step(2, from: 1), step(3, from: 2)])
        #expect(settled.result(2) != nil && settled.result(3)?.record?.values == ["n": 3])
        #expect(try await service.users.devices(of: user).isEmpty, "nobody uses the name any more")
    }

    @Test func aNameUnderWhichNothingWasSettledStaysOpen() async throws {
        _ = try await service.send(user, [step(1, from: 0)])
        _ = try await settle([step(1, from: 0)])
        #expect(try await !service.send(user, number: 9, processedBefore: 2).isDeviceStale)
    }

    @Test func behindTheFirstDifferenceNothingIsCounted() async throws {
        _ = try await service.send(user, [step(1, from: 0)])
        _ = try await settle([step(2, from: 1)])
        // Another step of the same number, and what was made on top of it.
        let other = try await settle([step(2, from: 1, to: 5), step(3, from: 5)])
        #expect(other.results.isEmpty)
        // A step whose totals the server has gone beyond.
        #expect(try await settle([step(7, from: 0), step(8, from: 2)]).results.isEmpty)
        #expect(try await total() == 2)
    }

    /// A client of before did not say `from`: the reply to it was lost, and the app was updated.
    @Test func aStepThatWasSentWithoutFromIsTheSame() async throws {
        var bare = step(1, from: 0)
        bare.from = nil
        _ = try await service.send(user, [bare])
        #expect(try await !service.send(user, number: 2, [step(1, from: 0)]).isDeviceStale)
        #expect(try await settle([step(1, from: 0)]).result(1)?.record?.values == ["n": 1])
        #expect(try await total() == 1)
    }

    /// Else each copy would send what is behind it under a name of its own.
    @Test func aRefusedStepStopsNone() async throws {
        var refused = service.change(
            "unknown", "p", .count(field: "n", CounterTotals(added: 5)), 1)
        refused.from = CounterTotals()
        for _ in 0..<2 {
            let reply = try await settle([refused, step(2, from: 0)])
            #expect(reply.result(1) == .refused(.unknownCollection))
            #expect(reply.result(2)?.record?.values == ["n": 1])
        }
        #expect(try await total() == 1)
    }

    /// Whatever the request says that the device has processed.
    @Test func anIdHasOnlySoManyResults() async throws {
        var count = 0
        for piece in 0..<6 {
            let first = UInt64(piece * 500 + 1)
            let steps = (first..<first + 500).map { step($0, from: Int64($0) - 1) }
            let reply = try await settle(steps)
            count += reply.results.count
        }
        #expect(count == ServiceLimits.unprocessedResultsMax)
    }

    /// A device changes what it has not sent, so a copy may have another one under the same number.
    @Test func anotherChangeOfTheSameNumberSaysNothingOfSteps() async throws {
        _ = try await service.send(user, [service.put("exams", "a", ["n": 1], 1)])
        let reply = try await settle([service.put("exams", "a", ["n": 2], 1), step(2, from: 0)])
        #expect(reply.result(1) == nil && reply.result(2)?.record?.values == ["n": 1])
    }

    @Test func onlyStepsAreApplied() async throws {
        var bare = step(3, from: 0)
        bare.from = nil
        let reply = try await settle([service.put("exams", "a", ["n": 1], 1), bare])
        #expect(reply.results.isEmpty && reply.head == nil)
        #expect(try await service.users.record(RecordKey("exams", "a"), of: user) == nil)
        #expect(try await total() == nil)
    }

    /// What was acknowledged before the server went back is in the totals that the device names.
    @Test func totalsThatTheServerLostComeBack() async throws {
        let reply = try await settle([step(9, from: 5)])
        #expect(reply.result(9)?.record?.values == ["n": 6])
    }

    /// A branch is no device: it takes no place in the list, and its results do not pile up.
    @Test func aBranchIsNoDevice() async throws {
        let branch = BranchName.ofOperations(from: step(1, from: 0)).text
        let settled = try await settle([step(1, from: 0, client: branch)], client: branch)
        #expect(settled.result(1, branch) != nil)
        #expect(try await service.users.devices(of: user).isEmpty)
        #expect(try await total() == 1)
        for number in 1...(2 * ServiceLimits.devicesPerUserMax + 5) {
            let name = "x\(number)"
            let reply = try await settle([step(1, from: 0, client: name)], client: name)
            #expect(reply.result(1, name) != nil)
            service.advance(days: 0.001)
        }
        let devices = try await service.users.devices(of: user)
        #expect(devices.count <= ServiceLimits.devicesPerUserMax)
        // So long ago that nothing is remembered of it; its totals stay.
        #expect(
            try await settle([step(1, from: 0, client: "x1")], client: "x1").results.isEmpty)
    }

    /// A name that is settled after it was forgotten takes the place of another one in the memory, and goes in its turn.
    @Test func theResultsOfForgottenNamesDoNotStayForEver() async throws {
        /// Retires a device that has an answer, so that its name stays, and one result; returns its operation.
        @discardableResult
        func retire(_ name: String) async throws -> ChangeOperation {
            let operation = step(1, from: 0, client: name)
            _ = try await service.answer(user, client: name, [ServiceFixture.row("q")])
            _ = try await service.send(user, client: name, number: 2, held: 1, [operation])
            try await service.users.forgetDevice(name, of: user)
            service.advance(days: 0.001)
            return operation
        }
        /// Returns whether an operation is remembered; a step without `from` is never a new one.
        func isKnown(_ operation: ChangeOperation) async throws -> Bool {
            var asked = operation
            asked.from = nil
            return try await !settle([asked], client: asked.id.client.text).results.isEmpty
        }
        let old = try await retire("old")
        let next = try await retire("next")
        for number in 1..<ServiceLimits.devicesPerUserMax { try await retire("a\(number)") }
        #expect(try await !isKnown(old))
        #expect(try await isKnown(next))
        let again = step(2, from: 1, client: "old")
        #expect(try await settle([again], client: "old").result(2, "old") != nil)
        #expect(try await isKnown(again))
        #expect(try await !isKnown(next))
        for number in 0..<ServiceLimits.devicesPerUserMax { try await retire("b\(number)") }
        #expect(try await !isKnown(again))
    }

    @Test(arguments: ["[1]", "[1,-1]", "[1,2,3]", "{}", "\"1\"", "[1.5,0]"])
    func totalsThatAreNoneAreRefused(from: String) async throws {
        let text = """
            {"version":1,"user":"u","client":"d","request":1,"operations":[{"n":1,"collection":"points",\
            "id":"p","time":[1,0],"count":["n",1,0],"from":\(from)}]}
            """
        var call = try ExchangeCall(Array(text.utf8))
        #expect(call.request.operations.isEmpty)
        #expect(call.unreadable.values.map(\.self) == [.badField])
        call.request.user = user
        for isCopied in [true, false] {
            call.request.isCopied = isCopied
            let reply = try await service.users.exchange(call, of: user).response
            #expect(reply.result(1) == .refused(.badField), "\(isCopied)")
        }
    }
}
