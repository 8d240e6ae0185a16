import ContentModel
import Foundation
import QuestionEngine
import Testing

extension ObservedAnswer {
    /// An answer at first sight, unless said otherwise, to the present version.
    static func test(
        _ person: String, _ question: String, _ response: QuestionResponse, exposures: Int = 0,
        version: String? = nil, isRandom: Bool? = nil
    ) -> ObservedAnswer {
        ObservedAnswer(
            person: person, question: question, contentVersion: version, response: response,
            exposuresBefore: exposures, mode: isRandom.map { $0 ? .placement : .study },
            isRandomlySelected: isRandom)
    }
}

/// Answers of different versions, purposes and selections in one table.
@Suite struct AnswerOriginTests {
    private let question = Question(
        id: "q", type: .singleChoice, difficulty: 1, stem: "?",
        options: [.init(id: "a", text: "A"), .init(id: "b", text: "B")], correct: [0])

    @Test func answersToAnotherVersionNeverMix() throws {
        var former = question
        former.options[0].text = "B"
        former.options[1].text = "A"
        var builder = try ResponseMatrixBuilder(questions: [question])
        builder.add(.test("p", "q", ["a"], version: question.contentVersion))
        builder.add(.test("o", "q", ["b"], version: former.contentVersion))
        builder.add(.test("n", "q", ["a"]))

        let table = try builder.table()

        #expect(builder.otherVersionCount == 1 && table.answerCount == 2)
        #expect(ItemStatistics.all(of: table)[0].facility == 1)
        #expect(table.items[0].contentVersion == question.contentVersion)
    }

    @Test func theVersionsThatCountCanBeNamed() throws {
        var builder = try ResponseMatrixBuilder(questions: [question], versions: ["q": "7"])
        builder.add(.test("p", "q", ["a"], version: "7"))
        builder.add(.test("o", "q", ["a"], version: question.contentVersion))

        #expect(builder.otherVersionCount == 1)
        #expect(try builder.table().answerCount == 1)
    }

    @Test func theShareDrawnByChanceIsKnown() throws {
        var builder = try ResponseMatrixBuilder(questions: [question])
        #expect(try builder.table().origin.randomShare == nil)
        for (person, isRandom) in [("a", true), ("b", false), ("c", false), ("d", false)] {
            builder.add(.test(person, "q", ["a"], isRandom: isRandom))
        }
        builder.add(.test("e", "q", ["a"]))
        builder.add(.test("f", "q", ["a"], exposures: 1, isRandom: true))

        let origin = try builder.table().origin

        #expect(origin.randomShare == 0.25)
        #expect(origin.modes == [.placement: 1, .study: 3])
    }

    @Test func aStoredAnswerSaysItAll() {
        let record = AnswerRecord(
            sessionID: "s", questionID: "q", contentVersion: "v", response: ["b"],
            isCorrect: false, credit: 0, timeTaken: 1, exposuresBefore: 3, mode: .exam,
            isRandomlySelected: true, date: .now)
        let answer = ObservedAnswer(record, of: "p")

        #expect(answer.person == "p" && answer.question == "q" && answer.contentVersion == "v")
        #expect(answer.response == ["b"] && answer.exposuresBefore == 3)
        #expect(answer.mode == .exam && answer.isRandomlySelected == true)
    }
}
