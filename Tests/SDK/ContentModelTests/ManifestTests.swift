import ContentModel
import Testing

@Suite struct ManifestTests {
    private static let hex = String(repeating: "ab", count: 32)

    private func read(_ text: String) throws(ManifestError) -> Manifest {
        try Manifest(Array(text.utf8))
    }

    private func refusal(_ text: String) -> ContentError? {
        #expect(throws: ManifestError.self, performing: { try read(text) })?.content
    }

    @Test func theOriginalShapeIsRead() throws {
        let manifest = try read(
            """
            {"schemaVersion": 1, "contentBaseUrl": "https://host/content", "languages": {"es": {
              "blueprint": {"version": "1.0.1", "checksum": "sha256:\(Self.hex)"},
              "audio": {"version": "1.0.0", "files": [
                {"name": "hola.mp3", "checksum": "sha256:\(Self.hex)"}]}}}}
            """)
        #expect(manifest.release == 0)
        #expect(manifest.contentBaseURL == "https://host/content")
        #expect(manifest.languages["es"]?.blueprint?.version == "1.0.1")
        #expect(manifest.languages["es"]?.blueprint?.size == nil)
        #expect(manifest.languages["es"]?.audio?.files.first?.name == "hola.mp3")
    }

    @Test func writtenAndReadBackIsTheSame() throws {
        let checksum = Checksum(of: [1])
        let reference = ContentReference(version: "1", checksum: checksum, size: 9)
        let files = FileList(files: [FileReference(name: "a/b.m4a", checksum: checksum, size: 0)])
        let manifest = Manifest(
            release: 17, generatedAt: "2026-11-21T10:00:00Z", contentBaseURL: "https://host",
            languages: ["es": .init(blueprint: reference, localization: reference, audio: files)],
            exams: ["de/aws": .init(contentUpdatedAt: "now", blueprint: reference, media: files)],
            assets: ["a/b.json": .init(checksum: checksum, size: 3, fetchClass: .onDemand)],
            announcements: reference,
            rollout: Rollout(
                since: 17, percent: 5, isPaused: true, minimumAppVersion: "2.1",
                maximumAppVersion: "3", previous: .init(release: 16, manifest: checksum, size: 9)))
        #expect(try Manifest(manifest.canonicalBytes) == manifest)
        #expect(try Manifest(manifest.canonicalBytes).canonicalBytes == manifest.canonicalBytes)
    }

    @Test func unknownFieldsAreIgnored() throws {
        let manifest = try read(
            """
            {"schemaVersion": 2, "release": 3, "future": {"x": [1]}, "languages": {"es": {"new": 1}},
             "assets": {"a": {"checksum": "sha256:\(Self.hex)", "class": "soon", "x": 1}}}
            """)
        #expect(manifest.languages["es"] == LanguageEntry())
        #expect(manifest.assets["a"]?.fetchClass == .onDemand)
    }

    @Test func aNewerSchemaIsRefusedWithAdvice() {
        let error = #expect(throws: ManifestError.self) { try read("{\"schemaVersion\": 3}") }
        #expect(error == .unsupportedSchema(3))
        #expect(error?.description.contains("update the app") == true)
    }

    @Test(arguments: [
        "", "not json", "{\"schemaVersion\": 2", "[]", "{}", "{\"schemaVersion\": 0}",
    ])
    func whatIsNoManifestIsRefused(text: String) {
        #expect(refusal(text) != nil)
    }

    @Test(arguments: [
        (#"{"schemaVersion":"2"}"#, Rule.wrongType),
        (#"{"schemaVersion":2,"release":-1}"#, .invalidValue),
        (#"{"schemaVersion":2,"release":1.5}"#, .wrongType),
        (#"{"schemaVersion":2,"languages":[]}"#, .wrongType),
        (#"{"schemaVersion":2,"release":1,"release":2}"#, .duplicateField),
        (#"{"schemaVersion":2,"languages":{"es":{"blueprint":{}}}}"#, .missingField),
        (
            #"{"schemaVersion":2,"languages":{"es":{"blueprint":{"checksum":"sha256:x"}}}}"#,
            .invalidValue
        ),
        (#"{"schemaVersion":2,"languages":{"../x":{}}}"#, .unsafePath),
        (#"{"schemaVersion":2,"exams":{"a/b/c":{}}}"#, .unsafePath),
        (#"{"schemaVersion":2,"assets":{"/etc/passwd":{}}}"#, .unsafePath),
    ])
    func whatDoesNotFitIsRefused(text: String, rule: Rule) {
        #expect(refusal(text)?.problems.map(\.rule) == [rule])
    }

    @Test(arguments: [
        ("-1", Rule.invalidValue), ("9007199254740993", .invalidValue),
        ("99999999999999999999", .wrongType), ("268435457", .limitExceeded), ("true", .wrongType),
    ])
    func sizesAreBounded(size: String, rule: Rule) {
        let text = """
            {"schemaVersion":2,"assets":{"a":{"checksum":"sha256:\(Self.hex)","size":\(size)}}}
            """
        #expect(refusal(text)?.problems.map(\.rule) == [rule])
    }

    @Test(arguments: ["../../etc/passwd", "/etc/passwd", "a/../../b", "a\\\\b", ""])
    func fileNamesThatClimbOutAreRefused(name: String) {
        let text = """
            {"schemaVersion":2,"languages":{"es":{"audio":{"files":[
            {"name":"\(name)","checksum":"sha256:\(Self.hex)"}]}}}}
            """
        #expect(refusal(text)?.problems.map(\.rule) == [.unsafePath])
    }

    @Test func aManifestAboveTheLimitIsNotEvenParsed() {
        let bytes = [UInt8](repeating: 0x20, count: ContentLimits.manifestBytesMax + 1)
        #expect(throws: ManifestError.tooLarge) { try Manifest(bytes) }
    }
}
