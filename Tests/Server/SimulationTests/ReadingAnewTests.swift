import SimulationSupport
import Testing
import UserData

/// What a user does while a device reads the log from its start.
@Suite struct ReadingAnewTests {
    private let key = RecordKey("exams", "swift")

    /// A device that shows a record, and a server that has it under another epoch.
    private func deviceAndServer(_ policy: Policy) throws -> (DeviceMachine, SimulatedServer) {
        let declaration = CollectionDeclaration("exams", policy)
        var device = DeviceMachine(
            DeviceState(user: "u", client: ClientID("phone"), declarations: [declaration]))
        var server = SimulatedServer(declarations: device.state.declarations)
        _ = device.handle(.wrote(key, .put(["day": "monday"])), now: 1)
        try sync(&device, &server)
        server.startGeneration()
        return (device, server)
    }

    private func sync(
        _ device: inout DeviceMachine, _ server: inout SimulatedServer, requestsMax: Int = 20
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

    @Test(arguments: [Policy.askUser, .serverWins, .lastWriteWins, .fieldMerge])
    func aWriteOnTopOfAnOfferHasSeenWhatIsOffered(policy: Policy) throws {
        var (device, server) = try deviceAndServer(policy)
        server.loseEverything()
        // The log is read; the request with the offer is lost.
        try sync(&device, &server, requestsMax: 2)
        #expect(device.state.outbox.map(\.isOffer) == [true])
        // The clock was set back, so that only what was seen decides.
        _ = device.handle(.wrote(key, .put(["day": "tuesday"])), now: -1_000_000_000)
        try sync(&device, &server)
        #expect(device.state.conflicts.isEmpty)
        #expect(server.accounts["u"]?.records[key]?.values == ["day": "tuesday"])
        #expect(device.state.current(key)?.values == ["day": "tuesday"])
    }

    /// A phone whose clock runs ahead wrote, and a tablet replaced that; then the server went back, and the
    /// phone, which never got an answer, sends again: the server believes its time as far as its own clock,
    /// which is later by now.
    @Test(arguments: [Policy.askUser, .serverWins, .lastWriteWins, .fieldMerge])
    func whatWasReplacedKnowinglyDoesNotComeBackWithALaterTime(policy: Policy) throws {
        let declaration = CollectionDeclaration("exams", policy)
        func makeDevice(_ name: String) -> DeviceMachine {
            DeviceMachine(
                DeviceState(user: "u", client: ClientID(name), declarations: [declaration]))
        }
        var (phone, tablet) = (makeDevice("phone"), makeDevice("tablet"))
        var server = SimulatedServer(declarations: phone.state.declarations)
        let empty = server
        server.now = 1_000 - HybridClock.aheadMillisecondsMax
        _ = phone.handle(.wrote(key, .put(["day": "monday"])), now: 9_000_000)
        // The server takes it; the reply is lost.
        let request = try #require(phone.handle(.started, now: 9_000_000).request)
        _ = server.exchange(request)
        _ = phone.handle(.stopped, now: 9_000_000)
        try sync(&tablet, &server)
        _ = tablet.handle(.wrote(key, .put(["day": "tuesday"])), now: 20)
        try sync(&tablet, &server)
        #expect(server.accounts["u"]?.records[key]?.values == ["day": "tuesday"])

        for phoneIsFirst in [true, false] {
            var (phone, tablet, server) = (phone, tablet, empty)
            server.startGeneration()
            server.now = 500_000 - HybridClock.aheadMillisecondsMax
            for _ in 0..<2 {
                if phoneIsFirst { try sync(&phone, &server) }
                try sync(&tablet, &server)
                try sync(&phone, &server)
            }
            try sync(&tablet, &server)
            for device in [phone, tablet] {
                #expect(device.state.conflicts.isEmpty)
                #expect(device.state.current(key)?.values == ["day": "tuesday"])
            }
        }
    }

    /// Two changes that nobody had seen both of: after the server went back, too, the user is asked.
    @Test func anOfferThatMeetsWhatItsAuthorNeverSawAsksTheUser() throws {
        var (device, server) = try deviceAndServer(.askUser)
        server.loseEverything()
        var tablet = DeviceMachine(
            DeviceState(
                user: "u", client: ClientID("tablet"),
                declarations: [CollectionDeclaration("exams", .askUser)]))
        _ = tablet.handle(.wrote(key, .put(["day": "tuesday"])), now: 5_000)
        try sync(&tablet, &server)
        try sync(&device, &server)
        let conflict = try #require(device.state.conflicts.first)
        #expect(conflict.mine.change == .put(["day": "monday"]))
        #expect(conflict.theirs.values == ["day": "tuesday"])
        #expect(device.state.current(key)?.values == ["day": "monday"])
        _ = device.handle(.resolved(key, .keepMine, shown: conflict.tag), now: 6_000)
        try sync(&device, &server)
        #expect(server.accounts["u"]?.records[key]?.values == ["day": "monday"])
    }
}

extension [DeviceMachine.Effect] {
    fileprivate var request: ExchangeRequest? {
        for case .send(let request) in self { return request }
        return nil
    }
}
