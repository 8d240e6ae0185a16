import ContentModel
import Foundation
import Importing
import TestSupport
import Testing

/// Numeric entries of other programs, and ours in theirs and back.
@Suite struct NumericImportTests {
    private func keys(_ result: ImportResult) -> [String?] {
        result.questions.map { $0.correctNumber?.notation }
    }

    // MARK: GIFT

    @Test func numbersOfGIFT() throws {
        let result = try imported(
            """
            When was Ulysses S. Grant born?{#1822:5}

            What is the value of pi (to 3 decimal places)? {#3.14159:0.0005}.

            Between?{#1..5#well done}

            Year?{#
              =1822:0
              =%50%1822:2
              ~#wrong century
              ####Grant was born in 1822.}

            [html]<b>Planck</b>{#=6.62607015e-34}

            Exactly{#-5}
            """, .gift)
        #expect(result.skipped.isEmpty, "\(result.skipped)")
        #expect(result.questions.allSatisfy { $0.type == .numericEntry && $0.options.isEmpty })
        #expect(
            keys(result) == [
                "1822:5", "3.14159:0.0005", "1..5", "1822", "6.62607015e-34", "-5",
            ])
        #expect(result.questions[4].stem == "Planck")
        #expect(result.questions[3].explanation == "Grant was born in 1822.")
        let notes = result.notes.map(\.message)
        #expect(notes.contains { $0.contains("50.0 %") && $0.contains("1822:2") })
        #expect(notes.contains { $0.contains("well done") })
        #expect(notes.contains { $0.contains("wrong century") })
    }

    @Test func numbersOfGIFTThatAreNoneAreSkippedWithTheirReason() throws {
        let result = try imported(
            """
            a{#}

            b{#four}

            c{#=1 =2}

            d{#5..1}

            e{#1:-2}

            f{#1,5}
            """, .gift)
        #expect(result.foundCount == 6 && result.questions.isEmpty)
        let reasons = Dictionary(
            uniqueKeysWithValues: result.skipped.map { ($0.place, $0.reason) })
        #expect(reasons["line 1"] == "\"\" is no number")
        #expect(reasons["line 3"] == "\"four\" is no number")
        #expect(reasons["line 5"] == "several right numbers are not supported")
        #expect(reasons["line 7"]?.contains("does not rise") == true)
        #expect(reasons["line 9"]?.contains("less than 0") == true)
        #expect(reasons["line 11"] == "\"1,5\" is no number")
    }

    // MARK: Moodle

    @Test func numbersOfMoodle() throws {
        let result = try imported(
            """
            <quiz>
            <question type="numerical"><name><text>g</text></name>
              <questiontext format="html"><text>How strong is gravity?</text></questiontext>
              <generalfeedback><text>On the ground.</text></generalfeedback>
              <idnumber>g-1</idnumber><hidden>1</hidden>
              <answer fraction="100" format="moodle_auto_format"><text>9.81</text>
                <feedback><text></text></feedback><tolerance>0.010</tolerance></answer>
              <answer fraction="50"><text>9.8</text><tolerance>0.5</tolerance></answer>
              <answer fraction="0"><text>*</text><feedback><text>Look it up.</text></feedback></answer>
              <units><unit><multiplier>1</multiplier><unit_name>m/s²</unit_name></unit>
                <unit><multiplier>100</multiplier><unit_name>cm/s²</unit_name></unit></units>
            </question>
            <question type="numerical"><questiontext><text>Seven?</text></questiontext>
              <answer fraction="100"><text>7</text></answer></question>
            <question type="numerical"><questiontext><text>Any?</text></questiontext>
              <answer fraction="100"><text>*</text></answer></question>
            <question type="numerical"><questiontext><text>Two?</text></questiontext>
              <answer fraction="100"><text>1</text></answer>
              <answer fraction="100"><text>-1</text></answer></question>
            </quiz>
            """, .moodleXML)
        #expect(keys(result) == ["9.81:0.01", "7"])
        let gravity = result.questions[0]
        #expect(gravity.id == "g-1" && gravity.correctNumber?.unit == "m/s²" && gravity.isRetired)
        #expect(gravity.explanation == "On the ground." && gravity.stem == "How strong is gravity?")
        let notes = result.notes.map(\.message).joined(separator: "; ")
        #expect(notes.contains("50.0 %") && notes.contains("Look it up") && notes.contains("cm/s²"))
        #expect(
            result.skipped.map(\.reason) == [
                "\"*\" is no number", "several right numbers are not supported",
            ])
    }

    // MARK: QTI

    private func item(
        _ declaration: String, _ processing: String, type: String = "float",
        body: String = "<p>How much?</p><p><textEntryInteraction responseIdentifier=\"R\"/></p>"
    ) -> String {
        """
        <assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i1" title="t"
          adaptive="false" timeDependent="false">
        <responseDeclaration identifier="R" cardinality="single" baseType="\(type)">\(declaration)
        </responseDeclaration><itemBody>\(body)</itemBody>
        <responseProcessing>\(processing)</responseProcessing></assessmentItem>
        """
    }

    private static let correct = "<correctResponse><value>9.81</value></correctResponse>"
    private static let operands = "<correct identifier=\"R\"/><variable identifier=\"R\"/>"

    @Test func numbersOfQTI() throws {
        func key(_ declaration: String, _ processing: String, type: String = "float") throws
            -> String?
        {
            let result = try imported(item(declaration, processing, type: type), .qti)
            #expect(result.questions.first?.stem == "How much?")
            return result.questions.first?.correctNumber?.notation
        }
        let (correct, operands) = (Self.correct, Self.operands)
        #expect(try key(correct, "") == "9.81")
        let seven = "<correctResponse><value>7</value></correctResponse>"
        #expect(try key(seven, "", type: "integer") == "7")
        func equal(_ attributes: String) -> String {
            "<responseCondition><responseIf><equal \(attributes)>\(operands)</equal></responseIf>"
                + "</responseCondition>"
        }
        #expect(try key(correct, equal("toleranceMode=\"exact\"")) == "9.81")
        #expect(
            try key(correct, equal("toleranceMode=\"absolute\" tolerance=\"0.01 0.01\""))
                == "9.81:0.01")
        #expect(
            try key(correct, equal("toleranceMode=\"absolute\" tolerance=\"0.01\""))
                == "9.81:0.01")
        #expect(
            try key(correct, equal("toleranceMode=\"absolute\" tolerance=\"0.01 0.1\""))
                == "9.8..9.91")
        // The standard gives shares in percent.
        #expect(
            try key(correct, equal("toleranceMode=\"relative\" tolerance=\"2 2\"")) == "9.81:2%")
        let range = """
            <and><gte><variable identifier="R"/><baseValue baseType="float">9.8</baseValue></gte>
            <lte><variable identifier="R"/><baseValue baseType="float">9.83</baseValue></lte></and>
            """
        #expect(try key(correct, range) == "9.8..9.83")
        let known = """
            <responseIf><not><isNull><variable identifier="R"/></isNull></not></responseIf>
            <responseElseIf><match>\(operands)</match></responseElseIf>
            """
        #expect(try key(correct, known) == "9.81")
        let mapping = "<mapping><mapEntry mapKey=\"42\" mappedValue=\"1\"/></mapping>"
        #expect(try key(mapping, "") == "42")
    }

    @Test func textEntriesOfQTIThatTakeNoNumberAreSkipped() throws {
        func reason(_ text: String) throws -> String? {
            let result = try imported(text, .qti)
            #expect(result.questions.isEmpty)
            return result.skipped.first?.reason
        }
        #expect(try reason(item(Self.correct, "", type: "string"))?.contains("no number") == true)
        #expect(try reason(item("", ""))?.contains("no right number") == true)
        let two = "<equal>\(Self.operands)</equal><equal>\(Self.operands)</equal>"
        #expect(try reason(item(Self.correct, two))?.contains("not one value") == true)
        let rounded = "<equalRounded figures=\"1\">\(Self.operands)</equalRounded>"
        #expect(try reason(item(Self.correct, rounded))?.contains("not one value") == true)
        let odd = "<equal toleranceMode=\"relative\" tolerance=\"1 2\">\(Self.operands)</equal>"
        #expect(try reason(item(Self.correct, odd))?.contains("two different") == true)
        let turned =
            "<gte><baseValue>1</baseValue><variable identifier=\"R\"/></gte>"
            + "<lte><baseValue>2</baseValue><variable identifier=\"R\"/></lte>"
        #expect(try reason(item(Self.correct, turned))?.contains("range") == true)
    }

    @Test func aFieldWithinASentenceLeavesAGap() throws {
        let body = "<p>Water boils at <textEntryInteraction responseIdentifier=\"R\"/> °C.</p>"
        let result = try imported(item(Self.correct, "", body: body), .qti)
        #expect(result.questions.map(\.stem) == ["Water boils at _____ °C."])
    }

    // MARK: There and back

    private static let questions = [
        ("9.81", "m/s²"), ("9.81:0.01", nil), ("-40:2.5%", "°C; <cold> & \"wet\""),
        ("9.8..9.83", "= {x}"), ("6.62607015e-34:0.00000001e-34", "J s"),
        ("0.12345678901234567890", nil), ("1e21..1e22", nil),
    ].enumerated().compactMap { index, key -> Question? in
        guard var number = NumericKey(notation: key.0) else { return nil }
        number.unit = key.1
        return Question(
            id: "n\(index)", type: .numericEntry, domain: index == 1 ? "d.1" : nil,
            difficulty: index % 5 + 1, stem: "How much # is {it}?\nTo _____",
            code: index == 2 ? CodeSnippet(language: "swift", text: "a < b\n  c") : nil,
            key: .number(number), explanation: index == 3 ? "Line 1\nline 2" : nil,
            tags: index == 4 ? ["one tag", "x;y|z"] : [], isRetired: index == 5)
    }

    @Test(arguments: [ExportFormat.gift, .qti3, .csv, .xlsx])
    func ourNumbersComeBackAsTheyWere(format: ExportFormat) throws {
        let questions = Self.questions
        #expect(questions.count == 7)
        let folder = try TemporaryFolder()
        let written = try QuestionExporter.write(
            questions, as: format, to: folder.path + "/bank"
        ) { _ in nil }
        #expect(written.writtenCount == 7 && written.skipped.isEmpty)
        let formats: [ExportFormat: ImportFormat] = [
            .gift: .gift, .qti3: .qti, .csv: .csv, .xlsx: .xlsx,
        ]
        let result = try imported(folder.read("bank"), formats[format], file: "bank")
        #expect(result.skipped.isEmpty, "\(result.skipped)")
        // The questions differ in their keys only, which an author should know.
        #expect(result.notes.allSatisfy { $0.message.contains("another key") }, "\(result.notes)")
        #expect(result.questions.count == 7)
        for (question, original) in zip(result.questions, questions) {
            #expect(question == original)
        }
    }

    @Test func ourShapeIsReadInYAMLAndJSON() throws {
        let yaml = """
            - id: n1
              type: numeric-entry
              difficulty: 2
              stem: How much?
              number: { value: 9.81, tolerance: 0.01 }
            """
        #expect(keys(try imported(yaml, .yaml)) == ["9.81:0.01"])
        let json = JSONValue.array(Self.questions.map(\.json))
        let result = try imported(json.canonicalBytes, .json)
        #expect(result.questions == Self.questions)
        let table =
            "stem,type,correct\nHow much?,numeric-entry,9.8..9.9\nNone?,numeric-entry,much\n"
        let read = try imported(table, .csv)
        #expect(keys(read) == ["9.8..9.9"])
        #expect(read.skipped.map(\.reason) == ["its key \"much\" is no number, tolerance or range"])
    }
}
