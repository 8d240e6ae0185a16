import ContentModel
import Foundation

/// A key that signs by a hash over key and message: no cryptography, but every bit counts.
struct TestKey: Hashable {
    let name: String
    var scheme = "test"
    /// A field that metadata do not know, which is part of the key's id.
    var note: String?

    init(_ name: String, scheme: String = "test", note: String? = nil) {
        self.name = name
        self.scheme = scheme
        self.note = note
    }

    var bytes: [UInt8] { Array(name.utf8) }

    var object: JSONValue {
        .compact([
            "keytype": "test", "scheme": .string(scheme), "x-note": note.map { .string($0) },
            "keyval": ["public": .string(TestHex.encode(bytes))],
        ])
    }

    var id: String { Checksum(of: object.olpcCanonicalBytes() ?? []).hex }

    func signature(_ message: [UInt8]) -> JSONValue {
        let bytes = Checksum(of: bytes + message).hex
        return ["keyid": .string(id), "sig": .string(bytes)]
    }

    static let verifiers = SignatureVerifiers([
        "test": { key, signature, message in
            TestHex.encode(signature) == Checksum(of: key + message).hex
        }
    ])
}

enum TestHex {
    static func encode(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}

/// A repository in memory; each test changes what it is about.
struct TestRepository {
    /// The keys and the threshold of a role.
    struct Role {
        var keys: [TestKey]
        var threshold = 1

        var object: JSONValue {
            [
                "keyids": .array(keys.map { .string($0.id) }), "threshold": .integer(threshold),
            ]
        }
    }

    static let start = Date(timeIntervalSince1970: 1_767_225_600)  // 2026-01-01
    static let later = "2027-01-01T00:00:00Z"
    static let past = "2025-12-31T23:59:59Z"

    var roles: [TrustRole: Role] = Dictionary(
        uniqueKeysWithValues: TrustRole.allCases.map { ($0, Role(keys: [TestKey($0.rawValue)])) })
    var versions: [TrustRole: Int] = [:]
    var expires: [TrustRole: String] = [:]
    var isConsistent = true
    var listsHashes = false
    var targets: [String: JSONValue] = [:]
    var delegations: [TestDelegation] = []
    /// The files that the snapshot lists beside `targets.json`.
    var listed: [String: Int] = [:]
    /// Members of the signed object that replace or join the usual ones.
    var extra: [TrustRole: [String: JSONValue]] = [:]

    func version(_ role: TrustRole) -> Int { versions[role] ?? 1 }

    // MARK: The signed objects

    func body(_ role: TrustRole) -> JSONValue {
        var members: [String: JSONValue] = [
            "_type": .string(role.rawValue), "spec_version": "1.0.31",
            "version": .integer(version(role)), "expires": .string(expires[role] ?? Self.later),
        ]
        switch role {
        case .root:
            members["consistent_snapshot"] = .bool(isConsistent)
            members["keys"] = .object(
                Dictionary(
                    roles.values.flatMap(\.keys).map { ($0.id, $0.object) },
                    uniquingKeysWith: { $1 }))
            members["roles"] = .object(
                Dictionary(uniqueKeysWithValues: roles.map { ($0.key.rawValue, $0.value.object) }))
        case .timestamp: members["meta"] = ["snapshot.json": file(.snapshot)]
        case .snapshot:
            var files: [String: JSONValue] = listed.mapValues { ["version": .integer($0)] }
            files["targets.json"] = file(.targets)
            members["meta"] = .object(files)
        case .targets:
            members["targets"] = .object(targets)
            if !delegations.isEmpty { members["delegations"] = TestDelegation.object(delegations) }
        }
        members.merge(extra[role] ?? [:]) { $1 }
        return .object(members)
    }

    private func file(_ role: TrustRole) -> JSONValue {
        guard listsHashes else { return ["version": .integer(version(role))] }
        let bytes = bytes(role)
        return [
            "version": .integer(version(role)), "length": .integer(bytes.count),
            "hashes": ["sha256": .string(Checksum(of: bytes).hex)],
        ]
    }

    // MARK: The files

    func bytes(_ role: TrustRole) -> [UInt8] {
        Self.sign(body(role), by: roles[role]?.keys ?? [])
    }

    static func sign(_ body: JSONValue, by keys: [TestKey]) -> [UInt8] {
        let message = body.olpcCanonicalBytes() ?? []
        let file: JSONValue = [
            "signed": body, "signatures": .array(keys.map { $0.signature(message) }),
        ]
        return file.canonicalBytes
    }

    // MARK: The device

    func trusted() throws -> TrustedMetadata {
        try TrustedMetadata(root: bytes(.root), verifiers: TestKey.verifiers)
    }

    /// A device that has all of this repository.
    func updated() throws -> TrustedMetadata { try updated(trusted()) }

    func updated(_ trusted: TrustedMetadata, at time: Date = start) throws -> TrustedMetadata {
        var trusted = trusted
        try trusted.update(timestamp: bytes(.timestamp), startedAt: time)
        try trusted.update(snapshot: bytes(.snapshot), startedAt: time)
        try trusted.update(targets: bytes(.targets), startedAt: time)
        return trusted
    }

    /// The same repository with the next version of some roles.
    func bumping(_ roles: TrustRole...) -> TestRepository {
        var copy = self
        for role in roles { copy.versions[role] = version(role) + 1 }
        return copy
    }
}

/// A delegation, and the metadata of its role.
struct TestDelegation {
    var name: String
    var keys: [TestKey]
    var threshold = 1
    var paths: [String]? = ["*"]
    var prefixes: [String]?
    var isTerminating = false

    init(
        _ name: String, paths: [String]? = ["*"], prefixes: [String]? = nil,
        isTerminating: Bool = false, keys: [TestKey]? = nil
    ) {
        self.name = name
        self.paths = paths
        self.prefixes = prefixes
        self.isTerminating = isTerminating
        self.keys = keys ?? [TestKey(name)]
    }

    static func object(_ delegations: [TestDelegation]) -> JSONValue {
        [
            "keys": .object(
                Dictionary(
                    delegations.flatMap(\.keys).map { ($0.id, $0.object) },
                    uniquingKeysWith: { $1 })),
            "roles": .array(delegations.map(\.object)),
        ]
    }

    private var object: JSONValue {
        .compact([
            "name": .string(name), "keyids": .array(keys.map { .string($0.id) }),
            "threshold": .integer(threshold), "terminating": .bool(isTerminating),
            "paths": paths.map { .array($0.map { .string($0) }) },
            "path_hash_prefixes": prefixes.map { .array($0.map { .string($0) }) },
        ])
    }

    /// The file of a delegated role.
    static func bytes(
        version: Int = 1, targets: [String: JSONValue] = [:],
        delegations: [TestDelegation] = [], by keys: [TestKey]
    ) -> [UInt8] {
        var repository = TestRepository()
        repository.versions[.targets] = version
        repository.targets = targets
        repository.delegations = delegations
        return TestRepository.sign(repository.body(.targets), by: keys)
    }

    static func target(_ content: String) -> JSONValue {
        [
            "length": .integer(content.utf8.count),
            "hashes": ["sha256": .string(Checksum(of: Array(content.utf8)).hex)],
        ]
    }
}
