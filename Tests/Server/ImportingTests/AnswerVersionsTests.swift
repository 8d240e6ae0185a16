import ContentModel
import QuestionEngine
import Testing

@testable import Importing

/// Answers to several versions of a question in one file.
@Suite struct AnswerVersionsTests {
    private func read(_ text: String, bank: [Question] = []) throws -> CountedAnswers {
        try AnswersFile.read(Array(text.utf8), file: "answers.csv", bank: bank)
    }

    @Test func withoutABankTheMostAnsweredVersionCounts() throws {
        let found = try read(
            """
            person,question,answer,key,version,mode,random
            p1,q,a,a,v2,placement,true
            p2,q,b,a,v1,study,false
            p3,q,a,a,v2,study,false
            p4,q,a,a,,,
            """)

        #expect(found.otherVersionCount == 1)
        #expect(found.table.answerCount == 3 && found.rowCount == 4)
        #expect(found.table.origin.randomShare == 0.5)
        #expect(found.table.items[0].contentVersion == "v2")
    }

    @Test func withABankItsVersionCounts() throws {
        let question = Question(
            id: "q", type: .singleChoice, difficulty: 1, stem: "?",
            options: [.init(id: "a", text: "A"), .init(id: "b", text: "B")], correct: [0])
        let found = try read(
            """
            person,question,answer,version
            p1,q,a,\(question.contentVersion)
            p2,q,b,before
            """, bank: [question])

        #expect(found.otherVersionCount == 1 && found.table.answerCount == 1)
    }
}
