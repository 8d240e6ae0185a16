import ContentModel
public import Foundation
import OfflineStorage
import ServiceAPI

/// A group of files that a device fetches at first use.
///
/// ```swift
/// let groups: [FileGroup] = [.audio(language: "es"), .media(exam: "int/swift")]
/// print(groups.count)
/// ```
public enum FileGroup: Hashable, Sendable {
    /// The spoken clips of a language.
    case audio(language: String)
    /// The images of an exam, by `region/exam`.
    case media(exam: String)
    /// All assets of the class `prefetch`, which are fetched only over an unmetered network.
    case prefetch
    /// One asset of the class `onDemand`.
    case asset(path: String)
}

extension ContentSync {
    /// Returns the files of a group by name, fetching those that are not on the device.
    ///
    /// Each file is verified separately. If the host does not deliver one, the others are still fetched and stored, and
    /// the next call requests only the missing one.
    /// - Parameters:
    ///   - group: The files.
    ///   - purpose: A purpose other than the group's own, by which the transport chooses networks: audio waits for an
    ///     unmetered one unless the user agreed to download it now (`.content`).
    /// - Returns: The files on the device.
    /// - Throws: `SyncError`, the first of several; `notFound` when the installed release has no such group,
    ///   `networkNotAllowed` when the policy does not allow this network: retry on another one.
    public func files(
        _ group: FileGroup, purpose: TransferPurpose? = nil
    ) async throws -> [String: URL] {
        let purpose = purpose ?? group.purpose
        guard let manifest = try manifest(), let wanted = manifest.files(of: group)
        else {
            throw SyncError(
                .notFound, "The installed release has no \(group). Sync, or ask for another.")
        }
        let totalBytes = wanted.reduce(0) { $0 + ($1.size ?? 0) }
        let isAlone = downloader.meter.beganFiles(bytes: totalBytes)
        defer { if isAlone { downloader.meter.endedFiles() } }
        var found: [String: URL] = [:]
        var bytes = 0
        var failures: [SyncError] = []
        for (index, entry) in wanted.enumerated() {
            do {
                found[entry.nameInGroup] = try await url(
                    of: entry, base: contentBaseURL(manifest), purpose)
            } catch let failure as SyncError
                where failure.isOfDocument && failures.count < ServiceLimits.undeliveredMax
            {
                failures.append(failure)
                continue
            }
            bytes += entry.size ?? 0
            emit(
                .fileFetched(
                    name: entry.nameInGroup, done: index + 1, of: wanted.count, bytes: bytes,
                    ofBytes: totalBytes))
        }
        if let failure = failures.first { throw failure }
        return found
    }

    /// Returns the installed manifest or, without one, the bundled one.
    private func manifest() throws -> Manifest? {
        do {
            return try store.manifest().value
        } catch let error as StoreError where error.code == .notFound {
            return nil
        } catch {
            throw SyncError(error)
        }
    }

    private func url(
        of file: ManifestEntry, base: String, _ purpose: TransferPurpose
    ) async throws -> URL {
        if let stored = try store.lazyFile(file.checksum, now: clock()) {
            downloader.meter.arrived(bytes: file.size ?? 0)
            return stored
        }
        do {
            return try await fetch(file, base, purpose, passesCaches: false)
        } catch {
            // A cache on the way may have sent other bytes.
            guard error.code == .checksumMismatch else { throw error }
        }
        return try await fetch(file, base, purpose, passesCaches: true)
    }

    private func fetch(
        _ file: ManifestEntry, _ base: String, _ purpose: TransferPurpose, passesCaches: Bool
    ) async throws(SyncError) -> URL {
        let store = store
        let now = clock()
        do {
            let url = try await downloader.blob(
                file.checksum, size: file.size, readable: file.path,
                contentBaseURL: base, passesCaches: passesCaches, purpose: purpose, store: store
            ) { partial in
                try store.keepLazyFile(
                    partial.url, as: file.checksum, size: partial.count, now: now)
            }
            downloader.tally.countFile()
            return url
        } catch {
            throw SyncError(error)
        }
    }
}

extension Manifest {
    /// Returns the files of a group; `nil` if the release has no such group.
    func files(of group: FileGroup) -> [ManifestEntry]? {
        switch group {
        case .audio(let language):
            guard languages[language]?.audio != nil else { return nil }
            return entries.filter { $0.kind == .audio && $0.key == language }
        case .media(let exam):
            guard exams[exam]?.media != nil else { return nil }
            return entries.filter { $0.kind == .media && $0.key == exam }
        case .prefetch:
            return entries.filter { $0.fetchClass == .prefetch }
        case .asset(let path):
            guard assets[path] != nil else { return nil }
            return entries.filter { $0.kind == .asset && $0.key == path }
        }
    }
}

extension FileGroup {
    /// The purpose of its downloads.
    var purpose: TransferPurpose {
        switch self {
        case .audio: .audio
        case .media: .media
        case .prefetch: .prefetch
        case .asset: .asset
        }
    }
}

extension ManifestEntry {
    /// The name of the file within its group.
    fileprivate var nameInGroup: String { kind == .asset ? key : name }
}
