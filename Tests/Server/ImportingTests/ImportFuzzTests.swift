import ContentModel
import Foundation
import Importing
import TestSupport
import Testing

/// Mutated files of every format: an error or a result that adds up, never a crash.
///
/// `UNDERWAY_FUZZ` sets how many inputs, 2,000 without it (`script/nightly`: 10,000,000);
/// `UNDERWAY_SEED` repeats a run.
@Suite struct ImportFuzzTests {
    private static let count = TestRun.count("UNDERWAY_FUZZ", orElse: 2_000)

    private func seeds() throws -> [([UInt8], ImportFormat)] {
        let folder = try TemporaryFolder()
        let all = try sampleQuestions()
        var questions = stride(from: 0, to: all.count, by: all.count / 6).map { all[$0] }
        for (index, notation) in ["9.81:0.01", "-40:2%", "9.8..9.83"].enumerated() {
            guard let key = NumericKey(notation: notation) else { continue }
            questions.append(
                Question(
                    id: "n\(index)", type: .numericEntry, difficulty: 1, stem: "How much?",
                    key: .number(key)))
        }
        var random = SeededGenerator(seed: 1)
        questions += (0..<10).map { HostileQuestion.make(number: $0, using: &random) }
        var seeds: [([UInt8], ImportFormat)] = []
        let formats: [(ExportFormat, ImportFormat)] = [
            (.gift, .gift), (.qti3, .qti), (.csv, .csv), (.moodleXML, .moodleXML), (.cards, .cards),
        ]
        for (format, back) in formats {
            _ = try QuestionExporter.write(questions, as: format, to: folder.path + "/x") { _ in nil
            }
            seeds.append((try folder.read("x"), back))
        }
        for name in ["transitional.apkg", "modern.apkg"] {
            seeds.append(([UInt8](try Data(contentsOf: fixture("Importing/" + name))), .anki))
        }
        let texts: [(String, ImportFormat)] = [
            (
                "What?\nA. x\nB. y\nANSWER: B\n\nOpen?\nA. x\nB. y\n\nC?\nA) x\nB) y\nANSWER: A\n",
                .aiken
            ),
            (
                "$CATEGORY: top/a b\n\n[markdown]x \\\\frac \\{{=[html]<b>a</b>#[plain]f ~b}\n",
                .gift
            ),
            ("1. What? A) x B) y Answer: B\n\n## Q\n- A: x\n- B: y\n\n**Answer:** A\n", .markdown),
            (
                "{\"question\":\"q\",\"options\":[\"a\",\"b\"],\"answer\":\"b\"}\n\n{\"x\":1}\n",
                .jsonLines
            ),
            (
                "{\"notes\":[{\"fields\":[\"a\",\"b\"],\"note_model_uuid\":\"m\"},{\"fields\":[\"W? A) x B) y\",\"B\"],\"note_model_uuid\":\"m\"}],\"note_models\":[{\"crowdanki_uuid\":\"m\",\"type\":0,\"flds\":[{\"name\":\"F\"},{\"name\":\"B\"}],\"tmpls\":[{\"qfmt\":\"{{F}}\",\"afmt\":\"{{B}}\"},{\"qfmt\":\"{{B}}\",\"afmt\":\"{{F}}\"}]}]}",
                .crowdAnki
            ),
            (
                "Two?\n- **A:** x\n- **B:** y\n\n**Correct:** B\n\n## P ![a](p.png)\n- [x] ![b](q.png)\n- [ ] c\n",
                .markdown
            ),
            (
                "What does the `<br>` tag do?{=<b>#x ~\u{301}<i>####\n}\n\n// [id:q] [tag:difficulty=2] [tag:codeLines=2]\n::q::[plain]Q\\n  a\\n\\n{\n\t=[plain][html]\n\t~%0%%5%\n}\n",
                .gift
            ),
            (
                "[html]<p>See <img src\\=\"@@PLUGINFILE@@/a.png\"></p>{1:T#[moodle]&lt;#no}\n",
                .gift
            ),
            (
                "QUESTION,Option A,option-b,Correct Answer,Image_A,question\n'=1+1,-5,\"a\nb\",B,p.png,x\n",
                .csv
            ),
            (
                "{\"notes\":[{\"fields\":[\"a<img src='m.png'>[sound:s]\",\"b<img src=x>\",\"c\"],\"note_model_uuid\":\"m\"}],\"media_files\":[\"m.png\"],\"note_models\":[{\"crowdanki_uuid\":\"m\",\"type\":0,\"flds\":[{\"name\":\"F\"}]}]}",
                .crowdAnki
            ),
            ("# Q\n```swift\nlet a = 1\n```\n- [x] a\n- [ ] b\n> because\n", .markdown),
            (
                "<quiz><question type=\"multichoice\"><questiontext><text><![CDATA[<p>x &lt; y</p>]]></text></questiontext><answer fraction=\"100\"><text>a</text></answer><answer fraction=\"0\"><text>b</text></answer></question></quiz>",
                .moodleXML
            ),
            (
                "<quiz><question type=\"numerical\"><questiontext><text>x</text></questiontext><answer fraction=\"100\"><text>9.81</text><tolerance>0.01</tolerance></answer><units><unit><multiplier>1</multiplier><unit_name>m</unit_name></unit></units></question></quiz>",
                .moodleXML
            ),
            (
                "<quiz><question type=\"cloze\"><questiontext><text>A {1:MC:=a#f~%50%b~\\}c} b</text></questiontext></question><question type=\"matching\"><questiontext><text>M</text></questiontext><subquestion><text>a</text><answer><text>b</text></answer></subquestion><subquestion><text></text><answer><text>c</text></answer></subquestion></question><question type=\"shortanswer\"><questiontext><text>S</text></questiontext><answer fraction=\"100\"><text>26</text></answer></question></quiz>",
                .moodleXML
            ),
            (
                "<questestinterop><item ident=\"i\"><presentation><material><mattext>Q</mattext></material><response_lid><render_choice><response_label ident=\"a\"><mattext>A</mattext></response_label></render_choice></response_lid></presentation></item></questestinterop>",
                .qti
            ),
            (
                "<?xml version=\"1.0\"?><!DOCTYPE quiz [<!ELEMENT quiz ANY><!ENTITY a \"b\"><!-- c -->]><quiz><question type=\"truefalse\"><questiontext format=\"html\"><text>&lt;math&gt;&lt;mfrac&gt;&lt;mi&gt;x&lt;/mi&gt;&lt;mn&gt;2&lt;/mn&gt;&lt;/mfrac&gt;&lt;/math&gt; $$x^2$$ \\\\(a&amp;lt;b\\\\) 10&lt;sup&gt;3&lt;sub&gt;2&lt;/sub&gt;&lt;/sup&gt; &lt;img src=\"data:image/png;base64,cG5n\"&gt;</text></questiontext><answer fraction=\"100\"><text>true</text></answer><answer fraction=\"0\"><text>false</text></answer></question></quiz>",
                .moodleXML
            ),
            (
                "<?xml version=\"1.0\"?><?xml version=\"1.0\" encoding=\"UTF-7\"?><!DOCTYPE quiz><!DOCTYPE quiz [<!NOTATION n SYSTEM \"x\">]><?page?><quiz><?page?><!-- x --></quiz><?page?>",
                .moodleXML
            ),
            (
                "<questestinterop><item><presentation><flow><material><mat_extension><mat_formattedtext type=\"HTML\">Q &amp;lt;</mat_formattedtext></mat_extension></material><response_lid rcardinality=\"Single\"><render_choice shuffle=\"Yes\"><flow_label><response_label ident=\"a\"><material><mattext>A</mattext></material></response_label></flow_label><flow_label><response_label ident=\"b\"><material><matimage uri=\"$IMS-CC-FILEBASE$/x.png?y\"/></material></response_label></flow_label></render_choice></response_lid></flow></presentation><resprocessing><respcondition><conditionvar><varequal>a</varequal></conditionvar><setvar action=\"Set\">SCORE.max</setvar><displayfeedback linkrefid=\"f\"/></respcondition></resprocessing><itemfeedback ident=\"f\"><material><mattext>F</mattext></material></itemfeedback></item></questestinterop>",
                .qti
            ),
            (
                "<qti-assessment-item identifier=\"i\" label=\"difficulty=2;options=a b\"><qti-response-declaration identifier=\"RESPONSE\" cardinality=\"single\" base-type=\"identifier\"><qti-mapping><qti-map-entry map-key=\"a\" mapped-value=\"1\"/></qti-mapping></qti-response-declaration><qti-item-body><qti-rubric-block view=\"candidate\">R</qti-rubric-block><p><span class=\"underway-space\">&#160;&#160;</span>x<br class=\"underway-line\"/><span class=\"underway-tab\">&#160;</span><object data=\"a.png\"/><svg/></p><qti-choice-interaction response-identifier=\"RESPONSE\" shuffle=\"true\"><qti-prompt>P</qti-prompt><qti-simple-choice identifier=\"a\">A<qti-feedback-inline identifier=\"a\">f</qti-feedback-inline></qti-simple-choice><qti-simple-choice identifier=\"b\">B</qti-simple-choice></qti-choice-interaction></qti-item-body><qti-modal-feedback outcome-identifier=\"EXPLANATION\" identifier=\"e\">E</qti-modal-feedback></qti-assessment-item>",
                .qti
            ),
            (
                "[{\"question\":\"<p>H<sub>2</sub>O <img src=\\\"a.png\\\"></p>\",\"choices\":{\"A\":\"<b>x</b>\",\"B\":\"y\"},\"answer\":\"“B”\",\"passage\":[\"one\",\"two\"]},{\"question\":\"<p>q</p>\",\"options\":[{\"id\":\"u\",\"text\":\"x\"},{\"id\":\"v\",\"text\":\"y\"}],\"correct\":\"v\"}]",
                .json
            ),
            (
                "{\"questions\":[{\"question\":\"q\",\"options\":[\"a\",\"b\"],\"answer\":0}]}",
                .json
            ),
            (
                "Type: MA\n1) W?\n~ f\n*a) x\n@ y\nb. z\n\n2. V?\na. x\n*b. y\n\nAnswers:\n1. A\n2. b\n",
                .respondus
            ),
            (
                "MC\tQ?\t<b>a</b>\tcorrect\tb\tincorrect\nTF\tx\ttrue\nORD\tx\ta\tb\nNUM\tx\t2\t0.1\nESS\tx\n",
                .blackboard
            ),
            (
                "NewQuestion,MC,,\nQuestionText,\"<p>Q</p>\",HTML\nOption,100,a,,f\nOption,0,b\nNewQuestion,O\nQuestionText,x\nItem,a\nItem,b\nNewQuestion,TF\nTRUE,100\nFALSE,0\n",
                .brightspace
            ),
            (
                "<!doctype html><nav>x</nav><h1>E</h1><p>1. W?</p><ul><li>A. x<li class='a correct'>B. y</ul><p><b>Answer:</b> B</p><script>\"</script>",
                .html
            ),
            (
                "## Q 1:\n\n1. x\n2. **y**\n\n<details><summary>Answer</summary>\n2. y\n</details>\n",
                .markdown
            ),
            ("1. W?\n   - x\n   - **y**\n\n2. V?\n   - **x**\n   - y\n", .markdown),
            ("term\tdefinition\nFe\tiron\nNe\tneon\n\nZn\n", .cards),
            ("- question: q\n  options: [a, b]\n  answer: 1\n", .yaml),
            (
                "{\"notes\":[{\"fields\":[\"a {{c1::b::c}}\",\"b\"],\"note_model_uuid\":\"m\"}],\"note_models\":[{\"crowdanki_uuid\":\"m\",\"type\":1,\"flds\":[]}]}",
                .crowdAnki
            ),
        ]
        let wide = texts.prefix(6).map { text, format -> ([UInt8], ImportFormat) in
            let units = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            return ([0xFF, 0xFE] + units, format)
        }
        let published = try ImportVectorTests.texts().compactMap { vector, bytes in
            (try? vector.result(of: bytes)).map { (bytes, $0.format) }
        }
        return seeds + wide + texts.map { (Array($0.0.utf8), $0.1) } + published
    }

    @Test func mutatedFilesNeverCrash() throws {
        let seed = TestRun.seed(of: "ImportFuzzTests")
        var random = SeededGenerator(seed: seed)
        let seeds = try seeds()
        let light = seeds.filter { $0.1 != .anki }
        let bytes = seeds.map(\.0)
        // Readers of records do more when they are told about a file.
        let settings = [
            ImportSettings(), ImportSettings(),
            ImportSettings(
                mapping: ["image": "passage"],
                joins: ["stem": ["passage"], "explanation": ["answer"]],
                keys: .fromOne, textForm: .html, updatesBank: true),
        ]
        // After the end of a process, this file holds the input that ended it.
        let last = FileManager.default.temporaryDirectory.appending(
            path: "underway-fuzz-\(seed)")
        try Data().write(to: last)
        let keeper = try FileHandle(forWritingTo: last)
        defer {
            try? keeper.close()
            try? FileManager.default.removeItem(at: last)
        }
        for number in 0..<Self.count {
            if number > 0, number.isMultiple(of: 500_000) { print("\(number) inputs") }
            // The two packages cost milliseconds each; every tenth input is enough for them.
            let pool = number % 10 == 0 ? seeds : light
            guard let (original, format) = pool.randomElement(using: &random) else { return }
            let mutated = mutate(original, bytes, using: &random)
            try keeper.truncate(atOffset: 0)
            try keeper.write(contentsOf: mutated)
            do {
                let result = try imported(
                    mutated, format, settings: settings[number % settings.count])
                for question in result.questions {
                    #expect(question.hasUsableKey, "seed \(seed)")
                }
            } catch is ImportError {
            }
        }
    }

    /// Documents of office programs whose parts are damaged, not the archive around them.
    @Test func mutatedPartsNeverCrash() throws {
        let seed = TestRun.seed(of: "ImportFuzzTests parts")
        var random = SeededGenerator(seed: seed)
        let seeds = try sampleDocuments()
        let others = seeds.flatMap { $0.parts.values.map(\.self) }
        for _ in 0..<max(200, Self.count / 20) {
            guard let (format, parts) = seeds.randomElement(using: &random),
                let path = parts.keys.sorted().randomElement(using: &random)
            else { return }
            var damaged = parts
            damaged[path] = mutate(parts[path] ?? [], others, using: &random)
            let bytes = try sampleArchive(damaged)
            do {
                let result = try imported(bytes, format)
                for question in result.questions {
                    #expect(question.hasUsableKey, "seed \(seed)")
                }
            } catch is ImportError {
            }
        }
    }

    private func mutate(
        _ bytes: [UInt8], _ others: [[UInt8]], using random: inout SeededGenerator
    ) -> [UInt8] {
        var result = bytes
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            guard !result.isEmpty else { return [0] }
            let place = Int.random(in: 0..<result.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: result[place] = UInt8.random(in: 0...255, using: &random)
            case 1: result[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2:
                result.removeSubrange(
                    place..<min(result.count, place + Int.random(in: 1...40, using: &random)))
            case 3:
                let end = min(result.count, place + Int.random(in: 1...60, using: &random))
                result.insert(contentsOf: result[place..<end], at: place)
            case 4:
                let marks = Array("{}[]<>&\"'\\=~#:;,|%\n\0".utf8)
                result.insert(marks.randomElement(using: &random) ?? 0, at: place)
            default:
                let other = others.randomElement(using: &random) ?? []
                let start = Int.random(in: 0...other.count, using: &random)
                result.insert(contentsOf: other[start...].prefix(80), at: place)
            }
        }
        return result
    }
}

extension Question {
    fileprivate var hasUsableKey: Bool {
        switch key {
        case .options(let correct):
            !correct.isEmpty && correct.allSatisfy(options.indices.contains)
        case .number(let number): number.accepts(number.typicalValue) && options.isEmpty
        }
    }
}
