/// The purpose of a request, by which a ``NetworkPolicy`` decides.
///
/// An open set, so a `switch` over it needs a `default`.
///
/// ```swift
/// let spoken = TransferPurpose.audio
/// print(NetworkPolicy().allowsExpensiveNetworkAccess(for: spoken))  // false
/// ```
public struct TransferPurpose: RawRepresentable, Sendable, Hashable {
    /// The name of the purpose, stable between versions.
    public let rawValue: String

    /// Creates a purpose with a name; use the static members where one exists.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The manifest and the documents of a release.
    public static let content = TransferPurpose(rawValue: "content")
    /// Accounts and the data of users.
    public static let userData = TransferPurpose(rawValue: "userData")
    /// Spoken clips.
    public static let audio = TransferPurpose(rawValue: "audio")
    /// Images of an exam.
    public static let media = TransferPurpose(rawValue: "media")
    /// Files that are fetched before they are needed.
    public static let prefetch = TransferPurpose(rawValue: "prefetch")
    /// One asset.
    public static let asset = TransferPurpose(rawValue: "asset")
}

/// The purposes that may use a metered network, or one in Low Data Mode.
///
/// By default content and user data may; audio and prefetched files wait for another network. Only Apple platforms
/// distinguish networks; elsewhere every request is sent.
///
/// ```swift
/// var policy = NetworkPolicy()
/// policy.deniedOnExpensive.insert(.media)
/// let transport = HTTPTransport(networkPolicy: policy)
/// transport.close()
/// ```
public struct NetworkPolicy: Sendable, Hashable {
    /// The purposes that never use an expensive network, such as a cellular one or a personal hotspot.
    public var deniedOnExpensive: Set<TransferPurpose>
    /// The purposes that never use a constrained network, that is, one in Low Data Mode.
    public var deniedOnConstrained: Set<TransferPurpose>

    /// Creates a policy.
    public init(
        deniedOnExpensive: Set<TransferPurpose> = [.audio, .prefetch],
        deniedOnConstrained: Set<TransferPurpose> = [.audio, .prefetch]
    ) {
        self.deniedOnExpensive = deniedOnExpensive
        self.deniedOnConstrained = deniedOnConstrained
    }

    /// The policy that allows every purpose on every network.
    public static let unrestricted = NetworkPolicy(deniedOnExpensive: [], deniedOnConstrained: [])

    /// Returns true when a request of a purpose may use an expensive network.
    public func allowsExpensiveNetworkAccess(for purpose: TransferPurpose) -> Bool {
        !deniedOnExpensive.contains(purpose)
    }

    /// Returns true when a request of a purpose may use a constrained network.
    public func allowsConstrainedNetworkAccess(for purpose: TransferPurpose) -> Bool {
        !deniedOnConstrained.contains(purpose)
    }
}
