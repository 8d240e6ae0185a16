public import Foundation
public import Observation
import Underway

/// The settings of a device, with the state of its sync, files and account.
public struct SettingsScreen: Sendable, Hashable {
    /// The state of the sync.
    public struct Sync: Sendable, Hashable {
        /// True while a sync is under way.
        public var isRunning: Bool
        /// The number of changes and answers that were not sent.
        public var unsentCount: Int
        /// The end of the last successful sync; `nil` before the first.
        public var lastSync: Date?
    }

    /// The time at which the screen was loaded.
    public var now: Date
    /// The settings.
    public var settings: StudySettings
    /// The state of the sync; `nil` for a device without a server.
    public var sync: Sync?
    /// The subjects whose files can be removed.
    public var storage: [SubjectFiles]
    /// The account.
    public var identity: StudyIdentity?

    /// The key of the sentence about the cost of removing files.
    public var storageHintKey: String {
        sync == nil ? "settings.storageHintAlone" : "settings.storageHint"
    }
}

/// The model of the settings.
@MainActor @Observable
public final class SettingsModel {
    /// The screen; `nil` before the first ``load()``.
    public private(set) var screen: SettingsScreen?
    /// The reason why the last step failed; `nil` after a success.
    public private(set) var problem: StudyProblem?
    /// The model of the learner's consent.
    public let consent: ConsentModel
    @ObservationIgnored private let services: StudyServices

    /// Creates the model.
    public init(_ services: StudyServices) {
        self.services = services
        consent = ConsentModel(services)
    }

    /// Loads the settings.
    public func load() async {
        do {
            screen = try await read()
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }

    /// Changes the learner's settings.
    public func change(_ body: @Sendable (inout StudySettings) -> Void) async {
        do {
            try await services.settings.change(body)
            await load()
        } catch {
            problem = StudyProblem(error)
        }
    }

    /// Syncs now, and reloads the settings.
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
