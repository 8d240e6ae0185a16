import ContentModel
import Foundation
import Importing
import TestSupport
import Testing

@Suite struct RoundTripTests {
    /// Every question of the sample, in each format and back, is the same question.
    @Test(arguments: [ExportFormat.gift, .qti3, .csv, .xlsx])
    func theSampleComesBackAsItWas(format: ExportFormat) throws {
        let questions = try sampleQuestions()
        #expect(questions.count > 1_800)
        let folder = try TemporaryFolder()
        let path = folder.path + "/bank"
        let written = try QuestionExporter.write(questions, as: format, to: path) { _ in nil }
        #expect(written.writtenCount == questions.count)
        let formats: [ExportFormat: ImportFormat] = [
            .gift: .gift, .qti3: .qti, .csv: .csv, .xlsx: .xlsx,
        ]
        let result = try imported(folder.read("bank"), formats[format], file: "bank")
        #expect(result.skipped.isEmpty, "\(result.skipped.prefix(5))")
        #expect(result.foundCount == questions.count)
        let originals = Dictionary(uniqueKeysWithValues: questions.map { ($0.id, $0) })
        for question in result.questions {
            #expect(question == originals[question.id])
        }
    }

    @Test(arguments: [ExportFormat.gift, .qti3, .csv, .xlsx])
    func awkwardQuestionsComeBackAsTheyWere(format: ExportFormat) throws {
        let questions = [
            Question(
                id: "marks", type: .multiChoice, domain: "d.1", difficulty: 5,
                stem: "a = {b} ~ #c : \\d, \"e\"; <b>f</b> &amp; \u{A0}g\nsecond line",
                options: [
                    .init(id: "2x", text: "-> x", feedback: "a ### b"),
                    .init(id: "y", text: "%50%", isPinned: true), .init(id: "z", text: "1"),
                ], correct: [0, 2], explanation: "line 1\nline 2", tags: ["one tag", "x;y|z"],
                shufflesOptions: false, isRetired: true),
            Question(
                id: "code", type: .codeSnippet, difficulty: 1, stem: "Prints?",
                code: CodeSnippet(language: "swift", text: "if a < b {\n\n    print(\"x\")\n}"),
                options: [.init(id: "a", text: "Array<Int>"), .init(id: "b", text: "2")],
                correct: [1], tags: ["t,u"]),
            Question(
                id: "order", type: .ordering, difficulty: 2, stem: "Order",
                options: ["one", "two", "three"].enumerated().map {
                    .init(id: DraftNames.id($0), text: $1)
                }, correct: [2, 0, 1]),
        ]
        let folder = try TemporaryFolder()
        _ = try QuestionExporter.write(questions, as: format, to: folder.path + "/bank") { _ in nil
        }
        let formats: [ExportFormat: ImportFormat] = [
            .gift: .gift, .qti3: .qti, .csv: .csv, .xlsx: .xlsx,
        ]
        let result = try imported(folder.read("bank"), formats[format], file: "bank")
        #expect(result.skipped.isEmpty)
        for (question, original) in zip(result.questions, questions) {
            #expect(question == original)
        }
    }

    /// A player shows what its outcomes name, so the processing must set them.
    @Test(arguments: [QuestionType.singleChoice, .multiChoice, .ordering, .numericEntry])
    func feedbackIsShownByTheResponseProcessing(type: QuestionType) throws {
        var question = Question(
            id: "q", type: type, difficulty: 1, stem: "What?",
            options: [
                .init(id: "a", text: "A", feedback: "No."), .init(id: "b", text: "B"),
                .init(id: "explanation", text: "C"),
            ], correct: type == .singleChoice ? [1] : [1, 0, 2], explanation: "Because.")
        if type == .multiChoice { question.key = .options([0, 1]) }
        if type == .numericEntry {
            question.options = []
            question.key = .number(NumericKey(.value(7, .absolute(0))))
        }
        let folder = try TemporaryFolder()
        _ = try QuestionExporter.write([question], as: .qti3, to: folder.path + "/bank") { _ in nil
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            "-c",
            "import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read('items/q.xml').decode())",
            folder.path + "/bank",
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let item = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let processing = try #require(
            item.firstMatch(of: /<qti-response-processing>.*<\/qti-response-processing>/)?.output)
        for outcome in Set(item.matches(of: /outcome-identifier="(\w+)"/).map(\.1)) {
            #expect(item.contains("<qti-outcome-declaration identifier=\"\(outcome)\""))
            #expect(processing.contains("<qti-set-outcome-value identifier=\"\(outcome)\">"))
        }
        #expect(processing.contains("<qti-set-outcome-value identifier=\"SCORE\">"))
        #expect(item.contains("outcome-identifier=\"FEEDBACK\"") == (type != .numericEntry))
        #expect(
            try imported(folder.read("bank"), .qti, file: "bank").questions == [question])
    }

    @Test func imagesTravelInAPackage() throws {
        var question = Question(
            id: "pic", type: .singleChoice, difficulty: 1, stem: "What?", image: "maps/plan.svg",
            options: [.init(id: "a", text: "", image: "a.png"), .init(id: "b", text: "B")],
            correct: [0])
        let folder = try TemporaryFolder()
        let media: (String) -> [UInt8]? = { $0 == "lost.png" ? nil : Array($0.utf8) }
        let path = folder.path + "/bank.zip"
        var questions = [question]
        question.id = "lost"
        question.image = "lost.png"
        questions.append(question)
        let written = try QuestionExporter.write(questions, as: .qti3, to: path, media: media)
        #expect(written.writtenCount == 1 && written.skipped.map(\.id) == ["lost"])
        let result = try imported(folder.read("bank.zip"), nil, file: "bank.zip")
        #expect(result.questions == [questions[0]])
        #expect(
            result.media == [
                "maps/plan.svg": Array("maps/plan.svg".utf8), "a.png": Array("a.png".utf8),
            ])
        let gift = try QuestionExporter.write(questions, as: .gift, to: path, media: media)
        #expect(gift.writtenCount == 0 && gift.skipped.count == 2)
    }

    @Test(arguments: [ExportFormat.gift, .qti3, .csv, .xlsx])
    func aQuestionWithAClipIsLeftOutAndSaidSo(format: ExportFormat) throws {
        let question = Question(
            id: "heard", type: .singleChoice, difficulty: 1, stem: "What?",
            audio: QuestionAudio(file: "a.wav", title: "A"),
            options: [.init(id: "a", text: "A"), .init(id: "b", text: "B")], correct: [0])
        let folder = try TemporaryFolder()
        let written = try QuestionExporter.write(
            [question], as: format, to: folder.path + "/bank"
        ) { _ in [1] }
        #expect(written.writtenCount == 0 && written.skipped.map(\.id) == ["heard"])
    }
}

enum DraftNames {
    static func id(_ index: Int) -> String { ["a", "b", "c"][index] }
}
