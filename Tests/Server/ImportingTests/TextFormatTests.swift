import ContentModel
import Importing
import Testing

@Suite struct TextFormatTests {
    @Test func anUnfinishedAikenQuestionDoesNotSwallowTheNext() throws {
        let result = try imported(
            """
            First?
            A. x
            B. y

            Second?
            A. one
            B. two
            ANSWER: B
            Third?
            A. x
            B. y
            Fourth?
            A. three
            B. four
            ANSWER: A
            """, .aiken)
        #expect(result.questions.map(\.stem) == ["Second?", "Fourth?"])
        #expect(result.questions.map(\.correct) == [[1], [0]])
        #expect(result.skipped.map(\.place) == ["line 1", "line 9"])
        #expect(result.skipped.allSatisfy { $0.reason == "the line ANSWER: is missing" })
    }

    @Test func giftKeepsBackslashesThatEscapeNothing() throws {
        let result = try imported(
            #"What is \frac{1}{2} in C:\\temp?"#.replacing("{1}{2}", with: #"\{1\}\{2\}"#)
                + #"{=\alpha\=1 ~\d+}"#, .gift)
        #expect(result.questions.map(\.stem) == [#"What is \frac{1}{2} in C:\temp?"#])
        #expect(result.questions[0].options.map(\.text) == [#"\alpha=1"#, #"\d+"#])
    }

    @Test func giftReadsMarksOfFormatEverywhere() throws {
        let result = try imported(
            """
            [markdown]What does `<br>` do?{
              =[html]<p>It <b>breaks</b></p>#[plain]The <br> tag
              ~[plain]<i>#[html]<p>No</p>
              ####[html]<p>A line</p>
            }
            """, .gift)
        let question = try #require(result.questions.first)
        #expect(question.stem == "What does `<br>` do?")
        #expect(question.options.map(\.text) == ["It breaks", "<i>"])
        #expect(question.options.map(\.feedback) == ["The <br> tag", "No"])
        #expect(question.explanation == "A line")
    }

    @Test func giftCategoriesKeepTheirNames() throws {
        let result = try imported(
            """
            $CATEGORY: $course$/top/Cell biology // plants

            One? {=a ~b}

            $CATEGORY: top/networks

            Two? {=a ~b}
            """, .gift)
        #expect(result.questions.map(\.tags) == [["Cell biology / plants"], []])
        #expect(result.questions.map(\.domain) == [nil, "networks"])
        #expect(result.notes.count == 1)
    }

    @Test func theTemplateOfKahootComesIn() throws {
        let result = try imported(
            """
            ,Question - max 120 characters,Answer 1 - max 75 characters,ANSWER 2 - max 75 characters,Answer 3,Time limit (sec) – 5 or 10,Correct answer(s) - choose at least one
            1,How many?,3,1,2,20,1
            2,Which are even?,2,4,5,20,"1,2"
            """, .csv)
        #expect(result.skipped.isEmpty, "\(result.skipped)")
        #expect(result.questions.map(\.stem) == ["How many?", "Which are even?"])
        #expect(result.questions[1].correct == [0, 1])
        #expect(result.notes.count { $0.message.contains("time limit") } == 2)
    }

    @Test func markdownReadsLetteredListsAndProse() throws {
        let result = try imported(
            """
            1. What is 1+1? A) 1 B) 2 C) 3 Answer: B Explanation: count

            2. What is even?
            A) 2
            B) 3
            C) 4
            Answer: A and C

            ## Capital of Spain?
            - A: Paris
            - B: Madrid

            **Answer:** B
            > It is in the middle.

            ## No key?
            - A: x
            - B: y
            """, .markdown)
        #expect(
            result.questions.map(\.stem) == [
                "What is 1+1?", "What is even?", "Capital of Spain?",
            ])
        #expect(result.questions.map(\.correct) == [[1], [0, 2], [1]])
        #expect(result.questions[2].options.map(\.text) == ["Paris", "Madrid"])
        #expect(
            result.questions.map(\.explanation) == ["count", nil, "It is in the middle."])
        #expect(result.skipped.map(\.place) == ["line 16"])
    }

    @Test(arguments: ["bank.jsonl", "bank.ndjson"])
    func jsonLinesAreReadLineByLine(file: String) throws {
        let text = """
            {"question": "One?", "options": ["a", "b"], "answer": "b"}

            {"question": "Two?", "options": ["a",
            {"question": "Three?", "options": ["a", "b"], "answer": "c"}
            """
        let result = try imported(Array(text.utf8), nil, file: file)
        #expect(result.format == .jsonLines)
        #expect(result.questions.map(\.stem) == ["One?"] && result.questions[0].correct == [1])
        #expect(result.skipped.map(\.place) == ["line 3", "line 4"])
    }
}
