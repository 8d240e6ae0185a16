import ContentModel
import Foundation

/// A writer of Moodle's XML, with images.
///
/// What Moodle has no field for stands in an element `underwaymarks`, which Moodle ignores.
enum MoodleWriter {
    /// Returns a document of questions.
    static func document(_ questions: [Question], media: (String) -> [UInt8]?) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<quiz>\n"
            + questions.map { text($0, media: media) }.joined() + "</quiz>\n"
    }

    private static func text(_ question: Question, media: (String) -> [UInt8]?) -> String {
        var stem = question.stem
        if let code = question.code { stem += "\n" + code.text }
        let picture = question.image.map { image($0, media) }
        let type =
            switch question.type {
            case .ordering: "ordering"
            case .numericEntry: "numerical"
            case .singleChoice, .multiChoice, .codeSnippet: "multichoice"
            }
        return [
            "<question type=\"\(type)\">",
            "<name><text>\(XMLElement.escaped(question.id))</text></name>",
            part("questiontext", stem, picture),
            part("generalfeedback", question.explanation ?? ""),
            "<idnumber>\(XMLElement.escaped(question.id))</idnumber>",
            "<hidden>\(question.isRetired ? 1 : 0)</hidden>", body(question, media),
            "<tags>" + question.tags.map { part("tag", $0) }.joined() + "</tags>",
            "<underwaymarks>\(XMLElement.escaped(ExportMarks.joined(marks(question))))</underwaymarks>",
            "</question>\n",
        ].filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private static func marks(_ question: Question) -> [String] {
        var marks = ExportMarks.marks(ordered(question))
        if let code = question.code {
            let lines = code.text.split(separator: "\n", omittingEmptySubsequences: false)
            marks += ["language=\(code.language)", "codeLines=\(lines.count)"]
        }
        if case .value(_, .relative(let share)) = question.correctNumber?.accepted {
            marks.append("relativeTolerance=\(share)")
        }
        if question.type.isOrder {
            marks.append("places=" + question.correct.map(String.init).joined(separator: " "))
        }
        return marks
    }

    /// Returns the question with the options of an ordering in their right order, as Moodle lists them.
    private static func ordered(_ question: Question) -> Question {
        guard question.type.isOrder else { return question }
        var ordered = question
        ordered.options = question.correct.map { question.options[$0] }
        return ordered
    }

    private static func body(_ question: Question, _ media: (String) -> [UInt8]?) -> String {
        switch question.key {
        case .number(let key): return number(key)
        case .options(let correct):
            let isMulti = question.type == .multiChoice
            let share = isMulti ? (100 / Double(correct.count) * 100_000).rounded() / 100_000 : 100
            let answers = ordered(question).options.enumerated().map { index, option in
                let isRight = question.type.isOrder || correct.contains(index)
                let picture = option.image.map { image($0, media) }
                let feedback = option.feedback.map { part("feedback", $0) } ?? ""
                return answer(
                    question.type.isOrder ? "\(index + 1)" : isRight ? "\(share)" : "0",
                    option.text,
                    picture, feedback)
            }
            return (question.type.isOrder ? "" : "<single>\(!isMulti)</single>\n")
                + "<shuffleanswers>\(question.shufflesOptions)</shuffleanswers>\n"
                + answers.joined(separator: "\n")
        }
    }

    private static func answer(
        _ fraction: String, _ text: String, _ picture: (tag: String, file: String)?,
        _ feedback: String
    ) -> String {
        "<answer fraction=\"\(fraction)\" format=\"html\" underway=\"exact\"><text>"
            + XMLElement.escaped(ExactSpace.html(text) + (picture?.tag ?? ""))
            + "</text>\(picture?.file ?? "")\(feedback)</answer>"
    }

    private static func number(_ key: NumericKey) -> String {
        let (value, distance) =
            switch key.accepted {
            case .value(let value, let tolerance): ("\(value)", "\(tolerance.distance(at: value))")
            case .range(let from, _): ("\(from)", "0")
            }
        let unit = key.unit.map {
            "\n<units><unit><multiplier>1</multiplier><unit_name>\(XMLElement.escaped($0))</unit_name></unit></units>"
        }
        return
            "<answer fraction=\"100\"><text>\(value)</text><tolerance>\(distance)</tolerance></answer>"
            + (unit ?? "")
    }

    /// Returns an element with a text that an import of ours reads exactly.
    private static func part(
        _ name: String, _ text: String, _ picture: (tag: String, file: String)? = nil
    ) -> String {
        "<\(name) format=\"html\" underway=\"exact\"><text>"
            + XMLElement.escaped(ExactSpace.html(text) + (picture?.tag ?? ""))
            + "</text>\(picture?.file ?? "")</\(name)>"
    }

    private static func image(
        _ name: String, _ media: (String) -> [UInt8]?
    ) -> (tag: String, file: String) {
        let escaped = XMLElement.escaped(name.replacing("%", with: "%25"))
        let tag = "<img src=\"@@PLUGINFILE@@/\(escaped)\" alt=\"\"/>"
        guard let bytes = media(name) else { return (tag, "") }
        let parts = name.split(separator: "/")
        let folder = "/" + parts.dropLast().map { $0 + "/" }.joined()
        let file =
            "<file name=\"\(XMLElement.escaped(String(parts.last ?? "")))\" path=\"\(XMLElement.escaped(folder))\" encoding=\"base64\">\(Data(bytes).base64EncodedString())</file>"
        return (tag, file)
    }
}
