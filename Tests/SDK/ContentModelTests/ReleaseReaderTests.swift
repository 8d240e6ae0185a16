import ContentModel
import Testing

/// A release of a later or another publisher, as a device reads it.
@Suite struct ReleaseReaderTests {
    private static let hex = String(repeating: "ab", count: 32)
    private static let reference = "{\"checksum\":\"sha256:\(hex)\"}"

    private func manifest(_ members: String) throws -> ReleasedManifest {
        try ReleaseReader.manifest(Array("{\"schemaVersion\":2,\(members)}".utf8))
    }

    private func question(_ id: String, type: String = "single-choice", more: String = "") -> String
    {
        """
        {"id":"\(id)","type":"\(type)","difficulty":1,"stem":"S","correct":[0],\
        "options":[{"id":"a","text":"x"},{"id":"b","text":"y"\(more)}]}
        """
    }

    private func blueprint(_ questions: [String], head: String = "\"kind\":\"placement\"")
        -> [UInt8]
    {
        Array(
            "{\(head),\"id\":\"es\",\"title\":\"T\",\"questions\":[\(questions.joined(separator: ","))]}"
                .utf8)
    }

    private func read(
        _ kind: EagerDocument.Kind, _ bytes: [UInt8], key: String = "es"
    ) throws(ContentError) -> ReleasedDocument {
        try ReleaseReader.document(
            EagerDocument(kind: kind, key: key, checksum: Checksum(of: bytes), size: nil), bytes)
    }

    // MARK: The manifest

    @Test(arguments: [
        "../x", "e s", "", "ES/1", "\u{202E}es", "a\\u0000b", "-de",
    ])
    func anEntryWithAnOddKeyIsLeftOut(key: String) throws {
        let read = try manifest(
            "\"languages\":{\"\(key)\":{\"blueprint\":\(Self.reference)},"
                + "\"de\":{\"blueprint\":\(Self.reference)}}")
        #expect(read.manifest.languages.keys.sorted() == ["de"])
        #expect(read.unread.map(\.kind) == [.blueprint, .localization])
        #expect(read.unread.allSatisfy { $0.problem.rule == .unsafePath })
    }

    @Test func aReferenceThatCannotBeReadIsNamedAndTheRestIsRead() throws {
        let read = try manifest(
            """
            "release":7,"generatedAt":3,"languages":{"es":{"blueprint":{"checksum":"sha3:1"},
            "localization":\(Self.reference)},"fr":[]},"exams":{"de/aws":{"blueprint":{}},
            "a/b/c":{},"de/x":{"blueprint":\(Self.reference),"media":{"files":[
            {"name":"../x","checksum":"sha256:\(Self.hex)"},
            {"name":"ok.png","checksum":"sha256:\(Self.hex)"}]}}},
            "assets":{"a":{"checksum":"sha256:\(Self.hex)","class":{}},
            "b":{"checksum":"sha256:\(Self.hex)","class":"soon"}},"announcements":1
            """)
        #expect(read.manifest.release == 7)
        #expect(read.manifest.languages["es"]?.localization != nil)
        #expect(read.manifest.languages["es"]?.blueprint == nil)
        #expect(read.manifest.exams["de/x"]?.media?.files.map(\.name) == ["ok.png"])
        #expect(read.manifest.assets.mapValues(\.fetchClass) == ["b": .onDemand])
        let names = Set(read.unread.map { "\($0.kind?.rawValue ?? "files") \($0.key)" })
        #expect(
            names == [
                "blueprint es", "blueprint fr", "localization fr", "exam de/aws", "exam a/b/c",
                "files de/x", "asset a", "announcements ",
            ])
    }

    @Test func aManifestWithoutAnyReadableEntryIsRefused() throws {
        for members in ["\"languages\":{\"../x\":{}}", "\"assets\":{\"a\":1},\"exams\":{}"] {
            #expect(throws: ManifestError.self) { try manifest(members) }
        }
        #expect(try manifest("\"languages\":{}").unread.isEmpty)
    }

    @Test func theAuthorsSideStaysStrict() {
        let text =
            "{\"schemaVersion\":2,\"languages\":{\"../x\":{}},\"assets\":{\"a\":{\"class\":{}}}}"
        let error = #expect(throws: ManifestError.self) { try Manifest(Array(text.utf8)) }
        #expect(error?.code == .invalid && error?.content?.problems.count == 2)
        let bytes = blueprint([question("1"), question("2", type: "drag")])
        #expect(throws: ContentError.self) { try Blueprint(released: bytes) }
    }

    // MARK: Documents

    @Test func aQuestionThatCannotBeAskedIsLeftOutAndCounted() throws {
        let bytes = blueprint([
            question("1"), question("2", type: "drag"), question("1"), "[]",
            question("3", more: ",\"audio\":\"x.mp3\""),
            question("4").replacing("\"text\":\"y\"", with: "\"audio\":\"y.mp3\""),
        ])
        let read = try read(.blueprint, bytes)
        #expect(read.blueprint?.questions.map(\.id) == ["1", "3"])
        #expect(read.blueprint?.leftOutCount == 4)
        #expect(
            read.leftOut.map(\.rule) == [
                .invalidValue, .duplicateIdentifier, .wrongType, .optionBlank,
            ])
    }

    @Test func aDocumentWithoutAnythingReadableIsRefused() throws {
        #expect(throws: ContentError.self) {
            try read(.blueprint, blueprint([question("1", type: "drag")]))
        }
        #expect(throws: ContentError.self) {
            try read(.blueprint, blueprint([question("1")], head: "\"kind\":\"survey\""))
        }
        #expect(throws: ContentError.self) {
            try read(.blueprint, blueprint([question("1")]), key: "fr")
        }
        #expect(throws: ContentError.self) {
            try read(.localization, Array("{\"a\":{\"one\":\"x\"}}".utf8))
        }
        #expect(throws: ContentError.self) { try read(.announcements, Array("[]".utf8)) }
        let large = [UInt8](repeating: 0x20, count: ContentLimits.documentBytesMax + 1)
        let error = #expect(throws: ContentError.self) { try read(.localization, large) }
        #expect(error?.problems.map(\.rule) == [.limitExceeded])
        #expect(try read(.blueprint, blueprint([])).blueprint?.questions == [])
    }

    @Test func textsAndAnnouncementsOfALaterKindAreLeftOut() throws {
        let texts = try read(.localization, Array("{\"a\":\"x\",\"b\":{\"one\":\"y\"}}".utf8))
        #expect(texts.leftOut.count == 1)
        let known = """
            {"identifier":1,"type":"information","texts":{"en":{"title":"T","content":"C"}}}
            """
        let later = known.replacing("information", with: "hologram")
        let file = Array("{\"announcements\":[\(later),\(known)]}".utf8)
        #expect(try ReleaseReader.announcements(file).value.map(\.identifier) == [1])
        #expect(try read(.announcements, file).leftOut.map(\.rule) == [.invalidValue])
    }

    @Test func onlyAWebAddressThatIsNoLessSecureIsFollowed() {
        #expect(ReleaseReader.isUsable(contentBaseURL: "https://cdn", from: "http://a"))
        #expect(ReleaseReader.isUsable(contentBaseURL: "http://cdn", from: "http://a"))
        #expect(!ReleaseReader.isUsable(contentBaseURL: "http://cdn", from: "https://a"))
        #expect(!ReleaseReader.isUsable(contentBaseURL: "ftp://cdn", from: "https://a"))
    }
}
