import UserData

/// The machine of a user, and how often its state had been written.
struct Running {
    var machine: DeviceMachine
    var version: Int64

    /// Never that of a state in the database.
    static let unknownVersion: Int64 = -1
}

/// The newest state that was written and the one before it.
///
/// A reader's snapshot is of a moment before or after the commit of the newest one, so one of the two
/// is what the reader sees, and nothing has to be decoded or waited for.
struct RunningStates {
    private(set) var latest: Running
    private var former: Running?

    init(latest: Running) { self.latest = latest }

    /// Goes on to what is about to be committed.
    mutating func advance(to next: Running) {
        guard next.version != latest.version else { return latest = next }
        former = latest
        latest = next
    }

    /// Takes an event that changes nothing stored.
    mutating func takeInMemory(
        _ event: DeviceMachine.Event, _ milliseconds: Int64
    ) -> [DeviceMachine.Effect] {
        latest.machine.handle(event, now: milliseconds)
    }

    /// Reads everything from the database next time, as after a commit that failed.
    ///
    /// - Parameter attempt: The machine before and after the failed commit: the effects of it are never
    ///   carried out, so a request that it began is not in flight.
    mutating func forget(_ attempt: (before: Running, after: Running)?) {
        if let attempt, attempt.after.version == latest.version { latest = attempt.before }
        latest.version = Running.unknownVersion
        former = nil
    }

    /// The state of a version; `nil` when it has to be read.
    func state(_ version: Int64, of user: String) -> DeviceState? {
        let known = [latest, former].compactMap { $0 }.first {
            $0.version == version && $0.machine.state.user == user
        }
        return known?.machine.state
    }
}
