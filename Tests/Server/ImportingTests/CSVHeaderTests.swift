import ContentModel
import Importing
import Testing

@Suite struct CSVHeaderTests {
    @Test(arguments: [
        "Question,OPTION A,Option B,Correct Answer,Feedback A,CATEGORY,Level",
        "QUESTION,option_a,option-b,correctanswer,feedback_a,Topic,difficulty",
        "Prompt,A,b,ANSWER,FEEDBACK-A,Section,DIFFICULTY",
        "stem,Choice A,Choice B,CorrectAnswer,Feedback_A,Domain,level",
        " Text ,Answer A,ANSWER B,Key,feedback a,domain,Difficulty",
    ])
    func caseAndSpacesMakeNoDifference(header: String) throws {
        let result = try imported(header + "\nHow?,x,y,B,why,net,4\n", .csv)
        #expect(result.skipped.isEmpty, "\(result.skipped)")
        let question = try #require(result.questions.first)
        #expect(question.stem == "How?" && question.correct == [1])
        #expect(question.options.map(\.text) == ["x", "y"])
        #expect(question.options.map(\.feedback) == ["why", nil])
        #expect(question.domain == "net" && question.difficulty == 4)
        #expect(result.notes.isEmpty, "\(result.notes)")
    }

    @Test func aMappingFindsItsColumnInAnyCase() throws {
        let result = try imported(
            "FRAGE,A,B,Lösung\nWie?,x,y,A\n", .csv,
            mapping: ["stem": "Frage", "correct": "lösung"])
        #expect(result.questions.map(\.stem) == ["Wie?"])
    }

    @Test func aSecondColumnOfANameIsListedAsNotRead() throws {
        let result = try imported("Question,question,A,B,answer\none?,two?,x,y,A\n", .csv)
        #expect(result.questions.map(\.stem) == ["two?"])
        #expect(result.notes.contains { $0.message.contains("\"Question\" of 1 record") })
    }

    /// Two options of one name, each with a key behind it, and a column that already has the name for such keys.
    @Test(arguments: [
        "question,Option 5,Correct,Option 5,Correct\nMetal?,O,0,Fe,1\n",
        "question,Option 5,Correct 5,Option 5,Correct 5\nMetal?,O,0,Fe,1\n",
        "question,A,B,Correct,Correct,\"correct, repeated (4)\"\nMetal?,O,Fe,0,1,x\n",
    ])
    func keysOfOneNameRefuseTheFile(table: String) {
        let error = #expect(throws: ImportError.self) { try imported(table, .csv) }
        #expect(error?.reason.contains("several columns for the key") == true)
    }

    @Test func columnsOfOneNameTakeLinearTime() throws {
        let names = Array(repeating: "note", count: 10_000)
        let header = (["question", "option_a", "option_b", "answer", "note (2)"] + names)
        let row = ["q", "x", "y", "A"] + Array(repeating: "z", count: 10_001)
        let text = header.joined(separator: ",") + "\n" + row.joined(separator: ",") + "\n"
        let time = try ContinuousClock().measure {
            let result = try imported(text, .csv)
            #expect(result.questions.count == 1)
        }
        #expect(time < .seconds(20), "\(time)")
    }

    @Test func pointsNamedMarksAreNoMarksOfOurs() throws {
        let result = try imported(
            "question,A,B,answer,marks\n<p>How <b>many</b>?</p>,x,y,A,2\n", .csv)
        #expect(result.questions.map(\.stem) == ["How many?"])
        #expect(result.questions[0].tags.isEmpty)
        #expect(result.notes.contains { $0.message.contains("\"marks\" of 1 record") })
    }
}
