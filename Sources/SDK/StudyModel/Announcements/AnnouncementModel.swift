public import Foundation
public import Observation
import Underway

/// The model of the announcement on the first screen, and of a reopened one.
///
/// Each model shows only one announcement: create it once for each launch of the app.
@MainActor @Observable
public final class AnnouncementModel {
    /// The time in seconds after the end of a session in which no announcement appears.
    public nonisolated static let quietSeconds: TimeInterval = 300

    /// The announcement to show; `nil` for none.
    public private(set) var current: MessageScreen?
    /// The message opened by ``open(_:languages:)``; `nil` if it does not exist.
    public private(set) var opened: MessageScreen?
    /// The reason why the last step failed; `nil` after a success.
    public private(set) var problem: StudyProblem?
    @ObservationIgnored private var isDone = false
    @ObservationIgnored private let services: StudyServices

    /// Creates the model.
    public init(_ services: StudyServices) { self.services = services }

    /// Loads the announcement of this launch, if one is due; none before the learner's first answer.
    ///
    /// - Parameters:
    ///   - languages: The learner's languages, the preferred first.
    ///   - isInSession: True during a session, and just after one.
    public func load(languages: [String], isInSession: Bool) async {
        do {
            current = try await due(languages, isInSession)
            problem = nil
        } catch {
            current = nil
            problem = StudyProblem(error)
        }
    }

    /// Loads a message that is due or was shown.
    public func open(_ id: Int, languages: [String]) async {
        do {
            let message = try await MessageLoader(services, languages: languages).message(id)
            opened = await message.map { MessageScreen($0, isSeen: $1) }.pictured(services)
            problem = nil
        } catch {
            opened = nil
            problem = StudyProblem(error)
        }
    }

    /// Records that a message was read, here and with the next sync on all devices; no other one appears until the next
    /// launch.
    public func markSeen(_ id: Int, languages: [String]) async {
        await open(id, languages: languages)
        guard problem == nil, let message = opened, !message.isSeen else { return }
        do {
            try await services.announcements?.markSeen(
                message.announcement, now: services.clock())
            opened?.isSeen = true
            current = nil
            isDone = true
        } catch {
            problem = StudyProblem(error)
        }
    }

    private func due(_ languages: [String], _ isInSession: Bool) async throws -> MessageScreen? {
        guard !isDone, !isInSession, let source = services.announcements else { return nil }
        // A newcomer first learns: news about what they do not know yet can wait for the first answer.
        guard try await services.userData.perform({ try !$0.progressByDay(limit: 1).isEmpty })
        else { return nil }
        let last = try await services.userData.perform { try $0.finishedSessions(limit: 1).first }
        if let last, services.clock().timeIntervalSince(last.savedAt) < Self.quietSeconds {
            return nil
        }
        let moment = MessageLoader(services, languages: languages).moment
        return try await source.current(moment).map { MessageScreen($0, isSeen: false) }
            .pictured(services)
    }
}

extension MessageScreen? {
    /// Adds the picture, if it is on the device.
    fileprivate func pictured(_ services: StudyServices) async -> MessageScreen? {
        guard var message = self else { return nil }
        guard let path = message.announcement.image else { return message }
        message.picture = try? await services.content.perform { try $0.asset(path).value }
        return message
    }
}
