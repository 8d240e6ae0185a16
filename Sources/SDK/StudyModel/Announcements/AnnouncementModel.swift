public import Foundation
public import Observation
import Underway

/// The model of the announcement on the first screen, and of one that is opened again.
///
/// It shows one announcement in its life: create it once for each start of the app.
@MainActor @Observable
public final class AnnouncementModel {
    /// The seconds after the end of a session in which nothing is announced.
    public nonisolated static let quietSeconds: TimeInterval = 300

    /// The announcement to show; `nil` for none.
    public private(set) var current: MessageScreen?
    /// The message that was opened by ``open(_:languages:)``; `nil` when there is none of that number.
    public private(set) var opened: MessageScreen?
    /// The reason for which the last step was not taken; `nil` after one that was.
    public private(set) var problem: StudyProblem?
    @ObservationIgnored private var isDone = false
    @ObservationIgnored private let services: StudyServices

    /// Creates the model.
    public init(_ services: StudyServices) { self.services = services }

    /// Reads the announcement of this start, if it is time for one.
    ///
    /// - Parameters:
    ///   - languages: The learner's languages, the preferred first.
    ///   - isInSession: True during a session, and when the learner comes from one.
    public func load(languages: [String], isInSession: Bool) async {
        do {
            current = try await due(languages, isInSession)
            problem = nil
        } catch {
            current = nil
            problem = StudyProblem(error)
        }
    }

    /// Reads a message that is due or was shown.
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

    /// Records that a message was read, here and with the next sync on all devices; no other one is shown
    /// until the next start.
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
    /// Adds the picture; one that is not on the device is left out.
    fileprivate func pictured(_ services: StudyServices) async -> MessageScreen? {
        guard var message = self else { return nil }
        guard let path = message.announcement.image else { return message }
        message.picture = try? await services.content.perform { try $0.asset(path).value }
        return message
    }
}
