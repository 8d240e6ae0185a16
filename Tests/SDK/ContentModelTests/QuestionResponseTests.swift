import ContentModel
import Foundation
import Testing

@Suite struct QuestionResponseTests {
    @Test(
        arguments: [
            ([], []), (["a"], ["a"]), (["c", "a"], ["c", "a"]),
            (.number(12), ["#number", "12"]),
            (.unknown(["#drawing", "M 0 0"]), ["#drawing", "M 0 0"]),
        ] as [(QuestionResponse, [String])])
    func eachKindHasOneRawForm(response: QuestionResponse, texts: [String]) throws {
        #expect(response.texts == texts)
        #expect(QuestionResponse(texts: texts) == response)
        let json = try JSONEncoder().encode([response])
        #expect(try JSONDecoder().decode([[String]].self, from: json) == [texts])
        #expect(try JSONDecoder().decode([QuestionResponse].self, from: json) == [response])
    }

    @Test(arguments: [
        ["#number"], ["#number", "x"], ["#number", "1", "2"], ["#number", "1e400"], ["#"],
        ["#text", "Paris", ""],
    ])
    func whatThisVersionCannotReadKeepsItsRawForm(texts: [String]) {
        #expect(QuestionResponse(texts: texts) == .unknown(texts))
        #expect(QuestionResponse(texts: texts).texts == texts)
        #expect(!QuestionResponse(texts: texts).isEmpty)
        #expect(QuestionResponse(texts: texts).optionIDs.isEmpty)
    }

    @Test func noIdOfAnOptionLooksLikeAnotherKind() {
        #expect(!Identifier.isValid("#number") && !Identifier.isValid("#"))
    }
}
