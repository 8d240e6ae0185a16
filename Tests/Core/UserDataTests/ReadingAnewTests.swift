import SimulationSupport
import Testing
import UserData

/// What a user does while a device reads the log from its start.
@Suite struct ReadingAnewTests {
    private let key = RecordKey("exams", "swift")

    /// A device that shows a record, and a server that has it under another epoch.
    private func deviceAndServer(_ policy: Policy) throws -> (DeviceMachine, MemoryLedger) {
        let declaration = CollectionDeclaration("exams", policy)
        var device = DeviceMachine(
            DeviceState(user: "u", client: ClientID("phone"), declarations: [declaration]))
        var server = MemoryLedger(epoch: "e", declarations: device.state.declarations)
        _ = device.handle(.wrote(key, .put(["day": "monday"])), now: 1)
        try sync(&device, &server)
        server.epoch = "other"
        return (device, server)
    }

    private func sync(
        _ device: inout DeviceMachine, _ server: inout MemoryLedger, requestsMax: Int = 20
    ) throws {
        var effects = device.handle(.started, now: 10)
        for _ in 0..<requestsMax {
            guard let request = effects.request else { break }
            effects = device.handle(.replied(server.exchange(request).response), now: 10)
        }
        _ = device.handle(.stopped, now: 10)
    }

    @Test(arguments: [Policy.askUser, .serverWins, .lastWriteWins, .fieldMerge])
    func aWriteHasSeenTheRecordThatIsShown(policy: Policy) throws {
        var (device, server) = try deviceAndServer(policy)
        // The reply says that the server went back; then the network is gone.
        try sync(&device, &server, requestsMax: 1)
        #expect(device.state.isRecovering)
        #expect(device.state.current(key)?.values == ["day": "monday"])
        _ = device.handle(.wrote(key, .put(["day": "tuesday"])), now: 20)
        try sync(&device, &server)
        #expect(device.state.conflicts.isEmpty)
        #expect(device.state.current(key)?.values == ["day": "tuesday"])
        #expect(server.accounts["u"]?.records[key]?.values == ["day": "tuesday"])
    }
}

extension [DeviceMachine.Effect] {
    fileprivate var request: ExchangeRequest? {
        for case .send(let request) in self { return request }
        return nil
    }
}
