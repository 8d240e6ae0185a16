import SimulationSupport
import Testing

@testable import UserData

/// Every place at which one exchange of up to three rows can break, one after the other.
///
/// A device writes, sends, and is answered; it may crash before or after it keeps its state, the
/// request or the answer may be lost or come twice, and the server may crash before or after its
/// commit. Whatever breaks, one more exchange brings everything there exactly once.
@Suite struct EnumerationTests {
    private enum Breakage: CaseIterable {
        case none
        case writeNotKept
        case crashBeforeSending
        case requestLost
        case requestTwice
        case serverCrashesBeforeCommit
        case serverCrashesAfterCommit
        case answerLost
        case answerTwice
        case crashBeforeAnswerIsKept
        case crashAfterAnswerIsKept
    }

    private static let declarations = Simulation.collections

    /// One row of each kind, so that three rows mix policies.
    private func write(_ number: Int) -> (RecordKey, DeviceMachine.Write) {
        switch number % 4 {
        case 0: (RecordKey("notes", "a\(number)"), .put(["n": .integer(Int64(number))]))
        case 1: (RecordKey("points", "p"), .count(field: "n", by: 1))
        case 2: (RecordKey("profile", "me"), .put(["x": .integer(Int64(number))]))
        default: (RecordKey("favourites", "f"), .put(["n": .integer(Int64(number))]))
        }
    }

    /// A device with its disk.
    private struct Device {
        var machine: DeviceMachine
        var kept: DeviceState

        init(_ state: DeviceState) {
            machine = DeviceMachine(state)
            kept = state
        }

        mutating func handle(_ event: DeviceMachine.Event) -> [ExchangeRequest] {
            let effects = machine.handle(event, now: 1_800_000_000_000)
            kept = machine.state
            return requests(effects)
        }

        func requests(_ effects: [DeviceMachine.Effect]) -> [ExchangeRequest] {
            effects.compactMap { if case .send(let request) = $0 { request } else { nil } }
        }

        mutating func crash() { machine = DeviceMachine(kept) }
    }

    @Test func everyBreakageOfEveryRowHeals() {
        var count = 0
        for rows in 1...3 {
            for start in 0..<4 {
                for first in Breakage.allCases {
                    for second in Breakage.allCases {
                        check(rows: rows, start: start, [first, second])
                        count += 1
                    }
                }
            }
        }
        #expect(count == 3 * 4 * 11 * 11)
    }

    private func check(rows: Int, start: Int, _ breakages: [Breakage]) {
        let state = DeviceState(
            user: "u", client: ClientID("d"), declarations: Self.declarations)
        var device = Device(state)
        var server = SimulatedServer(declarations: device.kept.declarations)
        var kept: [(RecordKey, DeviceMachine.Write)] = []
        for row in 0..<rows {
            let (key, write) = write(start + row)
            let effects = device.machine.handle(.wrote(key, write), now: 1_800_000_000_000)
            if breakages.contains(.writeNotKept), row == rows - 1 {
                device.crash()
                continue
            }
            device.kept = device.machine.state
            kept.append((key, write))
            _ = effects
        }
        for breakage in breakages + [.none, .none] {
            device.crash()
            guard let request = device.handle(.started).first else { continue }
            exchange(request, &device, &server, breakage)
        }
        expect(device, server, kept, "\(rows) rows from \(start), \(breakages)")
    }

    private func exchange(
        _ request: ExchangeRequest, _ device: inout Device, _ server: inout SimulatedServer,
        _ breakage: Breakage
    ) {
        switch breakage {
        case .crashBeforeSending, .requestLost: return
        case .serverCrashesBeforeCommit:
            var lost = server
            _ = lost.exchange(request)
            return
        case .serverCrashesAfterCommit, .answerLost:
            _ = server.exchange(request)
            return
        case .requestTwice: _ = server.exchange(request)
        default: break
        }
        let response = server.exchange(request).response
        if breakage == .crashBeforeAnswerIsKept {
            _ = device.machine.handle(.replied(response), now: 1_800_000_000_000)
            return device.crash()
        }
        var next = device.handle(.replied(response))
        if breakage == .answerTwice { next += device.handle(.replied(response)) }
        if breakage == .crashAfterAnswerIsKept { return device.crash() }
        for request in next { exchange(request, &device, &server, .none) }
    }

    private func expect(
        _ device: Device, _ server: SimulatedServer, _ kept: [(RecordKey, DeviceMachine.Write)],
        _ place: String
    ) {
        let records = server.accounts["u"]?.records ?? [:]
        #expect(device.kept.outbox.isEmpty, "\(place)")
        #expect(device.kept.bases == records, "\(place)")
        #expect(Set(records.keys) == Set(kept.map(\.0)), "\(place)")
        for (key, write) in kept {
            switch write {
            case .put(let values): #expect(records[key]?.values == values, "\(place)")
            case .count: #expect(records[key]?.values["n"] == .integer(1), "\(place)")
            case .delete: break
            }
        }
    }
}
