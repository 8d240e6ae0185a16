import UserData

/// The machine of a user and the version of its committed state.
struct Running {
    var machine: DeviceMachine
    var version: Int64
    /// The name under which this process writes for the local user; `nil` before its first write.
    var writer: ClientID?

    /// A version that no committed state has.
    static let unknownVersion: Int64 = -1
}

/// The newest written state and the one before it.
///
/// A reader's snapshot is from before or after the newest commit, so one of the two is the reader's state, without
/// decoding or waiting.
struct RunningStates {
    private(set) var latest: Running
    private var previous: Running?

    init(latest: Running) { self.latest = latest }

    /// Advances to the state that is about to be committed.
    mutating func advance(to next: Running) {
        guard next.version != latest.version else { return latest = next }
        previous = latest
        latest = next
    }

    /// Applies an event that changes no stored state.
    mutating func takeInMemory(
        _ event: DeviceMachine.Event, _ milliseconds: Int64
    ) -> [DeviceMachine.Effect] {
        latest.machine.handle(event, now: milliseconds)
    }

    /// Discards the states, so that the next access reads the database, as after a failed commit.
    ///
    /// - Parameter attempt: The machine before and after the failed commit: its effects are never performed, so a
    ///   request that it began is not in flight.
    mutating func forget(_ attempt: (before: Running, after: Running)?) {
        if let attempt, attempt.after.version == latest.version { latest = attempt.before }
        latest.version = Running.unknownVersion
        previous = nil
    }

    /// Returns the state of a version; `nil` when it must be read.
    func state(_ version: Int64, of user: String) -> DeviceState? {
        let known = [latest, previous].compactMap { $0 }.first {
            $0.version == version && $0.machine.state.user == user
        }
        return known?.machine.state
    }
}

extension DeviceMachine.Event {
    /// True for an event whose rows belong to the process that wrote them.
    var needsWriter: Bool {
        switch self {
        case .answered(let count): count > 0
        case .wrote(_, .count): true
        case .wroteBatch(let changes):
            changes.contains { if case .count = $0.write { true } else { false } }
        default: false
        }
    }
}
