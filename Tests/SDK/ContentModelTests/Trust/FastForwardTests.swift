import ContentModel
import Testing

/// Recovery from versions that a thief of a key has raised (TUF 5.3.11).
@Suite struct FastForwardTests {
    /// A device that has seen high versions of all roles.
    private var raised: TestRepository {
        var repository = TestRepository()
        repository.versions = [.timestamp: 1 << 52, .snapshot: 1 << 51, .targets: 1 << 50]
        repository.listed = ["gone.json": 7]
        return repository
    }

    private func recovered(_ change: (inout TestRepository) -> Void) throws -> TestRepository {
        var repository = raised.bumping(.root)
        repository.versions[.timestamp] = 3
        repository.versions[.snapshot] = 2
        repository.versions[.targets] = 1
        repository.listed = [:]
        change(&repository)
        return repository
    }

    @Test(arguments: [TrustRole.timestamp, .snapshot])
    func aLostKeyForgetsTimestampAndSnapshot(role: TrustRole) throws {
        var trusted = try raised.updated()
        let repository = try recovered { $0.roles[role]?.keys = [TestKey("new")] }
        try trusted.update(root: repository.bytes(.root))
        #expect(trusted.file(.timestamp) == nil)
        #expect(trusted.file(.snapshot) == nil)
        let current = try repository.updated(trusted)
        #expect(current.file(.targets)?.version == 1)
    }

    @Test(arguments: [TrustRole.root, .targets])
    func otherRotationsKeepTheVersions(role: TrustRole) throws {
        var trusted = try raised.updated()
        let repository = try recovered { repository in
            repository.roles[role]?.keys.append(TestKey("new"))
        }
        try trusted.update(root: repository.bytes(.root))
        let error = #expect(throws: TrustError.self) { try repository.updated(trusted) }
        #expect(error?.code == .rolledBack)
    }

    @Test(arguments: [TrustRole.timestamp, .snapshot])
    func aKeyThatJoinsForgetsNothing(role: TrustRole) throws {
        var trusted = try raised.updated()
        let repository = try recovered { $0.roles[role]?.keys.append(TestKey("new")) }
        try trusted.update(root: repository.bytes(.root))
        let error = #expect(throws: TrustError.self) { try repository.updated(trusted) }
        #expect(error?.code == .rolledBack)
    }

    @Test func aKeyThatLeavesAndReturnsForgetsToo() throws {
        var trusted = try raised.updated()
        var repository = try recovered { $0.roles[.timestamp]?.keys = [TestKey("new")] }
        try trusted.update(root: repository.bytes(.root))
        repository = repository.bumping(.root)
        repository.roles[.timestamp]?.keys = [TestKey("timestamp")]
        try trusted.update(root: repository.bytes(.root))
        #expect(try repository.updated(trusted).file(.timestamp)?.version == 3)
    }

    @Test func storedFilesOfLostKeysAreNotRestored() throws {
        // A device that was stopped between the new root and the deletion of the files.
        let old = raised
        let repository = try recovered { $0.roles[.timestamp]?.keys = [TestKey("new")] }
        var trusted = try repository.trusted()
        trusted.restore(
            timestamp: old.bytes(.timestamp), snapshot: old.bytes(.snapshot),
            targets: old.bytes(.targets))
        #expect(trusted.file(.timestamp) == nil)
        #expect(trusted.file(.snapshot)?.version == 1 << 51)
        #expect(trusted.file(.targets)?.version == 1 << 50)
    }
}
