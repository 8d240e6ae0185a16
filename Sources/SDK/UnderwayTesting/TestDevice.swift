public import Foundation
public import OfflineStorage
public import SyncClient
public import UserData

/// A device of a test or preview: both stores in a folder of its own, and both syncs on a network in memory.
///
/// The folder is deleted with the value.
///
/// ```swift
/// let server = TestSyncServer()
/// let (phone, tablet) = (try TestDevice(network: server), try TestDevice(network: server))
/// try await phone.account.upgrade(email: "anne@example.org", password: "correct horse")
/// print(await phone.userDataSync.sync().pushed, tablet.clock.now)
/// ```
public final class TestDevice: Sendable {
    /// The folder of the stores.
    public let folder: URL
    /// The clock of the device.
    public let clock: TestClock
    /// The content.
    public let store: OfflineStore
    /// The data of the user.
    public let userData: UserStore
    /// The account, whose secrets are in memory.
    public let account: Account
    /// The sync of content.
    public let contentSync: ContentSync
    /// The sync of user data.
    public let userDataSync: UserDataSync

    /// The address of the content: `https://test.invalid/api/content/v2`.
    public static let contentAddress = serverAddress.appending(path: "api/content/v2")
    /// The address of the server of user data: `https://test.invalid`.
    public static let serverAddress = address("https://test.invalid")

    private static func address(_ text: String) -> URL {
        guard let url = URL(string: text) else { preconditionFailure("\(text) is no address") }
        return url
    }

    /// Creates a new device.
    ///
    /// - Parameters:
    ///   - network: The network, or one host.
    ///   - collections: The app's collections, in addition to the built-in ones.
    ///   - clock: The clock; devices of one test may share it.
    ///   - appVersion: The version of the app.
    ///   - trust: The signatures that the device requires, if any.
    /// - Throws: `StoreError`, or an error of the file system.
    public init(
        network: any Transport, collections: [CollectionDeclaration] = [],
        clock: TestClock = TestClock(), appVersion: String = "1", trust: TrustPolicy = .unsigned
    ) throws {
        self.clock = clock
        folder = FileManager.default.temporaryDirectory.appending(
            path: "underway-device-\(UUID().uuidString)", directoryHint: .isDirectory)
        store = try OfflineStore(
            folder: folder.appending(path: "content"), appVersion: appVersion)
        userData = try UserStore(
            folder: folder.appending(path: "user"), collections: collections)
        account = Account(
            store: userData, secrets: MemorySecretStore(), transport: network,
            serverURL: Self.serverAddress)
        contentSync = ContentSync(
            store: store, transport: network, releaseURL: Self.contentAddress, trust: trust,
            clock: { clock.now })
        userDataSync = UserDataSync(
            store: userData, account: account, transport: network,
            serverURL: Self.serverAddress, clock: { clock.now }, jitter: { 0.5 })
    }

    /// Returns a device for a preview, with content installed from a bundle and no network: every request fails with
    /// `offline`.
    ///
    /// ```swift
    /// let device = try TestDevice.preview()
    /// let bank = try device.store.blueprint(.exam(region: "int", exam: "harbour")).value
    /// ```
    /// - Parameters:
    ///   - content: The content.
    ///   - collections: The app's collections, in addition to the built-in ones.
    /// - Returns: The device.
    /// - Throws: `ContentError` for content that a device would refuse, `StoreError`, or an error of the file
    ///   system.
    public static func preview(
        _ content: ReleaseContent = .sample, collections: [CollectionDeclaration] = []
    ) throws -> TestDevice {
        let network = TestNetwork()
        network.isOffline = true
        let device = try TestDevice(network: network, collections: collections)
        let bundle = try content.writeBundle(to: device.folder.appending(path: "bundle"))
        try device.store.installBundle(bundle, now: device.clock.now)
        return device
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
