import ContentModel
import Foundation
import Testing

@Suite struct MetadataFormatTests {
    private func code(_ role: TrustRole, _ extra: [String: JSONValue]) throws -> TrustError.Code? {
        var repository = TestRepository()
        repository.extra[role] = extra
        do {
            _ = try repository.updated()
            return nil
        } catch {
            return (error as? TrustError)?.code
        }
    }

    @Test(arguments: TrustRole.allCases)
    func whatAllRolesHaveIsChecked(role: TrustRole) throws {
        let other = role == .root ? "targets" : "root"
        for (name, value): (String, JSONValue) in [
            ("_type", .string(other)), ("_type", 1), ("_type", .null), ("spec_version", "2.0.0"),
            ("spec_version", "1"), ("spec_version", "1.0.0.0"), ("spec_version", "1.x"),
            ("spec_version", 1), ("version", 0), ("version", -1), ("version", "1"),
            ("version", true), ("version", .integer(.max)), ("version", .integer((1 << 53) + 1)),
            ("expires", 5), ("expires", .null), ("expires", "tomorrow"),
        ] {
            #expect(try code(role, [name: value]) == .invalid, "\(name) \(value)")
        }
    }

    @Test(arguments: TrustRole.allCases)
    func unknownFieldsAreSignedAndOtherwiseIgnored(role: TrustRole) throws {
        #expect(try code(role, ["x-new": ["a": [1, .null]], "custom": "\n\u{1}\"\\é"]) == nil)
        #expect(try code(role, ["x-new": ["a": .decimal(0.5)]]) == .invalid)
    }

    @Test(arguments: [
        "2027-01-01", "2027-01-01T00:00:00", "2027-01-01T00:00:00z", "2027-01-01T00:00:00+00:00",
        "2027-01-01T00:00:00.5Z", "2027-13-01T00:00:00Z", "2027-00-01T00:00:00Z",
        "2027-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2027-04-31T00:00:00Z",
        "2027-01-00T00:00:00Z", "2027-01-01T24:00:00Z", "2027-01-01T00:60:00Z",
        "2027-01-01T00:00:60Z", "+027-01-01T00:00:00Z", "0000-01-01T00:00:00Z",
        "2027-01-01 00:00:00Z", "２027-01-01T00:00:0Z", "",
    ])
    func aTimeOfAnotherFormIsRefused(text: String) throws {
        #expect(try code(.timestamp, ["expires": .string(text)]) == .invalid)
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0.0), ("2000-02-29T12:34:56Z", 951_827_696),
        ("2026-12-06T00:00:00Z", 1_796_515_200), ("2100-03-01T00:00:00Z", 4_107_542_400),
        ("9999-12-31T23:59:59Z", 253_402_300_799), ("0001-01-01T00:00:00Z", -62_135_596_800),
    ])
    func aTimeIsCountedInTheGregorianCalendar(text: String, seconds: Double) throws {
        var repository = TestRepository()
        repository.expires[.root] = text
        #expect(try repository.trusted().root.expires == Date(timeIntervalSince1970: seconds))
    }

    @Test func aRootNeedsItsKeysAndRoles() throws {
        #expect(try code(.root, ["keys": .null]) == .invalid)
        #expect(try code(.root, ["keys": []]) == .invalid)
        #expect(try code(.root, ["roles": [:]]) == .invalid)
        #expect(try code(.root, ["consistent_snapshot": "yes"]) == .invalid)
        #expect(try code(.root, ["consistent_snapshot": .null]) == nil)
        for threshold: JSONValue in [0, -1, "1", .null] {
            var repository = TestRepository()
            guard case .object(var roles)? = repository.member(.root, "roles") else { return }
            roles["targets"] = [
                "keyids": [.string(TestKey("targets").id)], "threshold": threshold,
            ]
            repository.extra[.root] = ["roles": .object(roles)]
            #expect(throws: TrustError.self) { try repository.trusted() }
        }
    }

    @Test func aListedFileNeedsAVersionAndGoodHashes() throws {
        let files: [JSONValue] = [
            [:], ["version": 0], ["version": "1"], ["version": 1, "length": -1],
            ["version": 1, "hashes": [:]], ["version": 1, "hashes": ["sha256": 5]],
            ["version": 1, "hashes": "x"], 5,
        ]
        for file in files {
            #expect(try code(.timestamp, ["meta": ["snapshot.json": file]]) == .invalid)
            #expect(try code(.snapshot, ["meta": ["targets.json": file]]) == .invalid)
        }
        #expect(try code(.timestamp, ["meta": [:]]) == .invalid)
        #expect(try code(.snapshot, ["meta": ["other.json": ["version": 1]]]) == .invalid)
    }

    @Test func hashesThatNobodyHereKnowsProveNothing() throws {
        let unknown: JSONValue = ["version": 1, "hashes": ["blake9": "00"]]
        #expect(try code(.timestamp, ["meta": ["snapshot.json": unknown]]) == .mismatched)
    }

    @Test func aTargetNeedsItsLengthAndHashes() throws {
        for target: JSONValue in [
            [:], ["length": 1], ["hashes": ["sha256": "00"]],
            ["length": -1, "hashes": ["sha256": "00"]], ["length": 1, "hashes": [:]],
        ] {
            #expect(try code(.targets, ["targets": ["a": target]]) == .invalid)
        }
    }

    @Test func aDelegationNeedsItsRoles() throws {
        let role: [String: JSONValue] = [
            "name": "a", "keyids": [], "threshold": 1, "paths": ["*"], "terminating": false,
        ]
        func delegations(_ changes: [String: JSONValue], twice: Bool = false) -> JSONValue {
            let one = JSONValue.object(role.merging(changes) { $1 })
            return ["keys": [:], "roles": .array(twice ? [one, one] : [one])]
        }
        #expect(try code(.targets, ["delegations": delegations([:])]) == nil)
        #expect(try code(.targets, ["delegations": .null]) == nil)
        #expect(try code(.targets, ["delegations": delegations(["terminating": .null])]) == nil)
        for wrong: JSONValue in [
            [:], ["keys": [:]], delegations([:], twice: true), delegations(["name": ""]),
            delegations(["name": "root"]), delegations(["name": "snapshot"]),
            delegations(["name": .null]), delegations(["threshold": 0]),
            delegations(["keyids": "a"]), delegations(["keyids": [1]]),
            delegations(["path_hash_prefixes": ["0"]]), delegations(["paths": [1]]),
            delegations(["terminating": 1]),
        ] {
            #expect(try code(.targets, ["delegations": wrong]) == .invalid)
        }
    }

    @Test(arguments: [
        "", "null", "[]", "{}", #"{"signed":{}}"#, #"{"signatures":[]}"#,
        #"{"signed":[],"signatures":[]}"#, #"{"signed":{},"signatures":{}}"#,
        #"{"signed":{"_type":"timestamp","_type":"timestamp"},"signatures":[]}"#,
        #"{"signed":{},"signed":{},"signatures":[]}"#,
        #"{"signed":{},"signatures":[{"keyid":1,"sig":""}]}"#,
        #"{"signed":{},"signatures":[{"keyid":"a"}]}"#, "<html>", "{\"signed\": \"\u{1}\"}",
    ])
    func whatIsNotMetadataIsRefused(text: String) throws {
        var trusted = try TestRepository().trusted()
        let error = #expect(throws: TrustError.self) {
            try trusted.update(timestamp: Array(text.utf8), startedAt: TestRepository.start)
        }
        #expect(error?.code == .invalid)
    }

    @Test func deepNestingIsRefused() throws {
        func nested(_ levels: Int) -> JSONValue {
            (0..<levels).reduce(.null) { value, _ in .array([value]) }
        }
        #expect(try code(.timestamp, ["x": nested(50)]) == nil)
        #expect(try code(.timestamp, ["x": nested(70)]) == .invalid)
        #expect(try code(.timestamp, ["x": nested(5000)]) == .invalid)
    }

    @Test func manyValuesAreRefused() throws {
        var trusted = try TestRepository().trusted()
        try trusted.update(
            timestamp: TestRepository().bytes(.timestamp), startedAt: TestRepository.start)
        let list = "[" + String(repeating: "1,", count: TrustLimits.valuesMax) + "1]"
        let error = #expect(throws: TrustError.self) {
            try trusted.update(
                snapshot: Array("{\"signed\":\(list)}".utf8), startedAt: TestRepository.start)
        }
        #expect(error?.code == .invalid)
        #expect(error?.message.contains("more values than are allowed") == true)
    }

    @Test func errorsNameTheirRoleAndARemedy() throws {
        let error = #expect(throws: TrustError.self) {
            try TrustedMetadata(root: [], verifiers: TestKey.verifiers)
        }
        #expect(error?.role == "root")
        #expect(error?.errorDescription == error?.description)
        #expect(error?.message.hasSuffix("Publish it again.") == true)
    }
}
