import ContentModel
import Testing

@Suite struct MetadataUpdateTests {
    /// Answers the requests of an update from a repository; returns the paths that were asked for.
    private func run(
        _ update: inout MetadataUpdate, on repository: TestRepository
    ) throws -> [String] {
        var paths: [String] = []
        while let request = update.request {
            paths.append(request.path)
            guard request.role != "root" else {
                try update.notFound()
                continue
            }
            try update.received(repository.bytes(try #require(TrustRole(rawValue: request.role))))
        }
        return paths
    }

    @Test func aFirstUpdateAsksForEveryRoleInOrder() throws {
        var repository = TestRepository()
        repository.versions = [.root: 4, .timestamp: 9, .snapshot: 8, .targets: 7]
        var update = MetadataUpdate(try repository.trusted(), startedAt: TestRepository.start)
        #expect(
            try run(&update, on: repository)
                == ["5.root.json", "timestamp.json", "8.snapshot.json", "7.targets.json"])
        #expect(TrustRole.allCases.map { update.trusted.file($0)?.version } == [4, 9, 8, 7])
    }

    @Test func withoutConsistentSnapshotsNamesHaveNoVersions() throws {
        var repository = TestRepository()
        repository.isConsistent = false
        var update = MetadataUpdate(try repository.trusted(), startedAt: TestRepository.start)
        #expect(
            try run(&update, on: repository)
                == ["2.root.json", "timestamp.json", "snapshot.json", "targets.json"])
    }

    @Test func receivedBytesAreKept() throws {
        let repository = TestRepository()
        var update = MetadataUpdate(try repository.trusted(), startedAt: TestRepository.start)
        try update.notFound()
        let bytes = repository.bytes(.timestamp) + Array(" \n".utf8)
        try update.received(bytes)
        #expect(update.trusted.file(.timestamp)?.bytes == bytes)
    }

    @Test func aSecondUpdateAsksForNothingThatItHas() throws {
        var repository = TestRepository()
        repository.listsHashes = true
        var update = MetadataUpdate(try repository.updated(), startedAt: TestRepository.start)
        #expect(try run(&update, on: repository) == ["2.root.json", "timestamp.json"])
        repository = repository.bumping(.timestamp)
        update = MetadataUpdate(update.trusted, startedAt: TestRepository.start)
        #expect(try run(&update, on: repository) == ["2.root.json", "timestamp.json"])
        repository = repository.bumping(.timestamp, .snapshot)
        update = MetadataUpdate(update.trusted, startedAt: TestRepository.start)
        #expect(
            try run(&update, on: repository)
                == ["2.root.json", "timestamp.json", "2.snapshot.json"])
    }

    @Test func anInterruptedUpdateGoesOnWhereItStopped() throws {
        let repository = TestRepository()
        let next = repository.bumping(.timestamp, .snapshot, .targets)
        var update = MetadataUpdate(try repository.updated(), startedAt: TestRepository.start)
        try update.notFound()
        try update.received(next.bytes(.timestamp))
        let error = #expect(throws: TrustError.self) { try update.notFound() }
        #expect(error == TrustError(.notFound, role: "snapshot", error?.message ?? ""))
        #expect(update.request == nil)
        #expect(update.trusted.file(.timestamp)?.version == 2)
        #expect(update.trusted.file(.snapshot)?.version == 1)
        update = MetadataUpdate(update.trusted, startedAt: TestRepository.start)
        #expect(
            try run(&update, on: next)
                == ["2.root.json", "timestamp.json", "2.snapshot.json", "2.targets.json"])
    }

    @Test func anErrorEndsTheUpdateAndChangesNothing() throws {
        let repository = TestRepository()
        var update = MetadataUpdate(try repository.updated(), startedAt: TestRepository.start)
        try update.notFound()
        #expect(throws: TrustError.self) { try update.received([]) }
        #expect(update.request == nil)
        #expect(update.trusted.file(.timestamp)?.bytes == repository.bytes(.timestamp))
        let error = #expect(throws: TrustError.self) { try update.received([]) }
        #expect(error?.code == .outOfOrder)
    }

    @Test func aRaisedThresholdFetchesAgainWhatTooFewHaveSigned() throws {
        var repository = TestRepository()
        let trusted = try repository.updated()
        repository = repository.bumping(.root)
        repository.roles[.targets] = .init(
            keys: [TestKey("targets"), TestKey("second")], threshold: 2)
        var update = MetadataUpdate(trusted, startedAt: TestRepository.start)
        try update.received(repository.bytes(.root))
        #expect(
            try run(&update, on: repository) == ["3.root.json", "timestamp.json", "1.targets.json"])
    }

    @Test func anExpiredNewestRootEndsTheUpdateBehindIt() throws {
        var repository = TestRepository()
        var update = MetadataUpdate(try repository.updated(), startedAt: TestRepository.start)
        repository = repository.bumping(.root)
        repository.expires[.root] = TestRepository.past
        try update.received(repository.bytes(.root))
        let error = #expect(throws: TrustError.self) { try update.notFound() }
        #expect(error?.code == .expired)
        #expect(update.trusted.root.version == 2)
        #expect(update.trusted.file(.timestamp)?.version == 1)
    }

    @Test func whatIsRestoredMustBeSignedAndMayBeExpired() throws {
        var repository = TestRepository()
        repository.expires = [.timestamp: TestRepository.past, .targets: TestRepository.past]
        var forged = repository
        forged.roles[.snapshot]?.keys = [TestKey("thief")]
        var trusted = try repository.trusted()
        trusted.restore(
            timestamp: repository.bytes(.timestamp), snapshot: forged.bytes(.snapshot),
            targets: repository.bytes(.targets))
        #expect(trusted.file(.timestamp)?.version == 1)
        #expect(trusted.file(.snapshot) == nil)
        #expect(trusted.file(.targets)?.version == 1)
    }

    @Test func anOldBundleDoesNotReplaceWhatIsTrusted() throws {
        let old = TestRepository()
        var trusted = try old.bumping(.timestamp, .snapshot, .targets).updated()
        trusted.restore(
            timestamp: old.bytes(.timestamp), snapshot: old.bytes(.snapshot),
            targets: old.bytes(.targets))
        #expect(TrustRole.allCases.map { trusted.file($0)?.version } == [1, 2, 2, 2])
    }

    @Test(arguments: [
        ("a", "7.a.json"), ("?", "7.%3F.json"), ("#", "7.%23.json"), ("/a", "7.%2Fa.json"),
        ("../a", "7...%2Fa.json"), ("é b%", "7.%C3%A9%20b%25.json"), ("A-z_0.~", "7.A-z_0.~.json"),
    ])
    func roleNamesAreEncodedInPaths(role: String, path: String) throws {
        var repository = TestRepository()
        repository.delegations = [TestDelegation(role)]
        repository.listed = [role + ".json": 7]
        let search = try TargetSearch(
            "x", in: repository.updated(), startedAt: TestRepository.start)
        #expect(search.request?.path == path)
    }
}
