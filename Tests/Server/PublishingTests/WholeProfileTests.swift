import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

/// The proof for a shipped version runs over a folder that has every type, field and kind of file: whatever a profile
/// lacks, `check` and `publish` say something, and both the same.
@Suite struct WholeProfileTests {
    private let library: Library

    init() throws {
        library = try Library(["es"])
        try FullContent.write(to: library.folder)
    }

    private func declare(_ profile: DecoderProfile) throws {
        try library.folder.write(profile.text, to: "content/profiles/1.0.json")
    }

    private var current: DecoderProfile { .current(appVersion: "1.0") }

    private func check() throws -> [Problem] {
        try ContentChecker.check(folder: library.content)
    }

    /// What a publish says of content that it has released already.
    private func published() throws -> [Problem] {
        do {
            return try library.publish().warnings
        } catch let error as PublishingError where error.code == .contentErrors {
            return error.problems
        }
    }

    /// Takes something away, and expects a verdict of both commands.
    private func expectVerdict(
        _ what: String, severity: FieldSeverity? = nil, _ change: (inout DecoderProfile) -> Void
    ) throws {
        var profile = current
        change(&profile)
        try declare(profile)
        let found = try check()
        #expect(!found.isEmpty, "check says nothing without \(what)")
        let errors = found.filter { $0.rule.severity == .error }
        #expect(try published() == (errors.isEmpty ? found : errors), "\(what)")
        switch severity {
        case .misleads?: #expect(!errors.isEmpty, "\(what) is no error")
        case .unseen?: #expect(found.contains { $0.message.contains("sees none of") }, "\(what)")
        case .degrades?, nil: break
        }
    }

    @Test func theFolderHasNoProblemForThisVersion() throws {
        try declare(current)
        #expect(try check() == [])
        #expect(try library.publish().warnings == [])
    }

    @Test(arguments: DocumentShape.allCases.filter { ![.rollout, .rolloutPrevious].contains($0) })
    func eachFieldCounts(shape: DocumentShape) throws {
        try declare(current)
        try library.publish()
        // A rollout stands in the manifest of a publish alone; the next test has it. Lists of files get no version.
        for field in shape.fields
        where field != "rollout" && (shape, field) != (.fileList, "version") {
            try expectVerdict("\(shape) \(field)", severity: shape.severity(of: field)) {
                $0.fields[shape.rawValue]?.remove(field)
            }
        }
    }

    @Test func eachFieldOfARolloutCounts() throws {
        try declare(current)
        try library.publish()
        let fields =
            DocumentShape.rollout.fields.map { (DocumentShape.rollout, $0) }
            + DocumentShape.rolloutPrevious.fields.map { (DocumentShape.rolloutPrevious, $0) }
            + [(DocumentShape.manifest, "rollout")]
        var publisher = Publisher(folder: library.content, releaseDirectory: library.release)
        publisher.rollout = .set(percent: 50, minimumAppVersion: "1.0", maximumAppVersion: "2.0")
        try library.folder.writeBlueprint("es", key: 1)
        for (shape, field) in fields where field != "paused" {
            var profile = current
            profile.fields[shape.rawValue]?.remove(field)
            try declare(profile)
            let preview = Result { try publisher.status() }
            let said =
                switch preview {
                case .success(let status): status.warnings
                case .failure(let error): (error as? PublishingError)?.problems ?? []
                }
            #expect(!said.isEmpty, "\(shape) \(field)")
        }
    }

    /// A version that knows rollouts and not their bounds takes a release that is not for it, so it is judged.
    @Test(arguments: [
        ("minimumAppVersion", RolloutChange.set(percent: 50, minimumAppVersion: "1.1")),
        ("maximumAppVersion", .set(percent: 50, maximumAppVersion: "0.9")),
    ])
    func aVersionIsLeftOutByBoundsThatItKnows(field: String, change: RolloutChange) throws {
        try declare(current)
        try library.publish()
        try library.folder.writeBlueprint("es", key: 1)
        var publisher = Publisher(folder: library.content, releaseDirectory: library.release)
        publisher.rollout = change
        for isKnown in [true, false] {
            var profile = current
            profile.fields[DocumentShape.question.rawValue]?.remove("tags")
            if !isKnown { profile.fields[DocumentShape.rollout.rawValue]?.remove(field) }
            try declare(profile)
            let said = try publisher.status().warnings
            #expect(said.isEmpty == isKnown, "\(said)")
        }
    }

    @Test(arguments: Vocabulary.allCases)
    func eachNameCounts(vocabulary: Vocabulary) throws {
        try declare(current)
        try library.publish()
        for name in vocabulary.names {
            try expectVerdict("\(vocabulary) \(name)") {
                $0.names[vocabulary.rawValue]?.remove(name)
            }
        }
    }

    @Test(arguments: ReaderLimit.allCases)
    func eachLimitCounts(limit: ReaderLimit) throws {
        try declare(current)
        try library.publish()
        try expectVerdict("\(limit)") { $0.limits[limit.rawValue] = 0 }
    }

    /// Parts that a version sees nothing of are named once, with their numbers.
    @Test func whatAVersionSeesNothingOfIsSaidOnce() throws {
        var profile = current
        profile.fields["manifest"]?.subtract(["exams", "assets", "announcements"])
        try declare(profile)
        let found = try check()
        #expect(
            found.map(\.summary) == [
                "underway.yaml:1:1: warning: app 1.0 sees none of 5 announcements, 4 assets, 1 exam"
                    + " [partly-supported]"
            ])
        for _ in 0..<2 { #expect(try library.publish().warnings == found) }
    }
}

/// A content folder in which each field, name and kind of file of a release occurs.
private enum FullContent {
    static func write(to folder: TemporaryFolder) throws {
        try folder.remove("content/exams/int/demo")
        try folder.write(
            """
            name: Test
            contentBaseUrl: https://files.example.org
            announcements: { languages: [en] }
            supports: [profiles/1.0.json]

            """, to: "content/underway.yaml")
        try folder.write(exam, to: "content/exams/int/full/exam.yaml")
        try folder.write(questions, to: "content/exams/int/full/questions.yaml")
        try folder.write(
            """
            - question: s
              versions: ["sha256:\(String(repeating: "0", count: 64))"]
              was: b
              is: a
              day: "2026-05-03"

            """, to: "content/exams/int/full/corrections.yaml")
        for name in ["a.svg", "b.svg"] {
            try folder.write(
                "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
                to: "content/exams/int/full/media/\(name)")
        }
        try folder.write("a sound", to: "content/exams/int/full/media/a.wav")
        try folder.write("soon", to: "content/assets/soon.bin")
        try folder.write("a picture", to: "content/assets/a.png")
        try folder.write(
            "later.bin: onDemand\nsoon.bin: prefetch\na.png: eager\n", to: "content/assets.yaml")
        for (index, type) in AnnouncementType.allCases.enumerated() {
            try folder.write(
                announcement(index + 1, type), to: "content/announcements/\(index).yaml")
        }
    }

    private static let exam = """
        title: Full
        version: "1"
        language: de
        domains: [{ id: d, title: D, weight: 2.5 }]
        levels: { 1: easy }
        scoring: { cuts: [{ level: easy, from: 0 }], outOf: 9, pass: 0.5 }

        """

    private static let options =
        "options: [{ id: a, text: this, image: a.svg, pinned: true, feedback: Yes. }, { id: b, text: that, feedback: No. }, { id: c, text: other }]"

    private static func question(_ id: String, _ type: String, _ lines: [String]) -> String {
        let head = [
            "- id: \(id)", "  type: \(type)", "  domain: d", "  difficulty: 1",
            "  stem: \"What is \(id)?\"",
        ]
        return (head + lines.map { "  " + $0 }).joined(separator: "\n") + "\n"
    }

    private static let questions = [
        question(
            "s", "single-choice",
            [
                options, "correct: [0]", "image: b.svg", "explanation: Because.", "tags: [t]",
                "shuffle: false", "audio: { file: a.wav, title: A, transcript: B }",
            ]),
        question("r", "single-choice", [options, "correct: [0]", "retired: true"]),
        question(
            "m", "multi-choice",
            [options, "correct: [0, 1]", "text: markdown", "explanation: \"It is $x^2$.\""]),
        question("o", "ordering", [options, "correct: [1, 0, 2]"]),
        question(
            "c", "code-snippet",
            [options, "correct: [1]", "code: { language: swift, text: \"1\" }"]),
        question("n1", "numeric-entry", ["number: { value: 1.5, tolerance: 0.1, unit: m }"]),
        question("n2", "numeric-entry", ["number: { value: 2, relativeTolerance: 0.1 }"]),
        question("n3", "numeric-entry", ["number: { from: 1, to: 2 }"]),
    ].joined()

    private static func announcement(_ identifier: Int, _ type: AnnouncementType) -> String {
        let (link, button): (String, String?) =
            switch type {
            case .information: ("", nil)
            case .email: ("a@example.org", "mail")
            case .newVersion: ("https://example.org", "update")
            case .website: ("https://example.org", "open")
            case .purchase: ("", "subscribe")
            }
        let lines = [
            "identifier: \(identifier)", "version: 1", "type: \(type.rawValue)",
            link.isEmpty ? nil : "link: \(link)", "image: a.png",
            "start: 200\(identifier)-01-01T00:00:00Z", "end: 200\(identifier)-02-01T00:00:00Z",
            "minimumAppVersion: \"1.0\"", "maximumAppVersion: \"3.0\"", "languages: [en]",
            "texts: { en: { title: T, content: C, imageLabel: L"
                + "\(button.map { ", buttons: { \($0): Go }" } ?? "") } }",
        ]
        return lines.compactMap(\.self).joined(separator: "\n") + "\n"
    }
}
