public import Foundation
import Logging

/// One typed asset: bundled first, and replaced when a valid newer one arrives.
///
/// It starts with the last accepted file, or else with the bundled one, so it always has a value. A newer value is
/// shown after the materializer has accepted it and it is stored; a failure before that leaves file, value and tag
/// unchanged. A new version of the app starts with its own file again.
///
/// ```swift
/// let folder = URL.temporaryDirectory.appending(path: "assets")
/// let motto = try RemoteAsset(
///     "motto.txt", folder: folder, appVersion: "1", bundled: { Data("Learn.".utf8) },
///     materializer: .text, provider: .file(folder.appending(path: "newer.txt")))
/// print(motto.current, motto.source)
/// if case .failed(let error) = await motto.refresh() { print(error.message) }
/// ```
public actor RemoteAsset<Value: Sendable> {
    /// The name of the asset, with `/` between its parts.
    public nonisolated let name: String
    private nonisolated let state: LatestValue<State>
    nonisolated let failures = LatestValue<AssetError?>(nil, bufferedMax: 16)
    private let appVersion: String
    private let materializer: Materializer<Value>
    private let provider: DataProvider
    private let bundled: @Sendable () throws -> Data
    private let file: AssetFile
    private let logger = SDKLogger.make(.assets)
    private let refreshes = SharedRun<RefreshOutcome>()

    private struct State: Sendable {
        var value: Value
        var source: AssetSource
        var tag: AssetTag?
        /// The ignored parts of the value.
        var notes: [AssetError]
    }

    /// Opens an asset.
    ///
    /// - Parameters:
    ///   - name: Its name, such as `icons/app.png`.
    ///   - folder: The storage of newer files; several assets may share it.
    ///   - appVersion: The version of the app; a new one starts with the bundled file again.
    ///   - bundled: Returns the bundled file.
    ///   - materializer: The conversion of bytes to a value.
    ///   - provider: The source of newer bytes.
    /// - Throws: `AssetError` `badBundle` when neither the app nor the folder has a usable file.
    public init(
        _ name: String, folder: URL, appVersion: String,
        bundled: @escaping @Sendable () throws -> Data, materializer: Materializer<Value>,
        provider: DataProvider
    ) throws {
        try self.init(
            file: AssetFile(name: name, folder: folder), name, appVersion: appVersion,
            bundled: bundled, materializer: materializer, provider: provider)
    }

    init(
        file: AssetFile, _ name: String, appVersion: String,
        bundled: @escaping @Sendable () throws -> Data, materializer: Materializer<Value>,
        provider: DataProvider
    ) throws {
        self.name = name
        self.appVersion = appVersion
        self.materializer = materializer
        self.provider = provider
        self.bundled = bundled
        self.file = file
        let (start, failure) = try Self.start(
            name, file: file, appVersion: appVersion, bundled: bundled, materializer: materializer)
        state = LatestValue(start)
        if let failure { failures.set(failure) }
        for problem in start.notes + [failure].compactMap({ $0 }) {
            logger.debug("\(problem.message)", metadata: ["asset": "\(name)"])
        }
    }

    /// Returns the first value, and the failure because of which it is not the last accepted one.
    private static func start(
        _ name: String, file: AssetFile, appVersion: String, bundled: () throws -> Data,
        materializer: Materializer<Value>
    ) throws -> (State, AssetError?) {
        var failure: AssetError?
        if let stored = file.read(), stored.attributes.appVersion == appVersion {
            do {
                let (value, notes) = try make(stored.data, name, materializer)
                return (
                    State(
                        value: value, source: .downloaded, tag: stored.attributes.tag, notes: notes),
                    nil
                )
            } catch {
                failure = AssetError(error, asset: name, otherwise: .refused)
            }
        }
        // Of another version, of unknown origin, or no longer accepted.
        file.remove()
        do {
            let (value, notes) = try make(bundled(), name, materializer)
            return (State(value: value, source: .bundled, notes: notes), failure)
        } catch {
            let reason = AssetError(error, asset: name, otherwise: .badBundle).message
            throw AssetError(
                .badBundle, asset: name, "The app's own file is not usable; replace it: \(reason)")
        }
    }

    private static func make(
        _ data: Data, _ name: String, _ materializer: Materializer<Value>
    ) throws -> (Value, notes: [AssetError]) {
        var notes: [AssetError] = []
        let value = try materializer(data) { notes.append(AssetError(.ignored, asset: name, $0)) }
        return (value, notes)
    }

    // MARK: Reading

    /// The present value; it costs a lock and never waits for a refresh.
    public nonisolated var current: Value { state.value.value }

    /// The origin of the value.
    public nonisolated var source: AssetSource { state.value.source }

    /// The version of the value; `nil` for the bundled file.
    public nonisolated var tag: AssetTag? { state.value.tag }

    /// The ignored parts of the value, such as settings of an unknown name.
    public nonisolated var notes: [AssetError] { state.value.notes }

    /// Returns a stream of the present value and each newer one; failures do not end it.
    ///
    /// A slow reader gets the newest.
    public nonisolated func values() -> AsyncStream<Value> { state.stream { $0.value } }

    /// Returns a stream of failures, starting with that of the last refresh, if it failed.
    ///
    /// A slow reader gets the newest 16.
    public nonisolated func errors() -> AsyncStream<AssetError> { failures.stream { $0 } }

    // MARK: Refreshing

    /// Requests a newer version from the source.
    ///
    /// Calls during a refresh share it. A caller whose task is cancelled gets the failure `cancelled` at once. The
    /// refresh continues for other callers, and stops when there are none.
    /// - Returns: The outcome; failures also go to ``errors()``.
    @discardableResult
    public func refresh() async -> RefreshOutcome {
        await refreshes.value { await self.refreshOnce() }
            ?? .failed(AssetError(.cancelled, asset: name, "It was cancelled. Try again."))
    }

    /// Refreshes now and at each signal of the source, until the task is cancelled.
    public func run() async {
        // Listening starts first, so that nothing falls between.
        let signals = provider.signals.map { $0() }
        await refreshAnew()
        await withTaskGroup { group in
            for signal in signals {
                group.addTask {
                    for await _ in signal { await self.refreshAnew() }
                }
            }
        }
    }

    /// Refreshes by a run that begins after this call, since one under way may have started too early.
    private func refreshAnew() async {
        _ = await refreshes.value(anew: true) { await self.refreshOnce() }
    }

    private func refreshOnce() async -> RefreshOutcome {
        let outcome = await attempt()
        switch outcome {
        case .failed(let error) where error.code != .cancelled:
            logger.debug("\(error.message)", metadata: ["asset": "\(name)"])
            failures.set(error)
        case .failed: break
        case .unchanged, .replaced: if failures.value != nil { failures.set(nil) }
        }
        return outcome
    }

    private func attempt() async -> RefreshOutcome {
        let query = AssetQuery(known: state.value.tag, bytesMax: materializer.bytesMax)
        let delivery: AssetDelivery
        do {
            delivery = try await provider(query)
            try Task.checkCancellation()
        } catch {
            // A cancelled network may throw another error.
            let cause: any Error = Task.isCancelled ? CancellationError() : error
            return .failed(AssetError(cause, asset: name, otherwise: .offline))
        }
        guard case .data(let data, let tag) = delivery else { return .unchanged }
        do {
            return try accept(data, tag)
        } catch {
            return .failed(AssetError(error, asset: name, otherwise: .refused))
        }
    }

    /// Returns the bytes of the value, if they can still be read.
    private func currentData() -> Data? {
        // Without them every arrival is new.
        state.value.source == .downloaded ? file.read()?.data : try? bundled()
    }

    /// Accepts new bytes: checks, stores and then shows them.
    private func accept(_ data: Data, _ tag: AssetTag) throws -> RefreshOutcome {
        let isSame = data == currentData()
        if isSame, tag == state.value.tag { return .unchanged }
        let (value, notes) = try Self.make(data, name, materializer)
        // Here, since a start with many assets would scan their folder once for each.
        file.removeLeftovers(now: Date())
        do {
            try file.write(data, AssetAttributes(appVersion: appVersion, tag: tag))
        } catch {
            throw AssetError(
                .storage, asset: name,
                "It cannot be saved: \(error.localizedDescription) Make room.",
                cause: error)
        }
        for note in notes {
            logger.debug("\(note.message)", metadata: ["asset": "\(name)"])
        }
        let next = State(value: value, source: .downloaded, tag: tag, notes: notes)
        if isSame {
            state.setQuietly(next)
            return .unchanged
        }
        state.set(next)
        return .replaced
    }
}
