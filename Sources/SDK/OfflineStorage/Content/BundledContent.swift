import ContentModel
import Foundation
import Synchronization

/// The app's bundle as a source of content that needs no installation.
final class BundledContent: Sendable {
    /// A document of the bundle.
    struct Place: Sendable {
        var bundle: ContentBundle
        var checksum: Checksum
        var freshness: ContentFreshness
    }

    private struct Index: Sendable {
        var documents: [EagerDocument]
        var files: Set<Checksum>
        var freshness: ContentFreshness
        var manifest: Manifest
    }

    private struct State {
        var bundle: ContentBundle?
        var index: Index?
        var isFirst = false
    }

    private let state = Mutex(State())

    /// True while the bundle is newer than the installed release and could not be installed.
    var isFirst: Bool {
        get { state.withLock { $0.isFirst } }
        set { state.withLock { $0.isFirst = newValue } }
    }

    /// The bundle that the app registered at launch.
    var bundle: ContentBundle? { state.withLock { $0.bundle } }

    /// Registers a bundle as the third source; its manifest is read when it is first needed.
    func register(_ bundle: ContentBundle) {
        state.withLock { state in
            guard state.bundle?.folder != bundle.folder else { return }
            state = State(bundle: bundle)
        }
    }

    /// Returns a document of the bundle; `nil` if it has none, or its manifest cannot be read.
    func place(of kind: EagerDocument.Kind, _ key: String) -> Place? {
        guard let (bundle, index) = opened(),
            let document = index.documents.first(where: { $0.kind == kind && $0.key == key })
        else { return nil }
        return Place(bundle: bundle, checksum: document.checksum, freshness: index.freshness)
    }

    /// Returns the manifest of the bundle with its age; `nil` if it cannot be read.
    func manifest() -> Fresh<Manifest>? {
        opened().map { Fresh($0.index.manifest, $0.index.freshness) }
    }

    /// Returns a verified file that the bundle ships although devices fetch it on demand.
    func file(_ checksum: Checksum) -> URL? {
        guard let (bundle, index) = opened(), index.files.contains(checksum),
            bundle.has(checksum), (try? bundle.object(checksum)) != nil
        else { return nil }
        return bundle.file(checksum)
    }

    /// Returns true for a file that the bundle ships although devices fetch it on demand, without reading it.
    func ships(_ checksum: Checksum) -> Bool {
        guard let (bundle, index) = opened() else { return false }
        return index.files.contains(checksum) && bundle.has(checksum)
    }

    private func opened() -> (bundle: ContentBundle, index: Index)? {
        let (bundle, known) = state.withLock { ($0.bundle, $0.index) }
        guard let bundle else { return nil }
        if let known { return (bundle, known) }
        // A bundle that cannot be read has no documents; installing it throws the reason.
        guard let manifest = try? bundle.manifest().manifest else { return nil }
        // It was never installed: its age is that of its release.
        let index = Index(
            documents: manifest.eagerDocuments, files: manifest.lazyChecksums,
            freshness: ContentFreshness(
                source: .bundled, release: manifest.release,
                installedAt: manifest.builtAt ?? Date(timeIntervalSince1970: 0)),
            manifest: manifest)
        state.withLock { state in
            if state.bundle?.folder == bundle.folder { state.index = index }
        }
        return (bundle, index)
    }
}
