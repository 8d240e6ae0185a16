import ContentModel
import Importing
import Testing

@Suite struct GIFTTests {
    @Test func kindsOfQuestions() throws {
        let result = try imported(
            """
            // A comment
            $CATEGORY: top/networks

            // [id:q-ports] [tag:ports] [tag:difficulty=4]
            ::Ports::Which port does HTTP\\: use?{
              =80#right, of course
              ~443#that is HTTPS
              ~%50%8080
              ####Ports below 1024 are well known.
            }

            ::Primes::[html]<p>Which are <b>prime</b>?</p>{ ~%50%2 ~%50%3 ~%-100%4 }

            The sun is a star.{T#No\\!#Indeed}

            Put in order {=2 -> two =1 -> one =3 -> three}

            Madrid is the capital of {=Spain ~France}, they say.
            """, .gift)
        #expect(result.skipped.isEmpty, "\(result.skipped)")
        #expect(
            result.questions.map(\.type) == [
                .singleChoice, .multiChoice, .singleChoice, .ordering, .singleChoice,
            ])
        let ports = result.questions[0]
        #expect(ports.id == "q-ports" && ports.stem == "Which port does HTTP: use?")
        #expect(ports.options.map(\.text) == ["80", "443", "8080"] && ports.correct == [0])
        #expect(ports.options[1].feedback == "that is HTTPS")
        #expect(ports.explanation == "Ports below 1024 are well known.")
        #expect(ports.domain == "networks" && ports.difficulty == 4 && ports.tags == ["ports"])
        #expect(result.notes.contains { $0.message.contains("50.0 %") })
        let primes = result.questions[1]
        #expect(
            primes.id == "Primes" && primes.stem == "Which are prime?" && primes.correct == [0, 1])
        let sun = result.questions[2]
        #expect(sun.options.map(\.text) == ["True", "False"] && sun.correct == [0])
        #expect(sun.options[1].feedback == "No\\!" && sun.options[0].feedback == "Indeed")
        #expect(result.questions[3].correctOptionIDs == ["b", "a", "c"])
        #expect(result.questions[4].stem == "Madrid is the capital of _____, they say.")
    }

    @Test func whatIsNoQuestionHereIsSkippedWithItsReason() throws {
        let result = try imported(
            """
            Write an essay.{}

            How much is 2+2?{#four}

            Capital of Spain?{=Madrid =madrid}

            Match {=a -> b =c -> d}

            Just a description.

            Twice the same {=x ~x}

            Fine {=x ~y}
            """, .gift)
        #expect(result.foundCount == 7)
        #expect(result.questions.count == 1 && result.questions[0].stem == "Fine")
        #expect(
            result.skipped.map(\.place) == [
                "line 1", "line 3", "line 5", "line 7", "line 9", "line 11",
            ])
        #expect(result.skipped.allSatisfy { !$0.reason.isEmpty })
    }

    @Test func bracesThatNeverCloseAreSkipped() throws {
        let result = try imported("Open {=a ~b\n\nnext {=c ~d}", .gift)
        #expect(result.skipped.map(\.place) == ["line 1"])
        #expect(result.questions.map(\.stem) == ["next"])
        let lines = try imported("One {=a\n\n~b}\n\nTwo {=c\n\n\nThree\n{=d\n~e}\n", .gift)
        #expect(lines.questions.map(\.stem) == ["One", "Three"])
        #expect(lines.skipped.map(\.place) == ["line 5"])
    }

    @Test func severalRightAnswersOfWhichOneIsEnoughAreRefused() throws {
        let result = try imported("Two? {=a =b ~c}\n\nPart? {=%50%a ~b}\n", .gift)
        #expect(result.skipped.map(\.place) == ["line 1"])
        #expect(result.notes.map(\.message) == ["the part of 50.0 % for \"a\" is not kept"])
    }
}

@Suite struct AikenTests {
    @Test func blocksBecomeQuestions() throws {
        let result = try imported(
            """
            What is 1+1?
            A. 1
            B) 2
            C. 3
            ANSWER: B

            Which are even?
            A. 2
            B. 3
            C. 4
            ANSWER: A, C

            No answer here
            A. x
            B. y
            ANSWER: Z

            Cut off
            A. x
            """, .aiken)
        #expect(result.questions.map(\.correct) == [[1], [0, 2]])
        #expect(result.questions.map(\.type) == [.singleChoice, .multiChoice])
        #expect(result.skipped.map(\.place) == ["line 13", "line 18"])
    }
}

@Suite struct MarkdownTests {
    @Test func checkListsBecomeQuestions() throws {
        let result = try imported(
            """
            # A quiz

            Some words about it.

            #### Q1. What does this print?

            ```swift
            let a = [1, 2]
            print(a.count)
            ```

            - [x] 2
            - [ ] 1
            - [ ] nothing
              at all

            > It counts the elements.

            #### Q2. Which are **letters**?

            - [x] a
            - [x] b
            - [ ] 3

            #### Q3. Which has no key?

            - [ ] a
            - [ ] b

            #### Q4. What does the picture show?

            ![plan](plan.png)

            - [x] a
            - [ ] b
            """, .markdown)
        #expect(
            result.questions.map(\.stem) == ["What does this print?", "Which are **letters**?"]
                || result.questions.map(\.stem) == ["What does this print?", "Which are letters?"])
        let first = result.questions[0]
        #expect(first.type == .codeSnippet && first.code?.language == "swift")
        #expect(first.code?.text == "let a = [1, 2]\nprint(a.count)")
        #expect(first.options[2].text == "nothing\nat all")
        #expect(first.explanation == "It counts the elements.")
        #expect(result.questions[1].type == .multiChoice)
        #expect(
            result.skipped.map(\.reason) == [
                "no option is marked [x]", "it shows \"plan.png\", which is not in the file",
            ])
    }
}
