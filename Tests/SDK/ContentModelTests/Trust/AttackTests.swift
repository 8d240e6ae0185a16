import ContentModel
import Foundation
import Testing

/// The attacks of the specification's threat model on timestamp, snapshot and targets.
@Suite struct AttackTests {
    private let start = TestRepository.start

    /// Updates a device and returns how that failed; the device's state is unchanged where it failed.
    private func failure(
        _ trusted: TrustedMetadata, to repository: TestRepository
    ) -> TrustError? {
        do {
            _ = try repository.updated(trusted)
            return nil
        } catch {
            return error as? TrustError
        }
    }

    private func expect(
        _ code: TrustError.Code, _ role: String, _ trusted: TrustedMetadata,
        _ repository: TestRepository, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = failure(trusted, to: repository)
        #expect(error?.code == code, sourceLocation: sourceLocation)
        #expect(error?.role == role, sourceLocation: sourceLocation)
    }

    // MARK: Arbitrary software

    @Test(arguments: [TrustRole.timestamp, .snapshot, .targets])
    func aForgedFileIsRefused(role: TrustRole) throws {
        let repository = TestRepository()
        var forged = repository
        forged.roles[role]?.keys = [TestKey("thief")]
        expect(.untrusted, role.rawValue, try repository.trusted(), forged)
    }

    @Test(arguments: [TrustRole.timestamp, .snapshot, .targets], TrustRole.allCases)
    func aRoleCannotSignForAnother(role: TrustRole, other: TrustRole) throws {
        let repository = TestRepository()
        var forged = repository
        forged.roles[role]?.keys = [TestKey(other.rawValue)]
        #expect(
            failure(try repository.trusted(), to: forged)?.code
                == (role == other ? nil : .untrusted))
    }

    @Test func aFileOfAnotherRoleIsRefusedWithValidSignatures() throws {
        var repository = TestRepository()
        repository.roles[.snapshot]?.keys = [TestKey("timestamp")]
        repository.extra[.snapshot] = ["meta": ["snapshot.json": ["version": 1]]]
        var trusted = try repository.trusted()
        let error = #expect(throws: TrustError.self) {
            try trusted.update(timestamp: repository.bytes(.snapshot), startedAt: start)
        }
        #expect(error?.code == .invalid)
    }

    @Test func noByteOfAFileCanBeChanged() throws {
        let repository = TestRepository()
        let trusted = try repository.trusted()
        let bytes = repository.bytes(.timestamp)
        var accepted: [[UInt8]] = []
        for index in bytes.indices {
            for mask: UInt8 in [1, 2, 4, 8, 16, 32, 64, 128] {
                var changed = bytes
                changed[index] ^= mask
                var device = trusted
                if (try? device.update(timestamp: changed, startedAt: start)) != nil {
                    accepted.append(changed)
                }
            }
        }
        // Nothing but the case of a signature's hexadecimal digits is free.
        let digits = String(decoding: bytes, as: UTF8.self).lowercased()
        for changed in accepted {
            #expect(String(decoding: changed, as: UTF8.self).lowercased() == digits)
        }
    }

    @Test func noPrefixOfAFileIsAccepted() throws {
        let repository = TestRepository()
        let trusted = try repository.trusted()
        let bytes = repository.bytes(.timestamp)
        for count in bytes.indices {
            var device = trusted
            #expect(throws: TrustError.self) {
                try device.update(timestamp: Array(bytes[..<count]), startedAt: start)
            }
        }
    }

    // MARK: Rollback

    @Test func anOlderTimestampIsRefused() throws {
        let old = TestRepository()
        let trusted = try old.bumping(.timestamp).updated()
        expect(.rolledBack, "timestamp", trusted, old)
    }

    @Test func aTimestampOfTheSameVersionIsIgnored() throws {
        var repository = TestRepository()
        var trusted = try repository.updated()
        let bytes = trusted.file(.timestamp)?.bytes
        repository.versions[.snapshot] = 9
        #expect(
            try !trusted.update(timestamp: repository.bytes(.timestamp), startedAt: start))
        #expect(trusted.file(.timestamp)?.bytes == bytes)
    }

    @Test func aTimestampCannotNameAnOlderSnapshot() throws {
        let old = TestRepository()
        let trusted = try old.bumping(.snapshot).updated()
        expect(.rolledBack, "timestamp", trusted, old.bumping(.timestamp))
    }

    @Test func aSnapshotCannotListOlderTargets() throws {
        let old = TestRepository()
        let trusted = try old.bumping(.targets, .snapshot).updated()
        expect(
            .rolledBack, "snapshot", trusted, old.bumping(.timestamp, .snapshot, .snapshot))
    }

    @Test func aSnapshotCannotListAnOlderOrNoDelegatedRole() throws {
        var repository = TestRepository()
        repository.listed = ["a.json": 4]
        let trusted = try repository.updated()
        repository = repository.bumping(.timestamp, .snapshot)
        repository.listed = ["a.json": 3]
        expect(.rolledBack, "snapshot", trusted, repository)
        repository.listed = ["b.json": 9]
        expect(.rolledBack, "snapshot", trusted, repository)
        repository.listed = ["a.json": 4, "b.json": 1]
        #expect(failure(trusted, to: repository) == nil)
    }

    @Test func aSnapshotIsAFloorWithoutATimestampToo() throws {
        let old = TestRepository()
        let new = old.bumping(.snapshot)
        var trusted = try old.trusted()
        trusted.restore(timestamp: nil, snapshot: new.bytes(.snapshot), targets: nil)
        expect(.rolledBack, "snapshot", trusted, old)
    }

    // MARK: Freeze

    @Test(arguments: [TrustRole.timestamp, .snapshot, .targets])
    func anExpiredFileIsRefused(role: TrustRole) throws {
        var repository = TestRepository()
        let trusted = try repository.updated()
        repository = repository.bumping(.timestamp, .snapshot, .targets)
        repository.expires[role] = TestRepository.past
        expect(.expired, role.rawValue, trusted, repository)
    }

    @Test func expiryIsTheFirstMomentWithoutTrust() throws {
        var repository = TestRepository()
        repository.expires[.timestamp] = "2026-01-01T00:00:00Z"
        expect(.expired, "timestamp", try repository.trusted(), repository)
        repository.expires[.timestamp] = "2026-01-01T00:00:01Z"
        #expect(failure(try repository.trusted(), to: repository) == nil)
    }

    @Test func theSameTimestampForEverIsNoticed() throws {
        var repository = TestRepository()
        repository.expires[.timestamp] = "2026-01-15T00:00:00Z"
        var trusted = try repository.updated()
        #expect(
            try !trusted.update(
                timestamp: repository.bytes(.timestamp), startedAt: afterDays(13)))
        let error = #expect(throws: TrustError.self) {
            try trusted.update(
                timestamp: repository.bytes(.timestamp), startedAt: afterDays(14))
        }
        #expect(error?.code == .expired && error?.role == "timestamp")
    }

    @Test func anExpiredTimestampIsStillAFloor() throws {
        var repository = TestRepository()
        repository.versions[.timestamp] = 5
        repository.expires[.timestamp] = "2026-01-15T00:00:00Z"
        var trusted = try repository.updated()
        repository.expires = [:]
        repository.versions[.timestamp] = 4
        let error = #expect(throws: TrustError.self) {
            try trusted.update(
                timestamp: repository.bytes(.timestamp), startedAt: afterDays(20))
        }
        #expect(error?.code == .rolledBack)
        repository.versions[.timestamp] = 6
        #expect(
            try trusted.update(
                timestamp: repository.bytes(.timestamp), startedAt: afterDays(20)))
    }

    private func afterDays(_ days: Double) -> Date { start.addingTimeInterval(days * 86_400) }

    // MARK: Mix and match

    @Test(arguments: [TrustRole.snapshot, .targets])
    func aFileOfAnotherReleaseIsRefused(role: TrustRole) throws {
        for listsHashes in [false, true] {
            var repository = TestRepository()
            repository.listsHashes = listsHashes
            var trusted = try repository.trusted()
            let other = repository.bumping(.snapshot, .targets)
            try trusted.update(timestamp: repository.bytes(.timestamp), startedAt: start)
            if role == .targets {
                try trusted.update(snapshot: repository.bytes(.snapshot), startedAt: start)
            }
            let error = #expect(throws: TrustError.self) {
                if role == .targets {
                    try trusted.update(targets: other.bytes(.targets), startedAt: start)
                } else {
                    try trusted.update(snapshot: other.bytes(.snapshot), startedAt: start)
                }
            }
            #expect(error?.code == .mismatched && error?.role == role.rawValue)
        }
    }

    @Test(arguments: [TrustRole.snapshot, .targets])
    func anotherFileOfTheSameVersionIsRefusedByItsHash(role: TrustRole) throws {
        var repository = TestRepository()
        repository.listsHashes = true
        repository.extra[role] = ["x-note": "one"]
        var trusted = try repository.trusted()
        try trusted.update(timestamp: repository.bytes(.timestamp), startedAt: start)
        if role == .targets {
            try trusted.update(snapshot: repository.bytes(.snapshot), startedAt: start)
        }
        // Signed as well, and as long.
        repository.extra[role] = ["x-note": "two"]
        let error = #expect(throws: TrustError.self) {
            if role == .targets {
                try trusted.update(targets: repository.bytes(.targets), startedAt: start)
            } else {
                try trusted.update(snapshot: repository.bytes(.snapshot), startedAt: start)
            }
        }
        #expect(error?.code == .mismatched && error?.role == role.rawValue)
    }

    @Test func aShorterFileThanListedIsRefused() throws {
        var repository = TestRepository()
        let length = repository.bytes(.snapshot).count
        repository.extra[.timestamp] = [
            "meta": ["snapshot.json": ["version": 1, "length": .integer(length + 1)]]
        ]
        var trusted = try repository.trusted()
        try trusted.update(timestamp: repository.bytes(.timestamp), startedAt: start)
        let error = #expect(throws: TrustError.self) {
            try trusted.update(snapshot: repository.bytes(.snapshot), startedAt: start)
        }
        #expect(error?.code == .mismatched)
    }

    @Test func aSnapshotWithAnotherHashThanTheTimestampsIsNoBasisForTargets() throws {
        var repository = TestRepository()
        repository.listsHashes = true
        var trusted = try repository.updated()
        repository = repository.bumping(.timestamp)
        repository.extra[.snapshot] = ["x-note": "one"]
        try trusted.update(timestamp: repository.bytes(.timestamp), startedAt: start)
        #expect(throws: TrustError.self) {
            try trusted.update(targets: repository.bytes(.targets), startedAt: start)
        }
        try trusted.update(snapshot: repository.bytes(.snapshot), startedAt: start)
        try trusted.update(targets: repository.bytes(.targets), startedAt: start)
    }

    // MARK: Endless data

    @Test(arguments: [
        (TrustRole.root, TrustLimits.rootBytesMax),
        (.timestamp, TrustLimits.timestampBytesMax),
        (.snapshot, TrustLimits.snapshotBytesMax),
        (.targets, TrustLimits.targetsBytesMax),
    ])
    func moreBytesThanTheLimitAreNotParsed(role: TrustRole, limit: Int) throws {
        var trusted = try TestRepository().updated()
        let bytes = [UInt8](repeating: 0x20, count: limit + 1)
        let error = #expect(throws: TrustError.self) {
            switch role {
            case .root: try trusted.update(root: bytes)
            case .timestamp: try trusted.update(timestamp: bytes, startedAt: start)
            case .snapshot: try trusted.update(snapshot: bytes, startedAt: start)
            case .targets: try trusted.update(targets: bytes, startedAt: start)
            }
        }
        #expect(error?.code == .tooLarge && error?.role == role.rawValue)
    }

    @Test func aRequestIsBoundedByTheListedLengthAndByTheLimit() throws {
        for length in [10, 1 << 40] {
            var repository = TestRepository()
            repository.extra[.timestamp] = [
                "meta": ["snapshot.json": ["version": 1, "length": .integer(length)]]
            ]
            var update = MetadataUpdate(try repository.trusted(), startedAt: start)
            #expect(update.request?.bytesMax == TrustLimits.rootBytesMax)
            try update.notFound()
            #expect(update.request?.bytesMax == TrustLimits.timestampBytesMax)
            try update.received(repository.bytes(.timestamp))
            #expect(update.request?.bytesMax == min(length, TrustLimits.snapshotBytesMax))
        }
    }

    // MARK: Order

    @Test func noStepCanBeSkipped() throws {
        let repository = TestRepository()
        var trusted = try repository.trusted()
        let first = #expect(throws: TrustError.self) {
            try trusted.update(snapshot: repository.bytes(.snapshot), startedAt: start)
        }
        #expect(first?.code == .outOfOrder)
        let second = #expect(throws: TrustError.self) {
            try trusted.update(targets: repository.bytes(.targets), startedAt: start)
        }
        #expect(second?.code == .outOfOrder)
        try trusted.update(timestamp: repository.bytes(.timestamp), startedAt: start)
        let third = #expect(throws: TrustError.self) {
            try trusted.update(targets: repository.bytes(.targets), startedAt: start)
        }
        #expect(third?.code == .outOfOrder)
    }

    @Test func aSnapshotThatIsNotTheTimestampsIsNoBasisForTargets() throws {
        let repository = TestRepository()
        var trusted = try repository.updated()
        let next = repository.bumping(.timestamp, .snapshot)
        try trusted.update(timestamp: next.bytes(.timestamp), startedAt: start)
        let error = #expect(throws: TrustError.self) {
            try trusted.update(targets: next.bytes(.targets), startedAt: start)
        }
        #expect(error?.code == .outOfOrder)
    }
}
