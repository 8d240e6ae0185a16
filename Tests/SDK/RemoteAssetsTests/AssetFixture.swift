import Foundation
import Synchronization
import TestSupport

@testable import RemoteAssets

/// A source whose answers a test sets, and an asset of text over it.
final class AssetFixture: Sendable {
    struct Failure: Error {}

    let folder: TemporaryFolder
    let source = ScriptedSource()

    init() throws { folder = try TemporaryFolder() }

    func open(
        appVersion: String = "1", bundled: String? = "bundled", extended: Bool = true,
        materializer: Materializer<String> = .text, provider: DataProvider? = nil
    ) throws -> RemoteAsset<String> {
        let source = source
        return try RemoteAsset(
            file: file(extended: extended), "a/text.txt", appVersion: appVersion,
            bundled: {
                guard let bundled else { throw Failure() }
                return Data(bundled.utf8)
            }, materializer: materializer,
            provider: provider ?? DataProvider { try source.answer($0) })
    }

    func file(extended: Bool = true) throws -> AssetFile {
        try AssetFile(
            name: "a/text.txt", folder: folder.url.appending(path: "kept"),
            usesExtendedAttributes: extended)
    }

    /// The names of all that is kept.
    func names() throws -> [String] {
        let path = folder.path + "/kept/a"
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }
}

/// Answers like a web server that knows entity tags.
final class ScriptedSource: Sendable {
    private struct State {
        var body: String?
        var failure: AssetError?
        var queries: [AssetQuery] = []
    }

    private let state = Mutex(State())

    var queries: [AssetQuery] { state.withLock { $0.queries } }

    func serve(_ body: String) { state.withLock { ($0.body, $0.failure) = (body, nil) } }

    func fail(_ code: AssetError.Code) {
        state.withLock { $0.failure = AssetError(code, "as the test wants") }
    }

    func answer(_ query: AssetQuery) throws -> AssetDelivery {
        try state.withLock { state in
            state.queries.append(query)
            if let failure = state.failure { throw failure }
            guard let body = state.body else { throw AssetError(.notFound, "nothing is served") }
            let tag = AssetTag(entityTag: "\"\(body)\"")
            return query.known == tag ? .unchanged : .data(Data(body.utf8), tag)
        }
    }
}
