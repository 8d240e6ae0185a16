import ContentModel
import Foundation
import Testing

@Suite struct TargetSearchTests {
    /// A graph of delegations, and what each role has.
    private struct Graph {
        var delegations: [String: [TestDelegation]]
        var targets: [String: [String: JSONValue]] = [:]

        var repository: TestRepository {
            var repository = TestRepository()
            repository.delegations = delegations["targets"] ?? []
            repository.targets = targets["targets"] ?? [:]
            for role in delegations.values.joined() { repository.listed[role.name + ".json"] = 1 }
            return repository
        }

        func bytes(_ role: String) -> [UInt8] {
            TestDelegation.bytes(
                targets: targets[role] ?? [:], delegations: delegations[role] ?? [],
                by: [TestKey(role)])
        }

        /// Searches, and returns the roles that were asked for and the search.
        func search(
            _ path: String, in trusted: TrustedMetadata? = nil
        ) throws -> (visited: [String], search: TargetSearch) {
            var search = try TargetSearch(
                path, in: trusted ?? repository.updated(), startedAt: TestRepository.start)
            var visited: [String] = []
            while let request = search.request {
                visited.append(request.role)
                try search.received(bytes(request.role))
            }
            return (visited, search)
        }
    }

    @Test(arguments: [
        (["targets": [TestDelegation("A")]], ["A"]),
        (["targets": [TestDelegation("A"), TestDelegation("B")]], ["A", "B"]),
        (
            [
                "targets": [TestDelegation("A"), TestDelegation("B")],
                "A": [TestDelegation("C"), TestDelegation("D")],
            ], ["A", "C", "D", "B"]
        ),
        (
            [
                "targets": [TestDelegation("A"), TestDelegation("B")],
                "A": [TestDelegation("C", isTerminating: true), TestDelegation("D")],
                "C": [TestDelegation("E")],
            ], ["A", "C", "E"]
        ),
        (
            [
                "targets": [
                    TestDelegation("A", paths: ["*.py"], isTerminating: true), TestDelegation("B"),
                ]
            ], ["B"]
        ),
        (
            [
                "targets": [TestDelegation("A"), TestDelegation("B")],
                "B": [TestDelegation("C")], "C": [TestDelegation("D")], "D": [TestDelegation("B")],
            ], ["A", "B", "C", "D"]
        ),
        (
            [
                "targets": [TestDelegation("A"), TestDelegation("B")],
                "A": [TestDelegation("C")], "B": [TestDelegation("C")],
            ], ["A", "C", "B"]
        ),
    ])
    func rolesAreVisitedInPreOrder(graph: [String: [TestDelegation]], expected: [String]) throws {
        let (visited, search) = try Graph(delegations: graph).search("missing")
        #expect(visited == expected)
        #expect(search.result == nil)
    }

    @Test func theMoreTrustedRoleWins() throws {
        let graph = Graph(
            delegations: ["targets": [TestDelegation("A"), TestDelegation("B")]],
            targets: [
                "A": ["f": TestDelegation.target("a")], "B": ["f": TestDelegation.target("b")],
            ])
        let (visited, search) = try graph.search("f")
        #expect(visited == ["A"])
        #expect(search.result?.checksum == Checksum(of: Array("a".utf8)))
    }

    @Test func everyRoleOnTheWayMustDelegateThePath() throws {
        let graph = Graph(
            delegations: [
                "targets": [TestDelegation("A", paths: ["a/*"])],
                "A": [TestDelegation("B", paths: ["*/*"])],
            ],
            targets: ["B": ["a/f": TestDelegation.target("1"), "b/f": TestDelegation.target("2")]])
        #expect(try graph.search("a/f").search.result != nil)
        let (visited, search) = try graph.search("b/f")
        #expect(visited.isEmpty && search.result == nil)
    }

    @Test func aRoleThatCannotBeVerifiedEndsTheSearch() throws {
        let graph = Graph(
            delegations: ["targets": [TestDelegation("A"), TestDelegation("B")]],
            targets: ["B": ["f": TestDelegation.target("b")]])
        var search = try TargetSearch(
            "f", in: graph.repository.updated(), startedAt: TestRepository.start)
        let forged = TestDelegation.bytes(by: [TestKey("B")])
        let error = #expect(throws: TrustError.self) { try search.received(forged) }
        #expect(error?.code == .untrusted && error?.role == "A")
        #expect(search.request == nil && search.result == nil)
        let second = #expect(throws: TrustError.self) { try search.received(graph.bytes("B")) }
        #expect(second?.code == .outOfOrder)
    }

    @Test func aRoleThatTheSnapshotDoesNotListIsNotAskedFor() throws {
        var repository = TestRepository()
        repository.delegations = [TestDelegation("A")]
        let trusted = try repository.updated()
        let error = #expect(throws: TrustError.self) {
            try TargetSearch("f", in: trusted, startedAt: TestRepository.start)
        }
        #expect(error?.code == .notFound && error?.role == "A")
    }

    @Test func aRoleOfAnotherVersionIsRefused() throws {
        let graph = Graph(delegations: ["targets": [TestDelegation("A")]])
        var search = try TargetSearch(
            "f", in: graph.repository.updated(), startedAt: TestRepository.start)
        let error = #expect(throws: TrustError.self) {
            try search.received(TestDelegation.bytes(version: 2, by: [TestKey("A")]))
        }
        #expect(error?.code == .mismatched)
    }

    @Test func aSecondSearchUsesTheCache() throws {
        let graph = Graph(
            delegations: ["targets": [TestDelegation("A")], "A": [TestDelegation("B")]])
        let first = try graph.search("f")
        #expect(first.visited == ["A", "B"])
        #expect(try graph.search("g", in: first.search.trusted).visited.isEmpty)
    }

    @Test func aCachedRoleIsVerifiedByTheDelegatorAtHand() throws {
        let foreign = [TestKey("another")]
        let graph = Graph(
            delegations: [
                "targets": [
                    TestDelegation("A", paths: ["a/*"]), TestDelegation("B", paths: ["b/*"]),
                ],
                "A": [TestDelegation("R", paths: ["a/*"])],
                "B": [TestDelegation("R", paths: ["b/*"], keys: foreign)],
            ],
            targets: ["R": ["a/f": TestDelegation.target("1"), "b/f": TestDelegation.target("2")]])
        let first = try graph.search("a/f")
        #expect(first.search.result != nil)
        let error = #expect(throws: TrustError.self) {
            try graph.search("b/f", in: first.search.trusted)
        }
        #expect(error?.code == .untrusted)
    }

    @Test func theNumberOfVisitedRolesIsBounded() throws {
        let names = (1...40).map { "r\($0)" }
        let wide = Graph(delegations: ["targets": names.map { TestDelegation($0) }])
        #expect(try wide.search("f").visited.count == TrustLimits.visitedRolesMax)
        var chain: [String: [TestDelegation]] = ["targets": [TestDelegation("r1")]]
        for (one, next) in zip(names, names.dropFirst()) { chain[one] = [TestDelegation(next)] }
        #expect(try Graph(delegations: chain).search("f").visited.count == 32)
    }

    @Test func pathsAreComparedCodePointByCodePoint() throws {
        let graph = Graph(
            delegations: [:], targets: ["targets": ["\u{E9}": TestDelegation.target("x")]])
        #expect(try graph.search("\u{E9}").search.result != nil)
        #expect(try graph.search("e\u{301}").search.result == nil)
    }

    @Test func withoutAnUpdateThereIsNoSearch() throws {
        let repository = TestRepository()
        for trusted in [try repository.trusted(), try repository.updated()] {
            let isUpdated = trusted.file(.targets) != nil
            let time = TestRepository.start.addingTimeInterval(isUpdated ? 1e9 : 0)
            let error = #expect(throws: TrustError.self) {
                try TargetSearch("f", in: trusted, startedAt: time)
            }
            #expect(error?.code == (isUpdated ? .expired : .outOfOrder))
        }
    }

    @Test func aFileIsCheckedByLengthAndHash() throws {
        let graph = Graph(
            delegations: [:],
            targets: ["targets": ["d/é f.txt": TestDelegation.target("content")]])
        let target = try #require(try graph.search("d/é f.txt").search.result)
        try target.check(Array("content".utf8), by: .sha256)
        for (content, code): (String, TrustError.Code) in [
            ("contents", .tooLarge), ("conten", .mismatched), ("Content", .mismatched),
        ] {
            let error = #expect(throws: TrustError.self) {
                try target.check(Array(content.utf8), by: .sha256)
            }
            #expect(error?.code == code)
        }
        let hash = Checksum(of: Array("content".utf8)).hex
        #expect(target.location(hasConsistentSnapshots: false, by: .sha256) == "d/%C3%A9%20f.txt")
        #expect(
            target.location(hasConsistentSnapshots: true, by: .sha256)
                == "d/\(hash).%C3%A9%20f.txt")
    }

    @Test func allKnownHashesMustMatchAndOneMustBeKnown() throws {
        let functions = HashFunctions.sha256.adding("reversed") { $0.reversed() }
        let good = Checksum(of: [1, 2]).hex
        for (hashes, isGood): ([String: String], Bool) in [
            (["sha256": good], true), (["sha256": good, "blake9": "00"], true),
            (["reversed": "0201"], true), (["sha256": good, "reversed": "0201"], true),
            (["sha256": good, "reversed": "0102"], false), (["blake9": "00"], false),
            (["sha256": good.uppercased()], false),
        ] {
            let graph = Graph(
                delegations: [:],
                targets: [
                    "targets": [
                        "f": ["length": 2, "hashes": .object(hashes.mapValues { .string($0) })]
                    ]
                ])
            let target = try #require(try graph.search("f").search.result)
            #expect(((try? target.check([1, 2], by: functions)) != nil) == isGood, "\(hashes)")
        }
    }
}
