public import Observation

/// An asset for a SwiftUI view.
///
/// ```swift
/// let folder = URL.temporaryDirectory.appending(path: "assets")
/// let asset = try RemoteAsset(
///     "motto.txt", folder: folder, appVersion: "1", bundled: { Data("Learn.".utf8) },
///     materializer: .text, provider: .file(folder.appending(path: "newer.txt")))
/// let observed = await ObservedAsset(asset)
/// // In a view: Text(observed.value).task { await observed.follow() }
/// print(await observed.value)
/// ```
@MainActor @Observable
public final class ObservedAsset<Value: Sendable> {
    /// The present value.
    public private(set) var value: Value
    /// The failure of the last refresh; `nil` after a success.
    ///
    /// After a failure, the value remains.
    public private(set) var error: AssetError?
    @ObservationIgnored private let asset: RemoteAsset<Value>

    /// Observes an asset.
    public init(_ asset: RemoteAsset<Value>) {
        self.asset = asset
        value = asset.current
    }

    /// Follows the asset until the task is cancelled; call it in the view's own task.
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
