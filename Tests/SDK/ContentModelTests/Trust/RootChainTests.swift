import ContentModel
import Testing

@Suite struct RootChainTests {
    private static func root(_ version: Int, keys: [TestKey], threshold: Int) -> TestRepository {
        var repository = TestRepository()
        repository.versions[.root] = version
        repository.roles[.root] = .init(keys: keys, threshold: threshold)
        return repository
    }

    private func code(
        from old: TestRepository, to new: TestRepository, by signers: [TestKey]
    ) throws -> TrustError.Code? {
        var trusted = try old.trusted()
        do throws(TrustError) {
            try trusted.update(root: TestRepository.sign(new.body(.root), by: signers))
            #expect(trusted.root.version == new.version(.root))
            return nil
        } catch {
            #expect(trusted.root.version == old.version(.root))
            return error.code
        }
    }

    @Test func aNewRootNeedsAThresholdOfOldAndOfNewKeys() throws {
        let keys = (0..<4).map { TestKey("r\($0)") }
        let old = Self.root(1, keys: [keys[0], keys[1]], threshold: 2)
        let new = Self.root(2, keys: [keys[2], keys[3]], threshold: 1)
        for bits in 0..<16 {
            let signers = keys.indices.filter { bits & 1 << $0 != 0 }.map { keys[$0] }
            let isTrusted = bits & 3 == 3 && bits & 12 != 0
            #expect(
                try code(from: old, to: new, by: signers) == (isTrusted ? nil : .untrusted),
                "signed by \(signers.map(\.name))")
        }
    }

    @Test(arguments: [1, 3, 4])
    func onlyTheNextVersionFollows(version: Int) throws {
        let keys = [TestKey("root")]
        let new = Self.root(version, keys: keys, threshold: 1)
        #expect(
            try code(from: Self.root(2, keys: keys, threshold: 1), to: new, by: keys)
                == (version == 3 ? nil : .rolledBack))
    }

    @Test func aRootThatDoesNotSignItselfIsNoStart() {
        let repository = TestRepository()
        let bytes = TestRepository.sign(repository.body(.root), by: [TestKey("thief")])
        let error = #expect(throws: TrustError.self) {
            try TrustedMetadata(root: bytes, verifiers: TestKey.verifiers)
        }
        #expect(error?.code == .untrusted)
    }

    @Test func anExpiredRootLeadsToItsSuccessorButToNothingElse() throws {
        var repository = TestRepository()
        repository.expires[.root] = TestRepository.past
        var trusted = try repository.trusted()
        let error = #expect(throws: TrustError.self) {
            try trusted.update(
                timestamp: repository.bytes(.timestamp), startedAt: TestRepository.start)
        }
        #expect(error?.code == .expired && error?.role == "root")
        repository = repository.bumping(.root)
        repository.expires[.root] = TestRepository.later
        try trusted.update(root: repository.bytes(.root))
        #expect(
            try trusted.update(
                timestamp: repository.bytes(.timestamp), startedAt: TestRepository.start))
    }

    @Test func aHundredRotationsAreFollowedInOneUpdate() throws {
        var repository = TestRepository()
        var update = MetadataUpdate(try repository.trusted(), startedAt: TestRepository.start)
        for version in 2...101 {
            let old = repository.roles[.root]?.keys ?? []
            repository.versions[.root] = version
            repository.roles[.root] = .init(keys: [TestKey("root \(version)")])
            #expect(update.request?.path == "\(version).root.json")
            let keys = old + (repository.roles[.root]?.keys ?? [])
            try update.received(TestRepository.sign(repository.body(.root), by: keys))
        }
        try update.notFound()
        #expect(update.trusted.root.version == 101)
        #expect(update.request?.path == "timestamp.json")
    }

    @Test func theNumberOfRootsInOneUpdateIsBounded() throws {
        var repository = TestRepository()
        var update = MetadataUpdate(try repository.trusted(), startedAt: TestRepository.start)
        for _ in 0..<TrustLimits.rootsPerUpdateMax {
            #expect(update.request?.role == "root")
            repository = repository.bumping(.root)
            try update.received(repository.bytes(.root))
        }
        #expect(update.request?.role == "timestamp")
    }
}
