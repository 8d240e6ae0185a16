import Foundation
public import Observation
public import Underway

/// The model of the learner's name on boards, and of the choice to leave them.
@MainActor @Observable
public final class BoardProfileModel {
    /// The end of the last change.
    public enum Outcome: Sendable, Hashable {
        /// The server stored the name.
        case saved
        /// The server removes the places with its next refresh.
        case left
        /// The learner is listed again.
        case joined
    }

    /// The profile as the server confirmed it; `nil` before the first ``load()``, and without a reply.
    public private(set) var profile: BoardProfile?
    /// The reason why the last step failed; nothing was changed then, as far as this device knows.
    public private(set) var obstacle: StandingsObstacle?
    /// The end of the last change that the server confirmed.
    public private(set) var outcome: Outcome?
    @ObservationIgnored private let services: StudyServices

    /// Creates the model.
    public init(_ services: StudyServices) { self.services = services }

    /// Loads the profile.
    public func load() async { receive(await StandingsLoader(services).profile()) }

    /// Changes the name, and lists the learner.
    ///
    /// - Parameter name: The name as entered; white space alone for none.
    public func save(name: String) async {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        await change(name: name.isEmpty ? nil : name, isListed: true, .saved)
    }

    /// Leaves all boards; the name is retained.
    public func leave() async {
        outcome = nil
        await load()
        guard obstacle == nil, let profile else { return }
        await change(name: profile.name, isListed: false, .left)
    }

    /// Appears on boards again, under the former name.
    public func join() async {
        outcome = nil
        await load()
        guard obstacle == nil, let profile else { return }
        await change(name: profile.name, isListed: true, .joined)
    }

    private func change(name: String?, isListed: Bool, _ done: Outcome) async {
        let reply = await StandingsLoader(services).setProfile(name: name, isListed: isListed)
        receive(reply)
        outcome = reply.value == nil ? nil : done
    }

    private func receive(_ reply: Result<BoardProfile, StandingsObstacle>) {
        if let profile = reply.value { self.profile = profile }
        obstacle = reply.failure
    }
}

extension BoardProfileModel.Outcome {
    /// The key of the sentence about the change.
    public var key: String {
        switch self {
        case .saved: "board.saved"
        case .left: "board.left"
        case .joined: "board.joined"
        }
    }
}
