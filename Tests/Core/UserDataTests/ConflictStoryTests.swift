import Testing

@testable import UserData

/// Two devices of one user and a server, told as stories.
private struct Story {
    private var machines: [String: DeviceMachine] = [:]
    private var server: MemoryLedger
    private var now: Int64 = 1_800_000_000_000
    /// By how much a device's clock is off, in milliseconds.
    var skew: [String: Int64] = [:]

    init() {
        server = MemoryLedger(
            epoch: "e",
            declarations: Dictionary(
                uniqueKeysWithValues: Simulation.collections.map { ($0.name, $0) }))
        for name in ["phone", "tablet"] {
            machines[name] = DeviceMachine(
                DeviceState(
                    user: "u", client: ClientID(name), declarations: Simulation.collections))
        }
    }

    mutating func days(_ count: Int64) { now += count * 86_400_000 }

    mutating func write(_ device: String, _ key: RecordKey, _ write: DeviceMachine.Write) {
        now += 1_000
        // Offline: what would be sent is not.
        _ = machines[device]?.handle(.wrote(key, write), now: now + (skew[device] ?? 0))
        guard let state = machines[device]?.state else { return }
        machines[device] = DeviceMachine(state)
    }

    mutating func settle(_ device: String, _ key: RecordKey, _ how: DeviceMachine.Settlement) {
        now += 1_000
        _ = machines[device]?.handle(.settled(key, how), now: now)
        guard let state = machines[device]?.state else { return }
        machines[device] = DeviceMachine(state)
    }

    /// Exchanges until there is nothing more to say.
    mutating func sync(_ device: String) {
        now += 1_000
        var effects = machines[device]?.handle(.started, now: now) ?? []
        while true {
            let requests = effects.compactMap { effect in
                if case .send(let request) = effect { request } else { nil }
            }
            guard let request = requests.first else { return }
            let response = server.exchange(request).response
            effects = machines[device]?.handle(.replied(response), now: now) ?? []
        }
    }

    func shows(_ device: String, _ key: RecordKey) -> [String: FieldValue]? {
        machines[device]?.state.current(key)?.values
    }

    func conflict(_ device: String, _ key: RecordKey) -> DeviceState.Conflict? {
        machines[device]?.state.conflicts.first { $0.key == key }
    }

    func setAside(_ device: String) -> [DeviceState.SetAside] {
        machines[device]?.state.setAside ?? []
    }
}

@Suite struct ConflictStoryTests {
    private let exam = RecordKey("reservations", "exam")
    private let star = RecordKey("favourites", "q1")
    private let profile = RecordKey("profile", "me")

    /// Both devices know a record.
    private func both(_ key: RecordKey, _ values: [String: FieldValue]) -> Story {
        var story = Story()
        story.write("phone", key, .put(values))
        story.sync("phone")
        story.sync("tablet")
        #expect(story.shows("tablet", key) == values)
        return story
    }

    @Test func editAgainstEditIsShownWithMineTheirsAndBase() throws {
        var story = both(exam, ["day": "monday"])
        story.write("phone", exam, .put(["day": "tuesday"]))
        story.write("tablet", exam, .put(["day": "friday"]))
        story.sync("phone")
        story.sync("tablet")
        let conflict = try #require(story.conflict("tablet", exam))
        #expect(conflict.base?.values == ["day": "monday"])
        #expect(conflict.theirs.values == ["day": "tuesday"])
        #expect(conflict.mine.change == .put(["day": "friday"]))
        #expect(story.shows("tablet", exam) == ["day": "friday"])
        #expect(story.shows("phone", exam) == ["day": "tuesday"])
    }

    @Test func keepingMineReachesTheOtherDevice() {
        var story = both(exam, ["day": "monday"])
        story.write("phone", exam, .put(["day": "tuesday"]))
        story.write("tablet", exam, .put(["day": "friday"]))
        story.sync("phone")
        story.sync("tablet")
        story.settle("tablet", exam, .keepMine)
        story.sync("tablet")
        story.sync("phone")
        #expect(story.shows("phone", exam) == ["day": "friday"])
        #expect(story.conflict("tablet", exam) == nil)
    }

    @Test func usingTheServersGivesUpMine() {
        var story = both(exam, ["day": "monday"])
        story.write("phone", exam, .put(["day": "tuesday"]))
        story.write("tablet", exam, .put(["day": "friday"]))
        story.sync("phone")
        story.sync("tablet")
        story.settle("tablet", exam, .useServer)
        story.sync("tablet")
        #expect(story.shows("tablet", exam) == ["day": "tuesday"])
    }

    @Test func anEditAgainstADeleteIsAskedAbout() throws {
        var story = both(exam, ["day": "monday"])
        story.write("phone", exam, .delete)
        story.write("tablet", exam, .put(["day": "friday"]))
        story.sync("phone")
        story.sync("tablet")
        let conflict = try #require(story.conflict("tablet", exam))
        #expect(conflict.theirs.isDeleted)
        #expect(story.shows("tablet", exam) == ["day": "friday"])
        story.settle("tablet", exam, .keepMine)
        story.sync("tablet")
        story.sync("phone")
        #expect(story.shows("phone", exam) == ["day": "friday"])
    }

    @Test func aDeleteAgainstAnEditIsAskedAbout() throws {
        var story = both(exam, ["day": "monday"])
        story.write("phone", exam, .put(["day": "friday"]))
        story.write("tablet", exam, .delete)
        story.sync("phone")
        story.sync("tablet")
        #expect(try #require(story.conflict("tablet", exam)).mine.change == .delete)
        story.settle("tablet", exam, .useServer)
        #expect(story.shows("tablet", exam) == ["day": "friday"])
    }

    @Test func twoOfTheSameNameAreAskedAbout() throws {
        var story = Story()
        story.write("phone", exam, .put(["day": "monday"]))
        story.write("tablet", exam, .put(["day": "friday"]))
        story.sync("phone")
        story.sync("tablet")
        let conflict = try #require(story.conflict("tablet", exam))
        #expect(conflict.base == nil && conflict.theirs.values == ["day": "monday"])
    }

    @Test func theSameChangeOnBothIsNoConflict() {
        var story = both(exam, ["day": "monday"])
        story.write("phone", exam, .put(["day": "friday"]))
        story.write("tablet", exam, .put(["day": "friday"]))
        story.sync("phone")
        story.sync("tablet")
        #expect(story.conflict("tablet", exam) == nil)
        #expect(story.shows("tablet", exam) == ["day": "friday"])
    }

    @Test func writingOnInAConflictStaysOneConflict() throws {
        var story = both(exam, ["day": "monday"])
        story.write("phone", exam, .put(["day": "tuesday"]))
        story.write("tablet", exam, .put(["day": "friday"]))
        story.sync("phone")
        story.sync("tablet")
        story.write("tablet", exam, .put(["day": "sunday"]))
        story.sync("tablet")
        #expect(try #require(story.conflict("tablet", exam)).mine.change == .put(["day": "sunday"]))
        story.sync("phone")
        #expect(story.shows("phone", exam) == ["day": "tuesday"])
    }

    @Test func settlingOnBothDevicesGivesOneResult() {
        var story = both(exam, ["day": "monday"])
        story.write("phone", exam, .put(["day": "tuesday"]))
        story.write("tablet", exam, .put(["day": "friday"]))
        story.sync("phone")
        story.sync("tablet")
        story.settle("tablet", exam, .edit(["day": "sunday"]))
        story.write("phone", exam, .put(["day": "saturday"]))
        story.sync("phone")
        story.sync("tablet")
        // The phone moved on meanwhile: that is another conflict, not a silent win.
        #expect(story.conflict("tablet", exam)?.theirs.values == ["day": "saturday"])
        story.settle("tablet", exam, .keepMine)
        story.sync("tablet")
        story.sync("phone")
        #expect(story.shows("phone", exam) == story.shows("tablet", exam))
        #expect(story.shows("phone", exam) == ["day": "sunday"])
    }

    @Test func aMonthOfflineLosesNothing() {
        var story = both(star, ["on": true])
        for day in 0..<30 {
            story.write("tablet", RecordKey("notes", "t\(day)"), .put(["right": true]))
            story.write("phone", RecordKey("notes", "p\(day)"), .put(["right": false]))
            story.write("tablet", RecordKey("points", "all"), .count(field: "n", by: 2))
            story.write("phone", RecordKey("points", "all"), .count(field: "n", by: 1))
            story.sync("phone")
            story.days(1)
        }
        story.sync("tablet")
        story.sync("phone")
        for device in ["phone", "tablet"] {
            #expect(story.shows(device, RecordKey("points", "all")) == ["n": 90])
            for day in 0..<30 {
                #expect(story.shows(device, RecordKey("notes", "t\(day)")) != nil)
                #expect(story.shows(device, RecordKey("notes", "p\(day)")) != nil)
            }
        }
    }

    @Test func aClockThreeDaysAheadWinsTiesButHidesNothing() {
        var story = both(star, ["on": true])
        story.skew["tablet"] = 3 * 86_400_000
        story.write("tablet", star, .put(["on": false]))
        story.write("phone", star, .put(["on": true, "note": "mine"]))
        story.sync("tablet")
        story.sync("phone")
        #expect(story.shows("phone", star) == ["on": false])
        // Who has seen it writes over it, whatever the clocks say.
        story.write("phone", star, .put(["on": true]))
        story.sync("phone")
        story.sync("tablet")
        #expect(story.shows("tablet", star) == ["on": true])
    }

    @Test func twoFieldsOfAProfileMeet() {
        var story = both(profile, ["name": "Ada", "city": "London"])
        story.write("phone", profile, .put(["name": "Ada L."]))
        story.write("tablet", profile, .put(["city": "Paris"]))
        story.sync("phone")
        story.sync("tablet")
        story.sync("phone")
        for device in ["phone", "tablet"] {
            #expect(story.shows(device, profile) == ["name": "Ada L.", "city": "Paris"])
        }
    }

    @Test func whatTheServerRefusesIsSetAsideNotDropped() {
        var story = Story()
        let answer = RecordKey("notes", "a1")
        story.write("phone", answer, .put(["right": true]))
        story.sync("phone")
        story.write("tablet", answer, .put(["right": false]))
        story.sync("tablet")
        #expect(story.setAside("tablet").map(\.refusal) == [.immutable])
        #expect(story.setAside("tablet").first?.operation.change == .put(["right": false]))
        #expect(story.shows("tablet", answer) == ["right": true])
    }
}
