import Underway

/// A step that pauses the sessions of a killed process, so that the time until they resume does not count.
public struct SessionPauses: Sendable {
    private let services: StudyServices

    /// Creates the step over services.
    public init(_ services: StudyServices) { self.services = services }

    /// Pauses all open sessions at the time of their last step; sessions that cannot be read or written do not change.
    public func pauseAll() async {
        // The screens report a store that cannot be read.
        for saved in (try? await services.userData.perform({ try $0.openSessions() })) ?? []
        where saved.session.state == .running {
            var session = saved.session
            guard (try? session.pause(now: saved.savedAt)) != nil else { continue }
            try? await services.userData.saveSession(session, of: saved.bank, now: saved.savedAt)
        }
    }
}
