public import Observation

/// An asset as a screen shows it.
@MainActor @Observable
public final class ObservedAsset<Value: Sendable> {
    /// What is shown.
    public private(set) var value: Value
    /// Why the last refresh failed; `nil` once one succeeds.
    ///
    /// The value stays.
    public private(set) var error: AssetError?
    @ObservationIgnored private let asset: RemoteAsset<Value>

    /// Shows an asset.
    public init(_ asset: RemoteAsset<Value>) {
        self.asset = asset
        value = asset.current
    }

    /// Follows the asset until it is cancelled; for the screen's own task.
    public func follow() async {
        let asset = asset
        await withTaskGroup { group in
            group.addTask {
                for await value in asset.values() { await self.show(value) }
            }
            group.addTask {
                for await error in asset.failures.stream() { await self.show(error) }
            }
        }
    }

    private func show(_ value: Value) { self.value = value }

    private func show(_ error: AssetError?) { self.error = error }
}
