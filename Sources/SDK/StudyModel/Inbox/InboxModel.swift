import Foundation
public import Observation
public import Underway

/// The model of the inbox.
@MainActor @Observable
public final class InboxModel {
    /// The screen; `nil` before the first ``load(languages:)``.
    public private(set) var screen: InboxScreen?
    /// The reason why the last step failed; `nil` after a success.
    public private(set) var problem: StudyProblem?
    @ObservationIgnored private let services: StudyServices

    /// Creates the model.
    public init(_ services: StudyServices) { self.services = services }

    /// Loads pending decisions, notices and messages.
    ///
    /// - Parameter languages: The learner's languages, the preferred first.
    public func load(languages: [String]) async {
        do {
            screen = try await read(languages)
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }

    /// Enqueues a rejected change for the next sync; it has no effect on one that no longer exists.
    public func sendAgain(_ id: OperationID) async {
        await change { userData, now in
            guard try userData.rejected().contains(where: { $0.id == id }) else { return }
            try userData.retry(id, now: now)
        }
    }

    /// Removes a rejected change or a notice, so that it does not appear again.
    public func dismiss(_ id: OperationID) async {
        await change { try $0.dismiss(id, now: $1) }
    }

    private func change(_ body: @escaping @Sendable (UserStore, Date) throws -> Void) async {
        do {
            try await services.change(body)
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }

    // MARK: Reading

    private func read(_ languages: [String]) async throws -> InboxScreen {
        let topics = TopicLoader(services.content)
        var screen = InboxScreen(
            now: services.clock(), choices: [], refused: [], replaced: [], messages: [])
        let (conflicts, rejected, notices) = try await services.userData.perform {
            (try $0.conflicts(), try $0.rejected(), try $0.notices())
        }
        for conflict in conflicts {
            let values = conflict.mine.values ?? conflict.theirs.values
            screen.choices.append(
                InboxScreen.Choice(
                    key: conflict.key, topic: await topics.topic(of: conflict.key, values),
                    changedAt: conflict.theirs.time.date))
        }
        for change in rejected where change.operation.key.isUsersOwn {
            let operation = change.operation
            screen.refused.append(
                InboxScreen.Refused(
                    id: change.id,
                    topic: await topics.topic(of: operation.key, operation.values ?? [:]),
                    reason: change.refusal, changedAt: operation.time.date))
        }
        for notice in notices where notice.key.isUsersOwn {
            let values = notice.theirs.isDeleted ? notice.mine.values : notice.theirs.values
            let topic = await topics.topic(of: notice.key, values ?? [:])
            screen.replaced.append(
                InboxScreen.Replaced(
                    id: notice.id, topic: topic, changedAt: notice.theirs.time.date,
                    versions: notice.versions(topic, now: screen.now)))
        }
        screen.choices.sort { $0.key < $1.key }
        if services.sync?.userDataStatus != nil {
            let status = try await services.userData.perform { try $0.status() }
            screen.unsentCount = status.waitingCount
            screen.hasSynced = status.lastTry?.problem == nil
        }
        screen.messages = try await MessageLoader(services, languages: languages).messages()
        return screen
    }
}

extension ReplacementNotice {
    /// Returns both versions of the fields that were lost, where the learner knows the record by its values alone.
    fileprivate func versions(_ topic: RecordTopic, now: Date) -> ConflictScreen? {
        guard case .other = topic, let lost = mine.values, !theirs.isDeleted else { return nil }
        let both = RecordConflict(key: key, mine: mine, theirs: theirs, base: nil)
        var screen = ConflictScreen(both, topic, now: now)
        screen.fields.removeAll { lost[$0.name] == nil || !$0.differs }
        return screen
    }
}

extension RecordKey {
    /// False for records that the app writes automatically, such as the announcements that were shown, since the
    /// learner did nothing.
    var isUsersOwn: Bool {
        ![
            CollectionRules.seenAnnouncements, .learningExtra, .setAside, .memory,
        ].map(\.declaration.name).contains(collection)
    }
}

extension HybridTime {
    /// The moment, by the clock of the device that wrote it.
    var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
