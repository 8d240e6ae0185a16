import PageRendering
import Testing
import Underway

@testable import StudyModel
@testable import StudyWeb

/// Texts of authors and learners in pages: no scalar beside a mark hides it from the escaping.
@Suite struct EscapingTests {
    /// Scalars that make one character with a mark before or after them (UAX #29), and plain neighbours.
    static let neighbours = [
        "", "a", "\u{301}", "\u{600}", "\u{605}", "\u{6DD}", "\u{70F}", "\u{8E2}", "\u{110BD}",
        "\u{110CD}", "\u{200D}", "\u{FE0F}", "\u{1F3FB}", "\u{E0020}", "\u{0}", "\r", "\n",
        "\u{1F1E9}", "\u{1100}", "\u{903}",
    ]

    @Test(arguments: neighbours)
    func noNeighbourHidesAMark(neighbour: String) {
        for (mark, entity) in [
            ("<", "&lt;"), (">", "&gt;"), ("&", "&amp;"), ("\"", "&quot;"), ("'", "&#39;"),
        ] {
            let escaped = ScalarEscaping().escapeText(neighbour + mark + neighbour)
            #expect(Array(escaped.utf8) == Array((neighbour + entity + neighbour).utf8))
        }
    }

    @Test(arguments: neighbours)
    func noTemplateLetsAMarkThrough(neighbour: String) async throws {
        let text = "\(neighbour)<i>\"\(neighbour) x=\(neighbour)'"
        let option = QuestionOption(id: "a", text: text, feedback: text)
        let question = Question(
            id: "q1", type: .singleChoice, domain: "d", difficulty: 1, stem: text,
            options: [option, QuestionOption(id: "b", text: "b")], correct: [1],
            explanation: text)
        let exam = Blueprint(
            kind: .exam, id: "int/sums", title: text, version: "1",
            domains: [Domain(id: "d", title: text, weight: 1)], questions: [question])
        let browser = try StudyBrowser([exam])
        let form = [("bank", "int/sums"), ("mode", "study")]
        let session = try #require(try await browser.post("/session", form).location)
        var pages = [try await browser.get("\(session)/1").body]
        _ = try await browser.post("\(session)/1", [("option", "a")])
        _ = try await browser.post("\(session)/finish", [])
        let query = neighbour.utf8.map {
            "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }
        .joined()
        for path in [
            "\(session)/1", "\(session)/result", "\(session)/review", "/", "/library",
            "/library/int/sums", "/library?q=\(query)%3Ci%3E%22\(query)",
        ] {
            let page = try await browser.get(path).body
            pages.append(page)
        }
        for page in pages {
            let scalars = page.unicodeScalars
            #expect(!page.utf8.contains(ArraySlice("<i>".utf8)))
            #expect(!page.utf8.contains(ArraySlice("\"\(neighbour) x=".utf8)))
            #expect(scalars.count > 500)
        }
    }
}
