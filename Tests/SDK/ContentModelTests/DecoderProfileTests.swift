import Testing

@testable import ContentModel

/// The file of a profile, and the reader restricted to it.
@Suite struct DecoderProfileTests {
    private let current = DecoderProfile.current(appVersion: "2.0")

    // MARK: The file

    @Test func aProfileIsReadAsItWasWritten() throws {
        #expect(try DecoderProfile(Array(current.text.utf8)) == current)
        #expect(try DecoderProfile(current.json.canonicalBytes) == current)
        #expect(!current.isRestricting)
        #expect(current.names["questionTypes"] == Set(QuestionType.allCases.map(\.rawValue)))
        #expect(current.fields["option"]?.contains("feedback") == true)
        #expect(current.limits["documentBytes"] == ContentLimits.documentBytesMax)
    }

    @Test func whatAProfileDoesNotMentionIsNotRestricted() throws {
        let text =
            "{\"format\": 1, \"app\": \"1.0\", \"names\": {\"questionTypes\": [\"ordering\"]}}"
        let profile = try DecoderProfile(Array(text.utf8))
        #expect(profile.knows("ordering", in: .questionTypes))
        #expect(!profile.knows("single-choice", in: .questionTypes))
        #expect(profile.knows("eager", in: .assetClasses) && profile.knows("any", of: .question))
        #expect(profile.limit(.options) == ContentLimits.optionsMax)
        #expect(profile.isRestricting)
        #expect(!DecoderProfile(appVersion: "1.0").isRestricting)
    }

    /// A profile of a later version of Underway, read by this one.
    @Test func namesOfALaterVersionDoNoHarm() throws {
        var later = current
        later.names["questionTypes"]?.insert("essay")
        later.names["hintTypes"] = ["text"]
        later.fields["hint"] = ["text"]
        later.limits["options"] = 1_000
        later.limits["hints"] = 3
        var text = later.text
        text.replace("\"format\": 1", with: "\"channel\": {\"name\": 1}, \"format\": 1")
        let read = try DecoderProfile(Array(text.utf8))
        #expect(read == later && !read.isRestricting)
        #expect(read.limit(.options) == ContentLimits.optionsMax)
    }

    @Test(arguments: [
        ("{", Rule.syntax, 1), ("[]", .wrongType, 1), ("{}", .missingField, 1),
        ("{\"format\": 2, \"app\": \"1\"}", .invalidValue, 1),
        ("{\"format\": 0, \"app\": \"1\"}", .invalidValue, 1),
        ("{\"format\": 1}", .missingField, 1),
        ("{\n\"format\": 1,\n\"app\": \"\"}", .invalidValue, 3),
        ("{\"format\": 1,\n\"app\": \"1.\\u001b[31m\"}", .invalidValue, 2),
        ("{\"format\": 1,\n\"app\": 1}", .wrongType, 2),
        ("{\"format\": 1, \"app\": \"1\",\n\"names\": []}", .wrongType, 2),
        ("{\"format\": 1, \"app\": \"1\",\n\"names\": {\"questionTypes\": \"x\"}}", .wrongType, 2),
        ("{\"format\": 1, \"app\": \"1\",\n\"fields\": {\"option\": [1]}}", .wrongType, 2),
        ("{\"format\": 1, \"app\": \"1\",\n\"limits\": {\"options\": -1}}", .wrongType, 2),
    ])
    func aFileThatIsNoProfileIsNamedWithItsPlace(text: String, rule: Rule, line: Int) {
        let error = #expect(throws: ContentError.self) {
            try DecoderProfile(Array(text.utf8), file: "profiles/1.json")
        }
        #expect(error?.problems.first?.rule == rule)
        #expect(error?.problems.first?.position.line == line)
        #expect(error?.problems.first?.file == "profiles/1.json")
    }

    @Test func aLaterFormatAsksForAnUpdate() {
        let error = #expect(throws: ContentError.self) {
            try DecoderProfile(Array("{\"format\": 2}".utf8))
        }
        #expect(error?.problems.map(\.hint) == ["Update Underway."])
    }

    @Test func aFileIsBoundedBeforeItIsParsed() {
        let padding = String(repeating: " ", count: DecoderProfile.bytesMax)
        let error = #expect(throws: ContentError.self) {
            try DecoderProfile(Array((current.text + padding).utf8))
        }
        #expect(error?.problems.map(\.rule) == [.limitExceeded])
        let many = Array(repeating: "0", count: 10_000).joined(separator: ",")
        let values = #expect(throws: ContentError.self) {
            try DecoderProfile(
                Array("{\"format\":1,\"app\":\"1\",\"x\":[\(many)]}".utf8))
        }
        #expect(values?.problems.map(\.rule) == [.syntax])
    }

    @Test func differencesAreNamed() {
        var older = current
        older.appVersion = "1.0"
        older.names["questionTypes"]?.remove("ordering")
        older.fields["option"]?.insert("sound")
        older.limits["options"] = 32
        #expect(
            current.differences(from: older) == [
                "the app is 2.0, not 1.0", "questionTypes has ordering now", "option had sound",
                "options is 64, and was 32",
            ])
        #expect(current.differences(from: current).isEmpty)
    }

    // MARK: The restricted reader

    private func judge(
        _ kind: EagerDocument.Kind, _ key: String, _ text: String, _ profile: DecoderProfile
    ) throws(ContentError) -> ReleasedDocument {
        let bytes = Array(text.utf8)
        return try ReleaseReader.document(
            EagerDocument(kind: kind, key: key, checksum: Checksum(of: bytes), size: nil), bytes,
            profile: profile)
    }

    @Test func aQuestionOfALaterTypeIsLeftOut() throws {
        var profile = current
        profile.names["questionTypes"]?.remove("ordering")
        let read = try judge(.exam, "de/x", FullRelease.exam, profile)
        #expect(read.blueprint?.questions.map(\.id) == ["s", "m", "c", "n1", "n2", "n3"])
        #expect(read.blueprint?.leftOutCount == 1)
        #expect(read.leftOut.map(\.rule) == [.invalidValue])
        #expect(
            read.leftOut.first?.message
                == "\"type\" must be one of single-choice, multi-choice, code-snippet,"
                + " numeric-entry, not \"ordering\"")
        #expect(read.ignored.isEmpty)
    }

    @Test func aBankWithNothingReadableIsRefused() {
        var profile = current
        profile.names["questionTypes"] = ["essay"]
        let error = #expect(throws: ContentError.self) {
            try judge(.exam, "de/x", FullRelease.exam, profile)
        }
        #expect(error?.problems.count == 7)
    }

    /// Without its field the number is compared exactly: the reader does what the older one did.
    @Test func aFieldOfALaterVersionIsIgnored() throws {
        var profile = current
        profile.fields["number"]?.remove("relativeTolerance")
        let read = try judge(.exam, "de/x", FullRelease.exam, profile)
        #expect(read.leftOut.isEmpty && read.blueprint?.leftOutCount == 0)
        #expect(read.ignored.map(\.field) == ["relativeTolerance"])
        #expect(read.ignored.map(\.shape) == [.number])
        let number = read.blueprint?.questions.first { $0.id == "n2" }?.correctNumber
        #expect(
            number == DecimalNumber("2").map { NumericKey(.value($0, .absolute(0)), unit: nil) })
    }

    /// A key of a later form: a range is no value.
    @Test func aKeyOfALaterFormLeavesItsQuestionOut() throws {
        var profile = current
        profile.fields["number"]?.subtract(["from", "to"])
        let read = try judge(.exam, "de/x", FullRelease.exam, profile)
        #expect(read.leftOut.map(\.rule) == [.missingField])
        #expect(read.blueprint?.questions.contains { $0.id == "n3" } == false)
        // What belongs to a part that is left out is not named besides.
        #expect(read.ignored.isEmpty)
    }

    @Test func theReaderOfThisVersionIgnoresNothing() throws {
        let read = try judge(
            .exam, "de/x",
            FullRelease.exam.replacing("\"shuffle\"", with: "\"later\":1,\"shuffle\""),
            current)
        #expect(read.leftOut.isEmpty && read.ignored.isEmpty)
    }

    @Test func anAnnouncementForOtherVersionsDoesNotMatter() throws {
        var profile = DecoderProfile(appVersion: "1.9", names: ["announcementTypes": []])
        let text = """
            {"announcements": [{"identifier": 1, "type": "information", "texts": {},
            "minimumAppVersion": "1.10"}]}
            """
        #expect(try judge(.announcements, "", text, profile).leftOut.isEmpty)
        let others = text.replacing("minimumAppVersion", with: "maximumAppVersion")
        #expect(try judge(.announcements, "", others, profile).leftOut.count == 1)
        profile.appVersion = "1.11"
        #expect(try judge(.announcements, "", text, profile).leftOut.count == 1)
        #expect(try judge(.announcements, "", others, profile).leftOut.isEmpty)
        // A version that does not know the field shows the announcement to everybody.
        profile.appVersion = "1.9"
        profile.fields["announcement"] = ["identifier", "type", "texts"]
        #expect(try judge(.announcements, "", text, profile).leftOut.count == 1)
    }

    @Test func aManifestOfALaterSchemaIsRefused() {
        var profile = current
        profile.limits["manifestSchema"] = 1
        let error = #expect(throws: ManifestError.self) {
            try ReleaseReader.manifest(Array(FullRelease.manifest.utf8), profile: profile)
        }
        #expect(error?.code == .unsupportedSchema)
    }

    @Test func anAssetOfALaterClassIsFetchedOnDemand() throws {
        var profile = current
        profile.names["assetClasses"]?.remove("prefetch")
        let read = try ReleaseReader.manifest(
            Array(FullRelease.manifest.utf8), profile: profile)
        #expect(read.manifest.assets["prefetch"]?.fetchClass == .onDemand)
        #expect(read.ignored.map(\.value) == ["prefetch"])
        #expect(read.ignored.map(\.field) == ["class"])
    }

    // MARK: Nothing of a profile is without effect

    /// Everything that is refused, left out or ignored of a release that uses all there is.
    private func judgement(_ profile: DecoderProfile) -> [String] {
        var found: [String] = []
        for (kind, key, text) in FullRelease.documents {
            do throws(ContentError) {
                let read = try judge(kind, key, text, profile)
                found += read.leftOut.map(\.message)
                found += read.ignored.map { "\($0.shape) \($0.field)" }
            } catch {
                found.append("\(error)")
            }
        }
        do throws(ManifestError) {
            let read = try ReleaseReader.manifest(
                Array(FullRelease.manifest.utf8), profile: profile)
            found += read.unread.map(\.problem.message)
            found += read.ignored.map { "\($0.shape) \($0.field) \($0.value ?? "")" }
        } catch {
            found.append("\(error)")
        }
        return found
    }

    @Test func theProfileOfThisVersionReadsAll() {
        #expect(judgement(current) == [])
    }

    @Test(arguments: DocumentShape.allCases)
    func theReaderAsksForEachField(shape: DocumentShape) {
        for field in shape.fields {
            var profile = current
            profile.fields[shape.rawValue]?.remove(field)
            #expect(profile.isRestricting && !judgement(profile).isEmpty, "\(shape) \(field)")
        }
    }

    @Test(arguments: Vocabulary.allCases)
    func theReaderAsksForEachName(vocabulary: Vocabulary) {
        #expect(Set(vocabulary.names).count == vocabulary.names.count)
        for name in vocabulary.names {
            var profile = current
            profile.names[vocabulary.rawValue]?.remove(name)
            #expect(profile.isRestricting && !judgement(profile).isEmpty, "\(vocabulary) \(name)")
        }
    }

    @Test(arguments: ReaderLimit.allCases)
    func theReaderAsksForEachLimit(limit: ReaderLimit) {
        var profile = current
        profile.limits[limit.rawValue] = 0
        #expect(profile.isRestricting && !judgement(profile).isEmpty)
    }
}

/// A release in which each field, name and limit of the reader occurs.
private enum FullRelease {
    static let documents: [(EagerDocument.Kind, String, String)] = [
        (.exam, "de/x", exam), (.blueprint, "es", placement), (.announcements, "", announcements),
    ]

    private static let checksum = "\"sha256:\(String(repeating: "ab", count: 32))\""
    private static let options = """
        [{"id":"a","text":"x","image":"a.svg","pinned":true,"feedback":"f"},{"id":"b","text":"y"}]
        """

    private static func question(_ id: String, _ type: String, _ more: String) -> String {
        "{\"id\":\"\(id)\",\"type\":\"\(type)\",\"domain\":\"d\",\"difficulty\":1,\"stem\":\"S\",\(more)}"
    }

    private static let questions = [
        question(
            "s", "single-choice",
            "\"options\":\(options),\"correct\":[0],\"image\":\"b.svg\",\"explanation\":\"E\","
                + "\"audio\":{\"file\":\"a.wav\",\"title\":\"A\",\"transcript\":\"B\"},"
                + "\"tags\":[\"t\"],\"shuffle\":false,\"retired\":true"),
        question(
            "m", "multi-choice", "\"options\":\(options),\"correct\":[0,1],\"text\":\"markdown\""),
        question("o", "ordering", "\"options\":\(options),\"correct\":[1,0]"),
        question(
            "c", "code-snippet",
            "\"options\":\(options),\"correct\":[1],\"code\":{\"language\":\"swift\",\"text\":\"1\"}"
        ),
        question(
            "n1", "numeric-entry",
            "\"number\":{\"value\":\"1.5\",\"tolerance\":\"0.1\",\"unit\":\"m\"}"),
        question(
            "n2", "numeric-entry", "\"number\":{\"value\":\"2\",\"relativeTolerance\":\"0.1\"}"),
        question("n3", "numeric-entry", "\"number\":{\"from\":\"1\",\"to\":\"2\"}"),
    ].joined(separator: ",")

    static let exam = """
        {"kind":"exam","id":"de/x","title":"T","version":"1","language":"de",
        "domains":[{"id":"d","title":"D","weight":2.5}],"levels":{"1":"easy"},
        "scoring":{"cuts":[{"level":"A","from":0}],"outOf":9,"pass":0.5},
        "corrections":[{"question":"s","versions":[\(checksum)],"was":"b","is":"a","day":"2026-05-03"}],
        "questions":[\(questions)]}
        """

    static let placement = """
        {"kind":"placement","id":"es","title":"T","questions":[{"id":"p","type":"single-choice",
        "difficulty":1,"stem":"S","options":\(options),"correct":[0]}]}
        """

    private static let announcementList = AnnouncementType.allCases.enumerated().map {
        number, type in
        """
        {"identifier":\(number),"version":1,"type":"\(type.rawValue)","texts":{"en":{"title":"T",
        "content":"C","imageLabel":"L","buttons":{"ok":"OK"}}},"image":"a.png",
        "link":"https://example.org","start":"2026-01-01T00:00:00Z","end":"2026-02-01T00:00:00Z",
        "minimumAppVersion":"1.0","maximumAppVersion":"3.0","languages":["en"]}
        """
    }.joined(separator: ",")

    static let announcements = """
        {"announcements":[\(announcementList)]}
        """

    private static let reference = "{\"version\":\"1\",\"checksum\":\(checksum),\"size\":1}"
    private static let files = """
        {"version":"1","files":[{"name":"a.bin","checksum":\(checksum),"size":1}]}
        """

    private static let assets = AssetClass.allCases.map { kind in
        "\"\(kind.rawValue)\":{\"checksum\":\(checksum),\"size\":1,\"class\":\"\(kind.rawValue)\"}"
    }.joined(separator: ",")

    static let manifest = """
        {"schemaVersion":2,"release":3,"generatedAt":"now","contentBaseUrl":"https://example.org",
        "languages":{"es":{"blueprint":\(reference),"localization":\(reference),"audio":\(files)}},
        "exams":{"de/x":{"contentUpdatedAt":"now","blueprint":\(reference),"media":\(files)}},
        "assets":{\(assets)},"announcements":\(reference),
        "rollout":{"since":3,"percent":10,"paused":true,"minimumAppVersion":"1","maximumAppVersion":"2",
        "previous":{"release":2,"sha256":"\(String(repeating: "ab", count: 32))","size":9}}}
        """
}
