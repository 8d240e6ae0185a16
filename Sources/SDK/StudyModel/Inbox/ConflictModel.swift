import Foundation
public import Observation
public import Underway

/// The model of a conflict: shows both versions, and resolves it by one of them or by a third.
@MainActor @Observable
public final class ConflictModel {
    /// The resolution of the conflict.
    public enum Outcome: Sendable, Hashable {
        /// The learner's version replaced the server's.
        case keptMine
        /// The learner's version was discarded.
        case usedServer
        /// A merged version replaced both.
        case edited
        /// One version changed after it was shown: nothing was done, and ``ConflictModel/screen`` has the new one.
        case serverChanged
        /// The conflict no longer exists: it was resolved elsewhere.
        case settledElsewhere
        /// The collection does not accept the merged fields: nothing was done.
        case notAccepted
    }

    /// The screen; `nil` before ``load()``, and when the conflict no longer exists.
    public private(set) var screen: ConflictScreen?
    /// The resolution of the conflict; `nil` while it is unresolved.
    public private(set) var outcome: Outcome?
    /// The reason why the last step failed; `nil` after a success.
    public private(set) var problem: StudyProblem?

    /// The record.
    public nonisolated let key: RecordKey
    @ObservationIgnored private let services: StudyServices

    /// Creates the model of the conflict of a record.
    public init(_ services: StudyServices, key: RecordKey) {
        self.services = services
        self.key = key
    }

    /// Loads both versions.
    public func load() async {
        do {
            screen = try await read()
            if screen == nil { outcome = outcome ?? .settledElsewhere }
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }

    /// Resolves the conflict by the learner's version.
    ///
    /// - Parameter shown: The ``ConflictScreen/tag`` that the learner saw.
    public func keepMine(shown: String) async {
        await resolve(.keepMine, shown: shown, as: .keptMine)
    }

    /// Resolves the conflict by the server's version; the learner's is discarded.
    public func useServer(shown: String) async {
        await resolve(.useServer, shown: shown, as: .usedServer)
    }

    /// Resolves the conflict by a third version, which replaces both.
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
    /// The key of the sentence about the resolution; that of ``serverChanged`` needs a time.
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
