/// The names of the columns of Kahoot's quiz template.
///
/// A limit follows each name, as in `Answer 1 - max 75 characters`. The key counts the answers
/// from 1, as their columns do.
enum KahootHeader {
    /// The name that the template's time limit gets.
    static let timeLimit = "time limit"

    /// Returns our names for a header of the template; any other header as it is.
    static func names(_ header: [String]) -> [String] {
        let found = header.map { name($0.lowercased()) }
        let isTemplate = ["question", "answer 1", "correct"].allSatisfy(found.contains)
        let isMarked = header.contains { $0.lowercased().hasPrefix("correct answer(s)") }
        guard isTemplate, isMarked else { return header }
        return zip(header, found).map { $1 ?? $0 }
    }

    private static func name(_ column: String) -> String? {
        let bare = (column.split(separator: "-").first.map(String.init) ?? "").trimmed
        if bare == "question" { return "question" }
        if column.hasPrefix("correct answer(s)") { return "correct" }
        if column.hasPrefix("time limit") { return timeLimit }
        guard let match = bare.wholeMatch(of: /answer ([1-9])/) else { return nil }
        return "answer \(match.1)"
    }

    /// Notes the time limit of a question, which is not kept.
    static func note(_ fields: [String: String], in draft: inout QuestionDraft) {
        guard let limit = fields[timeLimit], !limit.isEmpty else { return }
        draft.note(.fieldUnread, "the time limit of \"\(limit)\" is not kept")
    }
}
