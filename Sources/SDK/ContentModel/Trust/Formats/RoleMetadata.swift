/// The content of a root file: the keys of the top-level roles (TUF 4.3).
struct RootMetadata: Sendable {
    /// The file.
    let envelope: MetadataEnvelope
    /// True when files of metadata have their version, and targets their hash, in their names (TUF 6.2).
    let hasConsistentSnapshots: Bool
    /// The public keys by id, as the file has them.
    let publicKeys: [String: JSONValue]
    private let authorities: [TrustRole: Authority]
    private let rootAuthority: Authority

    init(_ bytes: [UInt8]) throws(TrustError) {
        let role = TrustRole.root
        envelope = try MetadataEnvelope(
            bytes, role: role.rawValue, type: role, bytesMax: TrustLimits.rootBytesMax)
        let signed = envelope.signed
        hasConsistentSnapshots =
            signed.optional("consistent_snapshot") == nil
            ? false : try signed.bool("consistent_snapshot")
        let listed = try signed.object("keys")
        publicKeys = Dictionary(
            listed.members.map { ($0.key, $0.value.value) }, uniquingKeysWith: { first, _ in first }
        )
        let keys = Authority.keys(listed)
        let roles = try signed.object("roles")
        var authorities: [TrustRole: Authority] = [:]
        for role in TrustRole.allCases {
            authorities[role] = try Authority(try roles.object(role.rawValue), keys: keys)
        }
        self.authorities = authorities
        rootAuthority = try Authority(try roles.object(role.rawValue), keys: keys)
    }

    /// Returns the keys of a role.
    func authority(_ role: TrustRole) -> Authority { authorities[role] ?? rootAuthority }
}

/// The content of a timestamp file: the version of the newest snapshot (TUF 4.6).
struct TimestampMetadata: Sendable {
    /// The file.
    let envelope: MetadataEnvelope
    /// The snapshot; other files that a timestamp lists are ignored.
    let snapshot: ListedFile

    init(_ bytes: [UInt8]) throws(TrustError) {
        let role = TrustRole.timestamp
        envelope = try MetadataEnvelope(
            bytes, role: role.rawValue, type: role, bytesMax: TrustLimits.timestampBytesMax)
        snapshot = try ListedFile(try envelope.signed.object("meta").object("snapshot.json"))
    }
}

/// The content of a snapshot file: the versions of all targets metadata (TUF 4.4).
struct SnapshotMetadata: Sendable {
    /// The file.
    let envelope: MetadataEnvelope
    /// The files by name, such as `targets.json`.
    let files: [String: ListedFile]

    init(_ bytes: [UInt8]) throws(TrustError) {
        let role = TrustRole.snapshot
        envelope = try MetadataEnvelope(
            bytes, role: role.rawValue, type: role, bytesMax: TrustLimits.snapshotBytesMax)
        files = try envelope.signed.object("meta").entries(ListedFile.init)
        guard files["targets.json"] != nil else {
            throw .invalid(role.rawValue, "signed.meta does not list targets.json")
        }
    }

    /// Returns the file of a targets role.
    func file(of role: String) -> ListedFile? { files.exactly(role + ".json") }
}

/// The content of a targets file: files, and the roles to which some are delegated (TUF 4.5).
struct TargetsMetadata: Sendable {
    /// The file.
    let envelope: MetadataEnvelope
    /// The delegations, the most trusted one first.
    let delegations: [Delegation]
    private let targets: [String: TargetFile]

    init(_ bytes: [UInt8], role: String) throws(TrustError) {
        envelope = try MetadataEnvelope(
            bytes, role: role, type: .targets, bytesMax: TrustLimits.targetsBytesMax)
        let signed = envelope.signed
        var targets: [String: TargetFile] = [:]
        for member in try signed.object("targets").members {
            targets[member.key] = try TargetFile(member, role: role)
        }
        self.targets = targets
        delegations =
            signed.optional("delegations") == nil
            ? [] : try Delegation.list(try signed.object("delegations"))
    }

    /// Returns a file by its path.
    func target(_ path: String) -> TargetFile? { targets.exactly(path) }
}
