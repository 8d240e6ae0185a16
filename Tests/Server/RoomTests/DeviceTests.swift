import ContentServer
import Ledger
import ServiceAPI
import Testing
import UserData

@Suite struct DeviceTests {
    private let service: ServiceFixture
    private let user: String

    init() async throws {
        service = try await ServiceFixture()
        user = try await service.user().user
    }

    private func fill() async throws {
        for number in 1...ServiceLimits.devicesPerUserMax {
            let client = "d\(number)"
            let count = number == 1 ? 1 : 0
            if count == 1 {
                _ = try await service.answer(user, client: client, [ServiceFixture.row("q")])
            } else {
                _ = try await service.send(user, client: client)
            }
            service.advance(days: 0.001)
        }
    }

    @Test func anotherDeviceRetiresTheLeastRecentlyUsed() async throws {
        try await fill()
        let reply = try await service.send(user, client: "new")
        #expect(reply.knownAnswers[ClientID("d1")] == 1)
        let devices = try await service.users.devices(of: user)
        #expect(devices.count == ServiceLimits.devicesPerUserMax)
        #expect(devices.first?.client.text == "new" && devices.last?.client.text == "d2")
        // The one that went learns it, and takes a new identity.
        let back = try await service.send(user, client: "d1", number: 2)
        #expect(back.isDeviceStale && back.knownAnswers[ClientID("d1")] == 1)
        // One that left nothing behind simply begins anew.
        _ = try await service.send(user, client: "newer")
        #expect(try await !service.send(user, client: "d2", number: 2).isDeviceStale)
    }

    /// Without that it would send the change under its new name, and a step would count twice.
    @Test func aForgottenDeviceLearnsWhatWasAppliedOfWhatItSendsAgain() async throws {
        let operation = service.put("exams", "a", ["n": 1], 1)
        _ = try await service.send(user, [operation])
        try await service.users.forgetDevice("d", of: user)
        let again = try await service.send(user, number: 2, [operation])
        #expect(again.isDeviceStale && again.result(1)?.record?.values == ["n": 1])
    }

    @Test func aDeviceThatWaitsForResultsGoesLast() async throws {
        _ = try await service.send(
            user, client: "d0", [service.put("exams", "a", ["n": 1], 1, client: "d0")])
        service.advance(days: 0.001)
        try await fill()
        let devices = try await service.users.devices(of: user)
        #expect(devices.contains { $0.client.text == "d0" && $0.unreadResults == 1 })
        #expect(!devices.contains { $0.client.text == "d1" })
    }

    @Test func aThousandDevicesOfAUserComeAndGo() async throws {
        for number in 1...1_000 {
            if number % 200 == 0 { service.advance(days: 1) }
            _ = try await service.send(user, client: "d\(number)")
        }
        #expect(
            try await service.users.devices(of: user).count == ServiceLimits.devicesPerUserMax)
    }

    @Test func aDeviceIsForgottenAndWhatItSentStays() async throws {
        _ = try await service.answer(user, client: "old", [ServiceFixture.row("q")])
        _ = try await service.send(user, client: "phone")
        try await service.users.forgetDevice("old", of: user)
        #expect(try await service.users.devices(of: user).map(\.client.text) == ["phone"])
        let reply = try await service.send(user, client: "phone", number: 2)
        #expect(reply.knownAnswers[ClientID("old")] == 1)
        await #expect(throws: RequestError.self) {
            try await service.users.forgetDevice("old", of: user)
        }
        let other = try await service.user().user
        await #expect(throws: RequestError.self) {
            try await service.users.forgetDevice("phone", of: other)
        }
    }

    @Test func devicesThatOnlyTheirAnswersAreKnownOfDoNotCount() async throws {
        let span = AnswerSpan(client: ClientID("lost"), first: 1, count: 1)
        let request = ExchangeRequest(
            number: 1, user: user, client: ClientID("d"), epoch: nil, cursor: 0, operations: [],
            knownAnswers: AnswerVector([span.client: 1]), answers: [span])
        let columns = AnswerColumns(span: span, rows: [ServiceFixture.row("q")])
        _ = try await service.users.exchange(
            ExchangeCall(request: request, answers: [columns]), of: user)
        #expect(try await service.users.devices(of: user).map(\.client.text) == ["d"])
        // It comes itself: nobody has told it that it was forgotten.
        let reply = try await service.answer(
            user, client: "lost", number: 7, [ServiceFixture.row("q"), ServiceFixture.row("r")])
        #expect(!reply.isDeviceStale && reply.knownAnswers[span.client] == 2)
    }

    @Test func answersOfOnlySoManyDevicesAreKept() async throws {
        let count = ServiceLimits.devicesWithAnswersMax + 1
        let runs = (1...count).map { number in
            AnswerColumns(
                span: AnswerSpan(client: ClientID("x\(number)"), first: 1, count: 1),
                rows: [ServiceFixture.row("q")])
        }
        let known = Dictionary(uniqueKeysWithValues: runs.map { ($0.span.client, UInt64(1)) })
        let request = ExchangeRequest(
            number: 1, user: user, client: ClientID("d"), epoch: nil, cursor: 0, operations: [],
            knownAnswers: AnswerVector(known), answers: runs.map(\.span))
        let reply = try await service.users.exchange(
            ExchangeCall(request: request, answers: runs), of: user)
        #expect(reply.response.isFull)
        #expect(reply.response.knownAnswers.lasts.count == ServiceLimits.devicesWithAnswersMax)
    }
}
