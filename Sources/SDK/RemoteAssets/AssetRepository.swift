public import Foundation
import Synchronization

/// The assets of an app, declared in one place: their bundled files, storage and source.
///
/// ```swift
/// struct Features: FeatureConfiguration { var dailyGoal = 20 }
/// struct AppAssets {
///     let links: RemoteAsset<LocalizedStrings>
///     let features: RemoteAsset<Features>
///
///     init(_ repository: AssetRepository) throws {
///         links = try repository.asset("policy-links.json", .strings)
///         features = try repository.asset("features.json", .features())
///     }
/// }
/// ```
public final class AssetRepository: Sendable {
    private let folder: URL
    private let appVersion: String
    private let bundled: @Sendable (_ name: String) throws -> Data
    private let provider: @Sendable (_ name: String) -> DataProvider
    private let running = Mutex(Running())

    private struct Running {
        var assets: [@Sendable () async -> Void] = []
        var followers: [Int: AsyncStream<@Sendable () async -> Void>.Continuation] = [:]
        var nextID = 0
    }

    /// True in a debug build.
    public static var isDebugBuild: Bool {
        #if DEBUG
        true
        #else
        false
        #endif
    }

    /// Creates a repository of the app's own files and sources.
    ///
    /// - Parameters:
    ///   - folder: The storage of newer files.
    ///   - appVersion: The version of the app; a new one starts with the bundled files again.
    ///   - isDebug: True to use the debug source.
    ///   - bundled: Returns the bundled file of a name.
    ///   - release: The source of newer bytes.
    ///   - debug: Their source in a debug build; `nil` for the same one.
    public init(
        folder: URL, appVersion: String, isDebug: Bool = AssetRepository.isDebugBuild,
        bundled: @escaping @Sendable (_ name: String) throws -> Data,
        release: @escaping @Sendable (_ name: String) -> DataProvider,
        debug: (@Sendable (_ name: String) -> DataProvider)? = nil
    ) {
        self.folder = folder
        self.appVersion = appVersion
        self.bundled = bundled
        provider = isDebug ? debug ?? release : release
    }

    /// Creates a repository over a folder of the app's resources.
    ///
    /// - Parameters:
    ///   - bundle: The folder of the bundled files.
    ///   - folder: The storage of newer files.
    ///   - appVersion: The version of the app; a new one starts with the bundled files again.
    ///   - isDebug: True to use the debug source.
    ///   - release: The source of newer bytes.
    ///   - debug: Their source in a debug build; `nil` for the same one.
    public convenience init(
        bundle: URL, folder: URL, appVersion: String,
        isDebug: Bool = AssetRepository.isDebugBuild,
        release: @escaping @Sendable (_ name: String) -> DataProvider,
        debug: (@Sendable (_ name: String) -> DataProvider)? = nil
    ) {
        self.init(
            folder: folder, appVersion: appVersion, isDebug: isDebug,
            bundled: { try Data(contentsOf: bundle.appending(path: $0)) }, release: release,
            debug: debug)
    }

    /// Declares an asset and opens it; declare each name once.
    ///
    /// - Parameters:
    ///   - name: Its name, with `/` between its parts.
    ///   - materializer: The conversion of bytes to a value.
    /// - Returns: The asset, with its value.
    /// - Throws: `AssetError` `badBundle` when the app has no usable file of that name.
    public func asset<Value>(
        _ name: String, _ materializer: Materializer<Value>
    ) throws -> RemoteAsset<Value> {
        let bundled = bundled
        let asset = try RemoteAsset(
            name, folder: folder, appVersion: appVersion, bundled: { try bundled(name) },
            materializer: materializer, provider: provider(name))
        let run: @Sendable () async -> Void = { await asset.run() }
        running.withLock { running in
            running.assets.append(run)
            for follower in running.followers.values { follower.yield(run) }
        }
        return asset
    }

    /// Refreshes all assets, including those declared later, until the task is cancelled.
    public func run() async {
        let (assets, continuation) = AsyncStream.makeStream(of: (@Sendable () async -> Void).self)
        let id = running.withLock { running in
            running.nextID += 1
            running.followers[running.nextID] = continuation
            for asset in running.assets { continuation.yield(asset) }
            return running.nextID
        }
        defer { running.withLock { $0.followers[id] = nil } }
        await withDiscardingTaskGroup { group in
            for await run in assets { group.addTask { await run() } }
        }
    }
}
