import ContentModel
public import Foundation
import OfflineStorage
import ServiceAPI

/// Files that a device fetches when it first needs them.
public enum FileGroup: Hashable, Sendable {
    /// The spoken clips of a language.
    case audio(language: String)
    /// The images of an exam, by `region/exam`.
    case media(exam: String)
    /// All assets of the class `prefetch`; for an unmetered network.
    case prefetch
    /// One asset of the class `onDemand`.
    case asset(path: String)
}

extension ContentSync {
    /// The files of a group by name, fetching those that are not here.
    ///
    /// Each file is verified by itself. One that the host does not deliver keeps no other: the rest is fetched
    /// and stays, and the next call asks for that one alone.
    /// - Throws: `SyncFailure`, the first where several files failed; `notFound` when the installed release
    ///   has no such group.
    public func files(_ group: FileGroup) async throws -> [String: URL] {
        guard let manifest = try manifest(), let wanted = manifest.files(of: group)
        else { throw SyncFailure(.notFound, "The installed release has no \(group).") }
        let totalBytes = wanted.reduce(0) { $0 + ($1.size ?? 0) }
        var found: [String: URL] = [:]
        var bytes = 0
        var failures: [SyncFailure] = []
        for (index, entry) in wanted.enumerated() {
            do {
                found[entry.nameInGroup] = try await url(of: entry, base: contentBaseURL(manifest))
            } catch let failure as SyncFailure
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

    /// What is installed or, where nothing is, bundled.
    private func manifest() throws -> Manifest? {
        do {
            return try store.manifest().value
        } catch let error as StoreError where error.code == .notFound {
            return nil
        } catch {
            throw SyncFailure(error)
        }
    }

    private func url(of file: ManifestEntry, base: String) async throws -> URL {
        if let here = try store.lazyFile(file.checksum, now: now()) { return here }
        do {
            return try await fetch(file, base, passesCaches: false)
        } catch let failure where failure.code == .checksumMismatch {
            // They may be the bytes of a cache on the way.
            return try await fetch(file, base, passesCaches: true)
        }
    }

    private func fetch(
        _ file: ManifestEntry, _ base: String, passesCaches: Bool
    ) async throws(SyncFailure) -> URL {
        let store = store
        let now = now()
        do {
            let url = try await downloader.blob(
                file.checksum, size: file.size, readable: file.path,
                contentBaseURL: base, passesCaches: passesCaches, store: store
            ) { partial in
                try store.keepLazyFile(
                    partial.url, as: file.checksum, size: partial.count, now: now)
            }
            downloader.tally.countFile()
            return url
        } catch {
            throw SyncFailure(error)
        }
    }
}

extension Manifest {
    /// Returns the files of a group; `nil` where the release has no such group.
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

extension ManifestEntry {
    /// The name by which the files of its group are told apart.
    fileprivate var nameInGroup: String { kind == .asset ? key : name }
}
