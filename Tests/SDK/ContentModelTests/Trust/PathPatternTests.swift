import ContentModel
import Testing

/// Patterns as delegations use them: the role is asked exactly when the path matches.
@Suite struct PathPatternTests {
    private func matches(_ pattern: String, _ path: String) throws -> Bool {
        var repository = TestRepository()
        repository.delegations = [TestDelegation("a", paths: [pattern])]
        repository.listed = ["a.json": 1]
        let search = try TargetSearch(
            path, in: repository.updated(), startedAt: TestRepository.start)
        return search.request != nil
    }

    @Test(arguments: [
        ("targets/*.tgz", "targets/foo.tgz", true), ("targets/*.tgz", "targets/foo.txt", false),
        ("foo-version-?.tgz", "foo-version-2.tgz", true),
        ("foo-version-?.tgz", "foo-version-a.tgz", true),
        ("foo-version-?.tgz", "foo-version-alpha.tgz", false), ("*.tgz", "foo.tgz", true),
        ("*.tgz", "targets/foo.tgz", false), ("foo.tgz", "foo.tgz", true),
        ("foo.tgz", "bar.tgz", false), ("*.md", "README.MD", false),
    ])
    func theExamplesOfTheSpecificationHold(pattern: String, path: String, expected: Bool) throws {
        #expect(try matches(pattern, path) == expected)
    }

    @Test(arguments: [
        ("*", "", true), ("*", "a", true), ("*", "a/b", false), ("*/*", "a/b", true),
        ("?", "", false), ("?", "é", true), ("?", "/", false), ("a*b*c", "aXbYbZc", true),
        ("a*b*c", "aXbYbZ", false), ("**", "ab", true), ("a**", "b", false), ("", "", true),
        ("", "a", false), ("a/", "a/", true), ("a/", "a", false), ("*a", "aaab", false),
        ("[ab]c", "bc", true), ("[ab]c", "cc", false), ("[a-c]", "b", true),
        ("[!a-c]", "b", false), ("[!a-c]", "d", true), ("[]]", "]", true), ("[", "[", true),
        ("[a", "[a", true), ("[a-]", "-", true), ("[z-a]", "m", false), ("x[", "x[", true),
        ("[/]", "/", false), ("\u{E9}", "e\u{301}", false), ("*", ".hidden", true),
    ])
    func wildcardsStayInTheirPart(pattern: String, path: String, expected: Bool) throws {
        #expect(try matches(pattern, path) == expected, "\(pattern) against \(path)")
    }

    @Test func aPatternOfManyStarsIsJudgedAtOnce() throws {
        let stars = String(repeating: "a*", count: 400) + "b"
        #expect(try !matches(stars, String(repeating: "a", count: 1000)))
        #expect(try !matches("*", String(repeating: "a", count: TrustLimits.pathPartMax + 1)))
    }

    @Test func hashPrefixesCoverThePathsWithThatHash() throws {
        let hash = Checksum(of: Array("some/path".utf8)).hex
        for (prefixes, expected) in [
            ([String(hash.prefix(2))], true), ([hash], true),
            (["zz", String(hash.prefix(5))], true), ([hash + "0"], false), ([], false),
            ([String(hash.prefix(2)) + "x"], false),
        ] {
            var repository = TestRepository()
            repository.delegations = [TestDelegation("a", paths: nil, prefixes: prefixes)]
            repository.listed = ["a.json": 1]
            let search = try TargetSearch(
                "some/path", in: repository.updated(), startedAt: TestRepository.start)
            #expect((search.request != nil) == expected, "\(prefixes)")
        }
    }
}
