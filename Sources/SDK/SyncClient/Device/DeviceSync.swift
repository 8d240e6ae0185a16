package import Foundation
import OfflineStorage
import ServiceAPI

/// One sync of all data of a device: content first, then requested audio, then user data; stored answers are then
/// regraded by the corrections of the content.
///
/// User data is synced regardless of the result of the content. A release on a static host has no user data; then, and
/// while there is nothing to send and no account, the user data part is skipped.
///
/// ```swift
/// let sync = DeviceSync(
///     content: content, transport: transport, address: release,
///     userData: UserDataAccess(openStore: { store }, openAccount: { _, _ in account }))
/// let result = try await sync.sync(audio: ["es"])
/// if let failure = result.failure { print(failure.message) }
/// ```
package struct DeviceSync {
    private let content: ContentSync
    private let transport: any Transport
    private let address: URL
    private let userData: UserDataAccess?

    /// Creates a sync.
    ///
    /// - Parameters:
    ///   - content: The sync of content from the same address.
    ///   - transport: The network, for user data.
    ///   - address: The address of the release or its manifest. One that ends in
    ///     `ContentRoutes.prefix` is that of a server of user data too.
    ///   - userData: The access to user data; `nil` to sync content alone.
    package init(
        content: ContentSync, transport: any Transport, address: URL, userData: UserDataAccess?
    ) {
        self.content = content
        self.transport = transport
        self.address = address
        self.userData = userData
    }

    /// Syncs once.
    ///
    /// - Parameters:
    ///   - force: True to check for content now, as ``ContentSync/sync(force:)`` does.
    ///   - languages: The languages whose audio is fetched after the content.
    /// - Returns: The result, also for failures of the network and of the disk.
    /// - Throws: An error of opening user data that is not one of the disk, such as a refused store.
    package func sync(force: Bool = false, audio languages: [String] = []) async throws
        -> DeviceSyncResult
    {
        let report = await content.sync(force: force)
        var result = DeviceSyncResult(content: report)
        if !report.hasFailed { result.unfetchedAudio = await fetchAudio(languages) }
        do {
            try await syncUserData(&result)
        } catch {
            guard let error = Self.storageError(error) else { throw error }
            var report = UserDataReport()
            report.error = ServiceError(store: error)
            report.couldNotSave = true
            result.userData = report
            // A store that cannot be opened has no counts.
            result.status = try? userData?.openStore().status()
        }
        return result
    }

    /// Fetches the audio of each language in order, and returns those that failed.
    private func fetchAudio(_ languages: [String]) async -> [UnfetchedAudio] {
        var unfetched: [UnfetchedAudio] = []
        for language in languages {
            do {
                _ = try await content.files(.audio(language: language))
            } catch let failure as SyncError where failure.code == .notFound {
                let text = "What is installed has none. Is the language right?"
                unfetched.append(.init(language: language, failure: .init(.notFound, text)))
            } catch {
                unfetched.append(.init(language: language, failure: SyncError(error)))
            }
        }
        return unfetched
    }

    private func syncUserData(_ result: inout DeviceSyncResult) async throws {
        guard let userData else { return }
        let store = try userData.openStore()
        try await exchange(store, userData, &result)
        // A disk that takes nothing now is asked again by the next sync.
        result.correctedResults = (try? await content.applyCorrections(to: store)) ?? []
    }

    private func exchange(
        _ store: UserStore, _ userData: UserDataAccess, _ result: inout DeviceSyncResult
    ) async throws {
        guard let server = Self.server(of: address) else {
            result.userData = try withoutServer(store)
            return
        }
        let waitingCount = try store.status().waitingCount
        if store.user == UserStore.localUser, waitingCount == 0 { return }
        let account = try userData.openAccount(store, server)
        let report = await UserDataSync(
            store: store, account: account, transport: transport, serverURL: server,
            content: content
        ).sync()
        result.userData = report.serverHasNoUserData ? try withoutServer(store) : report
        // The counts are an extra: the report stands without them.
        result.status = try? store.status()
    }

    /// Returns the report for an address without user data; `nil` when nothing waits to be sent.
    private func withoutServer(_ store: UserStore) throws -> UserDataReport? {
        let waiting = try store.status().waitingCount
        guard waiting > 0 else { return nil }
        var report = UserDataReport()
        report.serverHasNoUserData = true
        report.error = ServiceError(
            .noService,
            (waiting == 1 ? "1 change waits" : "\(waiting) changes wait")
                + " on this device, and there is no server of user data at this address (one ends in"
                + " \(ContentRoutes.prefix) and was started with --data).")
        return report
    }

    /// Returns the base address of the server of user data; `nil` for a static host.
    package static func server(of address: URL) -> URL? {
        let release = address.absoluteString.asReleaseAddress
        guard release.hasSuffix(ContentRoutes.prefix) else { return nil }
        return URL(string: String(release.dropLast(ContentRoutes.prefix.count)))
    }

    /// Returns the error of the device's disk; `nil` for other errors.
    private static func storageError(_ error: any Error) -> StoreError? {
        guard let error = error as? StoreError ?? StoreError(ofSystem: error) else { return nil }
        switch error.code {
        case .storage, .damaged, .incomplete, .badBundle: return error
        default: return nil
        }
    }
}
