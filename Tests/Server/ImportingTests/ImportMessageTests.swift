import ContentModel
import Importing
import Testing

/// What somebody reads who made a slip in a file by hand.
@Suite struct ImportMessageTests {
    private func failure(_ text: String, _ file: String) -> String? {
        var importer = QuestionImporter()
        do throws(ImportError) {
            _ = try importer.read(Array(text.utf8), file: file)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func aColonInAStemIsExplained() {
        let text = "- question: Which is it: a or b?\n  options: [a, b]\n  answer: a\n"
        #expect(
            failure(text, "bank.yaml")
                == "cannot be read at line 1: a text with a colon and a space must stand in quotes, as in stem: \"Which is it: a or b?\""
        )
    }

    @Test func quotationMarksOfAWordProcessorAreNamed() throws {
        let json = "[{“question”: \"Who?\", \"options\": [\"a\", \"b\"], \"answer\": \"a\"}]"
        #expect(failure(json, "bank.json")?.contains("has “") == true)
        let yaml = "- question: Who?\n  options: [x, y]\n  answer: “B”\n"
        #expect(try imported(yaml, .yaml).questions.map(\.correct) == [[1]])
    }

    @Test func aLetterIsAKeyOfOurOwnShapeToo() throws {
        let yaml = """
            - id: one
              type: single-choice
              difficulty: 2
              stem: Who?
              options: [{ id: x, text: Goethe }, { id: y, text: Schiller }]
              correct: B
            - id: two
              stem: Where?
              options: [{ id: wei, text: Weimar }, { id: jen, text: Jena }]
              correct: wei
            """
        let questions = try imported(yaml, .yaml).questions
        #expect(questions.map(\.correct) == [[1], [0]])
        #expect(questions.map { $0.options.map(\.id) } == [["x", "y"], ["wei", "jen"]])
        #expect(questions.map(\.id) == ["one", "two"] && questions[0].difficulty == 2)
    }

    @Test func anEmptyKeyIsSaidAsThat() throws {
        let result = try imported("question,A,B,answer\nWho?,a,b,\n", .csv)
        #expect(result.skipped.map(\.reason) == ["its field \"answer\", for the key, is empty"])
        #expect(failure("\n", "bank.csv") == "is empty")
    }

    @Test func aTableWithoutRowsNamesItsColumns() {
        #expect(
            failure("Who?;a;b;A\n", "bank.csv")
                == "has no row below its first line, which names the columns: \"Who?\", \"a\", \"b\", \"A\"; --format names another format"
        )
    }

    @Test func aTextWithTheSeparatorIsExplained() throws {
        let result = try imported("question,A,B,answer\nWho, me?,a,b,A\n", .csv)
        #expect(
            result.skipped.map(\.reason) == [
                "the row has 5 fields, the header 4; a text that holds the separator stands in quotes"
            ])
        #expect(result.isRefusedWhole)
    }

    @Test func aMapWithoutAListNamesWhatItHas() {
        #expect(
            failure("{\"title\": \"x\", \"items\": {}}", "bank.json")
                == "holds no list of questions; it has \"title\", \"items\"")
    }

    @Test func aFileOfKnownQuestionsIsNotRefused() throws {
        var importer = QuestionImporter()
        let text = Array("Who?{=a ~b}\n".utf8)
        #expect(try !importer.read(text, file: "one.gift").isRefusedWhole)
        #expect(try !importer.read(text, file: "two.gift").isRefusedWhole)
    }

    @Test func aTextThatACommentCutsShortIsNoted() throws {
        let yaml = """
            - question: Which # comes next?  # easy
              options: [a, "b # c"]
              answer: a
            - question: "Which # is quoted?"
              options: [a, b]
              answer: a # sure
            """
        let result = try imported(yaml, .yaml)
        #expect(result.questions.map(\.stem) == ["Which", "Which # is quoted?"])
        #expect(result.notes.filter { $0.message.contains("comment") }.map(\.place) == ["line 1"])
    }
}
