import Foundation
public import Observation
public import Underway

/// The model of a conflict: shows both versions, and resolves by one of them or by a third.
@MainActor @Observable
public final class ConflictModel {
    /// What became of the conflict.
    public enum Outcome: Sendable, Hashable {
        /// The own version counts.
        case keptMine
        /// The server's version counts.
        case usedServer
        /// Both were edited into one.
        case edited
        /// One version changed after it was shown: nothing was done, and ``ConflictModel/screen`` has the new
        /// one.
        case serverChanged
        /// There is no such conflict: it was decided elsewhere.
        case settledElsewhere
        /// The collection does not accept the edited fields: nothing was done.
        case notAccepted
    }

    /// The screen; `nil` before ``load()``, and when there is no such conflict any more.
    public private(set) var screen: ConflictScreen?
    /// What became of the conflict; `nil` while it waits.
    public private(set) var outcome: Outcome?
    /// The reason for which the last step was not taken; `nil` after one that was.
    public private(set) var problem: StudyProblem?

    /// The record.
    public nonisolated let key: RecordKey
    @ObservationIgnored private let services: StudyServices

    /// Creates the model of the conflict of a record.
    public init(_ services: StudyServices, key: RecordKey) {
        self.services = services
        self.key = key
    }

    /// Reads both versions.
    public func load() async {
        do {
            screen = try await read()
            if screen == nil { outcome = outcome ?? .settledElsewhere }
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }

    /// Lets the own version count.
    ///
    /// - Parameter shown: The ``ConflictScreen/tag`` that the learner saw.
    public func keepMine(shown: String) async {
        await resolve(.keepMine, shown: shown, as: .keptMine)
    }

    /// Lets the server's version count; the own one is discarded.
    public func useServer(shown: String) async {
        await resolve(.useServer, shown: shown, as: .usedServer)
    }

    /// Lets a third version count, which replaces both.
    public func save(_ edit: ConflictEdit, shown: String) async {
        guard edit.invalid.isEmpty else { return outcome = .notAccepted }
        await resolve(.edit(edit.fields), shown: shown, as: .edited)
    }

    private func resolve(
        _ decision: RecordResolution, shown: String, as done: Outcome
    ) async {
        do {
            try await services.change { [key] in
                try $0.resolve(key, decision, shown: shown, now: $1)
            }
            (screen, outcome, problem) = (nil, done, nil)
        } catch let error as StoreError where error.code == .notFound {
            (screen, outcome, problem) = (nil, .settledElsewhere, nil)
        } catch let error as StoreError where error.code == .outdated {
            await load()
            if screen != nil { outcome = .serverChanged }
        } catch let error as StoreError where error.code == .refused {
            outcome = .notAccepted
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }

    private func read() async throws -> ConflictScreen? {
        let conflicts = try await services.userData.perform { try $0.conflicts() }
        guard let conflict = conflicts.first(where: { $0.key == key }) else { return nil }
        let topics = TopicLoader(services.content)
        let values = conflict.mine.values ?? conflict.theirs.values
        var screen = ConflictScreen(
            conflict, await topics.topic(of: key, values), now: services.clock())
        for field in screen.fields where field.kind == .subject {
            for case .text(let name)? in [field.mine, field.server, field.base] {
                screen.subjects[name] = await topics.title(of: name)
            }
        }
        return screen
    }
}

extension ConflictModel.Outcome {
    /// The key of the sentence about what became of the conflict; of ``serverChanged`` it needs a time.
    public var key: String {
        switch self {
        case .keptMine: "conflict.keptMine"
        case .usedServer: "conflict.usedServer"
        case .edited: "conflict.edited"
        case .serverChanged: "conflict.serverChanged"
        case .settledElsewhere: "conflict.settledElsewhere"
        case .notAccepted: "conflict.notAccepted"
        }
    }
}
