import Foundation
import Underway

/// The cells of an answer in a table, in a language.
struct AnswerCells: Sendable {
    /// The maximum length of a cell in characters; what follows is left out.
    static let cellMax = 8_000

    /// The language, and the time zone of answers without one.
    let formats: StudyFormats

    /// The names of the columns.
    var header: [String] {
        ["time", "subject", "question", "response", "outcome", "seconds"].map {
            formats.words["export.\($0)"]
        }
    }

    /// Returns the cells of an answer, one for each column.
    func row(_ record: AnswerRecord, _ subject: AnsweredSubjects.Known) -> [String] {
        let question = subject.questions[record.questionID]
        return [
            time(record), Self.line(subject.title),
            Self.line(question.map { $0.richStem.plainText } ?? record.questionID),
            Self.line(question?.text(of: record.response) ?? Self.raw(record.response)),
            formats.words[record.isCorrect ? "export.right" : "export.wrong"],
            // Whole seconds: a spreadsheet would take the point of a part for its own sign.
            String(Int(min(max(0, record.timeTaken), 1e9).rounded())),
        ]
    }

    /// Returns the local time of the answer with its offset from UTC (RFC 3339, with a space): the learner's zone then,
    /// or that of this device where the answer has none.
    private func time(_ record: AnswerRecord) -> String {
        let seconds =
            record.offsetMinutes.map { $0 * 60 }
            ?? formats.calendar.timeZone.secondsFromGMT(for: record.date)
        let zone = TimeZone(secondsFromGMT: seconds) ?? .gmt
        let minutes = zone.secondsFromGMT() / 60
        let local = record.date.formatted(
            Date.ISO8601FormatStyle(timeZone: zone).year().month().day()
                .dateTimeSeparator(.space).time(includingFractionalSeconds: false))
        let parts = [abs(minutes) / 60, abs(minutes) % 60].map { ($0 < 10 ? "0" : "") + String($0) }
        return local + (minutes < 0 ? "-" : "+") + parts.joined(separator: ":")
    }

    /// Returns the response to a question that the content no longer has.
    private static func raw(_ response: QuestionResponse) -> String {
        if case .number(let number) = response { return number.description }
        return response.optionIDs.joined(separator: ", ")
    }

    /// Returns a text on one line.
    private static func line(_ text: String) -> String {
        text.prefix(cellMax).split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
