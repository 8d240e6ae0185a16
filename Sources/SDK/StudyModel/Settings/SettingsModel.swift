public import Foundation
public import Observation
import Underway

/// The settings of a device, and what they are about.
public struct SettingsScreen: Sendable, Hashable {
    /// The state of the sync.
    public struct Sync: Sendable, Hashable {
        /// True while a sync is under way.
        public var isRunning: Bool
        /// The changes and answers that were not sent.
        public var unsentCount: Int
        /// The end of the last sync that succeeded; `nil` before the first.
        public var lastSync: Date?
    }

    /// The time at which the screen was read.
    public var now: Date
    /// The choices.
    public var settings: StudySettings
    /// The state of the sync; `nil` for a device without a server.
    public var sync: Sync?
    /// The subjects of which files can be removed.
    public var storage: [SubjectFiles]
    /// The account.
    public var identity: StudyIdentity?

    /// The key of the sentence about what removing files costs.
    public var storageHintKey: String {
        sync == nil ? "settings.storageHintAlone" : "settings.storageHint"
    }
}

/// The model of the settings.
@MainActor @Observable
public final class SettingsModel {
    /// The screen; `nil` before the first ``load()``.
    public private(set) var screen: SettingsScreen?
    /// The reason for which the last step failed; `nil` after one that did not.
    public private(set) var problem: StudyProblem?
    /// The model of the learner's consent.
    public let consent: ConsentModel
    @ObservationIgnored private let services: StudyServices

    /// Creates the model.
    public init(_ services: StudyServices) {
        self.services = services
        consent = ConsentModel(services)
    }

    /// Reads the settings.
    public func load() async {
        do {
            screen = try await read()
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }

    /// Changes the learner's choices.
    public func change(_ body: @Sendable (inout StudySettings) -> Void) async {
        do {
            try await services.settings.change(body)
            await load()
        } catch {
            problem = StudyProblem(error)
        }
    }

    /// Syncs now, and reads the settings again.
    public func syncNow() async {
        await services.sync?.syncNow()
        await load()
    }

    private func read() async throws -> SettingsScreen {
        let status = try await services.userData.perform { try $0.status() }
        return SettingsScreen(
            now: services.clock(), settings: await services.settings.value,
            sync: await sync(status), storage: try await storage(),
            identity: try await services.account?.identity())
    }

    private func storage() async throws -> [SubjectFiles] {
        do {
            return try await SubjectFilesLoader(services).removable()
        } catch let error as StoreError where error.code == .notFound {
            return []  // No content yet.
        }
    }

    private func sync(_ status: UserDataStatus) async -> SettingsScreen.Sync? {
        guard let sync = services.sync else { return nil }
        let last = await services.syncLog.value.entries.first { !$0.isFailed }?.date
        return SettingsScreen.Sync(
            isRunning: sync.contentStatus.isRunning || sync.userDataStatus?.isRunning == true,
            unsentCount: status.waitingCount,
            lastSync: [last, status.lastTry?.lastSuccess].compactMap(\.self).max())
    }
}
