import ContentModel
import Foundation
import OfflineStorage

/// The times until which signatures confirm each release whose content this device shows.
///
/// A release is confirmed until the expiry of the last timestamp that named it as the newest one.
struct Confirmations: Hashable, Sendable {
    /// The times by the number of the release.
    var untils: [Int: Date] = [:]

    /// The stored form: a number and the seconds since 1970 for each release.
    var text: String {
        untils.sorted { $0.key < $1.key }
            .map { "\($0.key) \(Int($0.value.timeIntervalSince1970))" }
            .joined(separator: ",")
    }

    /// Parses the stored form; damaged entries are unknown.
    init(text: String) {
        for entry in text.split(separator: ",") {
            let parts = entry.split(separator: " ")
            guard parts.count == 2, let release = Int(parts[0]), let seconds = Int(parts[1]) else {
                continue
            }
            untils[release] = Date(timeIntervalSince1970: TimeInterval(seconds))
        }
    }
}

extension ContentSync {
    /// Records the present confirmation by signatures, and returns the time until which they confirm all shown content.
    ///
    /// A host that withholds a document causes its predecessor to be shown, which a former release names.
    /// - Returns: The earliest time over all shown documents; `nil` without a pinned root, or before the first sync.
    /// - Throws: `StoreError`.
    func confirmedUntil() throws -> Date? {
        guard let trusted = try trustedSoFar() else { return nil }
        let expires = trusted.file(.timestamp)?.expires
        guard let shown = try store.currentGeneration() else { return expires }
        let former = Confirmations(text: try store.setting(Self.confirmationsName) ?? "")
        var known = former
        if let expires, let newest = trusted.newestManifest,
            try newest == shown.manifestChecksum || newest == heldRelease()?.manifest
        {
            known.untils[shown.freshness.release] = expires
        }
        let refused = try store.namedRefusals()
        let predecessors = refused.compactMap { document in
            document.shownRelease.map { (release: $0, notAfter: document.refusedAt) }
        }
        let releases = Set(predecessors.map(\.release)).union([shown.freshness.release])
        known.untils = known.untils.filter { releases.contains($0.key) }
        if known != former, store.access == .readWrite {
            try store.set(Self.confirmationsName, known.text)
        }
        // Of what was shown before this device noted anything, no more is known than when it was replaced.
        let own = known.untils[shown.freshness.release] ?? shown.freshness.installedAt
        return predecessors.map { known.untils[$0.release] ?? $0.notAfter }.reduce(own, min)
    }

    private static let confirmationsName = "confirmations"
}

extension TrustedMetadata {
    /// The manifest in the chain of the trusted timestamp; `nil` while one of the files between is missing.
    fileprivate var newestManifest: Checksum? {
        guard let snapshot = listedVersion(of: .snapshot), snapshot == file(.snapshot)?.version,
            let targets = listedVersion(of: .targets), targets == file(.targets)?.version
        else { return nil }
        return manifest?.checksum
    }
}
