public import Foundation
import Logging
import Synchronization

/// One typed asset: bundled first, replaced when a valid remote one arrives.
///
/// It starts with the file that was accepted last, or else with the one that the app brings, so
/// that there is always a value. A newer one is shown once the materializer accepted it and it is on
/// the disk; whatever goes wrong before leaves file, value and tag as they are. Another version of the
/// app starts with its own file again.
public actor RemoteAsset<Value: Sendable> {
    /// The name of the asset, `/` between its parts.
    public nonisolated let name: String
    private nonisolated let state: LatestValue<State>
    nonisolated let failures = LatestValue<AssetError?>(nil, bufferedMax: 16)
    private let appVersion: String
    private let materializer: Materializer<Value>
    private let provider: DataProvider
    private let bundled: @Sendable () throws -> Data
    private let file: AssetFile
    private let logger = Logger(label: "underway.assets")
    private let refreshes = SharedRun<RefreshOutcome>()

    private struct State: Sendable {
        var value: Value
        var source: AssetSource
        var tag: AssetTag?
        /// What was left out of the value.
        var notes: [AssetError]
    }

    /// Opens an asset.
    ///
    /// - Parameters:
    ///   - name: Its name, such as `icons/app.png`.
    ///   - folder: Where what replaces it is kept; several assets may share it.
    ///   - appVersion: The version of the app; with another one the bundled file counts again.
    ///   - bundled: Gives the file that the app brings.
    ///   - materializer: Makes and judges values.
    ///   - provider: Where newer bytes come from.
    /// - Throws: `AssetError` `badBundle` when there is neither a usable file in the app nor one that
    ///   was accepted before.
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

    /// The value to start with, and why it is not the last one, where that is a failure.
    private static func start(
        _ name: String, file: AssetFile, appVersion: String, bundled: () throws -> Data,
        materializer: Materializer<Value>
    ) throws -> (State, AssetError?) {
        var failure: AssetError?
        file.tighten()
        if let kept = file.read(), kept.attributes.appVersion == appVersion {
            do {
                let (value, notes) = try make(kept.data, name, materializer)
                return (
                    State(
                        value: value, source: .downloaded, tag: kept.attributes.tag, notes: notes),
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
            throw AssetError(.badBundle, asset: name, "The app's own file is not usable: \(reason)")
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

    /// The value now; costs a lock, never waits for a refresh.
    public nonisolated var current: Value { state.value.value }

    /// Where the value comes from.
    public nonisolated var source: AssetSource { state.value.source }

    /// What the source calls the state of the value; `nil` for the file that the app brings.
    public nonisolated var tag: AssetTag? { state.value.tag }

    /// What was left out of the value, such as settings of an unknown name.
    public nonisolated var notes: [AssetError] { state.value.notes }

    /// The value now and each newer one, without an end by an error.
    ///
    /// A slow reader skips to the newest.
    public nonisolated func values() -> AsyncStream<Value> { state.stream { $0.value } }

    /// What goes wrong, from the failure of the last refresh on, if it failed.
    ///
    /// The values go on beside it. A slow reader misses all but the newest 16.
    public nonisolated func errors() -> AsyncStream<AssetError> { failures.stream { $0 } }

    // MARK: Refreshing

    /// Asks the source for something newer.
    ///
    /// Calls during a refresh share it. A caller whose task is cancelled gets the failure `cancelled`
    /// at once; the refresh goes on for the others and stops when nobody waits for it.
    /// - Returns: How it ended; failures also go to `errors`.
    @discardableResult
    public func refresh() async -> RefreshOutcome {
        await refreshes.value { await self.refreshOnce() }
            ?? .failed(AssetError(.cancelled, asset: name, "It was cancelled."))
    }

    /// Refreshes now and whenever the source says that something may be new, until it is cancelled.
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

    /// A refresh that began after this call: one that runs already may have asked too early.
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
            // A network that was cancelled may call it by another name.
            let cause: any Error = Task.isCancelled ? CancellationError() : error
            return .failed(AssetError(cause, asset: name, otherwise: .offline))
        }
        guard case .data(let data, let tag) = delivery else { return .unchanged }
        do {
            return try take(data, tag)
        } catch {
            return .failed(AssetError(error, asset: name, otherwise: .refused))
        }
    }

    /// The bytes of the value, where they can still be read.
    private func held() -> Data? {
        // Without them everything that arrives is new.
        state.value.source == .downloaded ? file.read()?.data : try? bundled()
    }

    /// Accepts new bytes: judged first, then kept, then shown.
    private func take(_ data: Data, _ tag: AssetTag) throws -> RefreshOutcome {
        let isSame = data == held()
        if isSame, tag == state.value.tag { return .unchanged }
        let (value, notes) = try Self.make(data, name, materializer)
        // Here, since a start with many assets would look through their folder once for each.
        file.removeLeftovers(now: Date())
        do {
            try file.write(data, AssetAttributes(appVersion: appVersion, tag: tag))
        } catch {
            throw AssetError(
                .storage, asset: name, "It cannot be kept: \(error.localizedDescription)")
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
