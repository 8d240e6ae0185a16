import ContentModel
import Testing

@Suite struct ThresholdTests {
    private let keys = (1...5).map { TestKey("author\($0)") }

    /// A repository whose targets need three of five authors.
    private var repository: TestRepository {
        var repository = TestRepository()
        repository.roles[.targets] = .init(keys: keys, threshold: 3)
        return repository
    }

    private func accepts(
        _ repository: TestRepository, signedBy signers: [TestKey]
    ) throws -> Bool {
        var trusted = try repository.trusted()
        try trusted.update(
            timestamp: repository.bytes(.timestamp), startedAt: TestRepository.start)
        try trusted.update(
            snapshot: repository.bytes(.snapshot), startedAt: TestRepository.start)
        let bytes = TestRepository.sign(repository.body(.targets), by: signers)
        do throws(TrustError) {
            try trusted.update(targets: bytes, startedAt: TestRepository.start)
            return true
        } catch {
            #expect(error.code == .untrusted && error.role == "targets")
            return false
        }
    }

    @Test func everySubsetOfKeysCountsItsKeys() throws {
        let foreign = [TestKey("thief"), TestKey("root")]
        for bits in 0..<32 {
            let signers = keys.indices.filter { bits & 1 << $0 != 0 }.map { keys[$0] }
            #expect(
                try accepts(repository, signedBy: signers + foreign) == (signers.count >= 3),
                "signed by \(signers.map(\.name))")
        }
    }

    @Test func aThresholdAboveTheNumberOfKeysIsNeverReached() throws {
        var repository = repository
        repository.roles[.targets]?.threshold = 6
        #expect(try !accepts(repository, signedBy: keys))
    }

    @Test func aKeyThatIsListedUnderTwoIDsCountsOnce() throws {
        var repository = TestRepository()
        let twice = [TestKey("one"), TestKey("one", note: "another id")]
        #expect(twice[0].id != twice[1].id)
        repository.roles[.targets] = .init(keys: twice, threshold: 2)
        #expect(try !accepts(repository, signedBy: twice))
        repository.roles[.targets]?.keys.append(TestKey("two"))
        #expect(try accepts(repository, signedBy: twice + [TestKey("two")]))
    }

    @Test func twoSignaturesOfOneKeyAreRefused() throws {
        let repository = TestRepository()
        let bytes = TestRepository.sign(
            repository.body(.timestamp), by: [TestKey("timestamp"), TestKey("timestamp")])
        var trusted = try repository.trusted()
        let error = #expect(throws: TrustError.self) {
            try trusted.update(timestamp: bytes, startedAt: TestRepository.start)
        }
        #expect(error?.code == .invalid)
    }

    @Test func aSignatureOfAnUnknownSchemeIsNone() throws {
        var repository = TestRepository()
        let unknown = TestKey("quantum", scheme: "ml-dsa")
        repository.roles[.targets] = .init(keys: [unknown])
        #expect(try !accepts(repository, signedBy: [unknown]))
        repository.roles[.targets] = .init(keys: [unknown, TestKey("one")])
        #expect(try accepts(repository, signedBy: [unknown, TestKey("one")]))
    }

    @Test(arguments: ["", "zz", "0", "00", "é"])
    func aSignatureThatIsNoneDoesNotDisturbTheOthers(text: String) throws {
        var repository = TestRepository()
        repository.roles[.timestamp] = .init(keys: [TestKey("one"), TestKey("two")])
        let body = repository.body(.timestamp)
        let message = body.olpcCanonicalBytes() ?? []
        let file: JSONValue = [
            "signed": body,
            "signatures": [
                ["keyid": .string(TestKey("one").id), "sig": .string(text)],
                TestKey("two").signature(message),
            ],
        ]
        var trusted = try repository.trusted()
        #expect(
            try trusted.update(timestamp: file.canonicalBytes, startedAt: TestRepository.start))
    }

    @Test func aKeyUnderAWrongIDSignsNothing() throws {
        var repository = TestRepository()
        let key = TestKey("one")
        let wrongID = String(repeating: "a", count: 64)
        var roles = TrustRole.allCases.reduce(into: [String: JSONValue]()) {
            $0[$1.rawValue] = repository.roles[$1]?.object
        }
        roles["targets"] = ["keyids": [.string(wrongID)], "threshold": 1]
        guard case .object(var keys) = repository.member(.root, "keys") else {
            Issue.record("no keys")
            return
        }
        keys[wrongID] = key.object
        repository.extra[.root] = ["keys": .object(keys), "roles": .object(roles)]
        var trusted = try repository.trusted()
        try trusted.update(
            timestamp: repository.bytes(.timestamp), startedAt: TestRepository.start)
        try trusted.update(
            snapshot: repository.bytes(.snapshot), startedAt: TestRepository.start)
        let body = repository.body(.targets)
        let signature: JSONValue = [
            "keyid": .string(wrongID),
            "sig": .string(Checksum(of: key.bytes + (body.olpcCanonicalBytes() ?? [])).hex),
        ]
        let file: JSONValue = ["signed": body, "signatures": [signature]]
        let error = #expect(throws: TrustError.self) {
            try trusted.update(targets: file.canonicalBytes, startedAt: TestRepository.start)
        }
        #expect(error?.code == .untrusted)
    }

    @Test func aRoleThatNamesAKeyTwiceIsRefused() {
        var repository = TestRepository()
        repository.roles[.snapshot] = .init(keys: [TestKey("one"), TestKey("one")], threshold: 2)
        let error = #expect(throws: TrustError.self) { try repository.trusted() }
        #expect(error?.code == .invalid)
    }
}

extension TestRepository {
    /// A member of a role's signed object.
    func member(_ role: TrustRole, _ name: String) -> JSONValue? {
        guard case .object(let members) = body(role) else { return nil }
        return members[name]
    }
}
