import ContentModel
import Publishing

/// The checker's messages about one question, each at its field.
///
/// It is the check of a publish: the same reading, with the other questions of the bank.
struct QuestionCheck: Sendable {
    /// A message.
    struct Message: Sendable, Hashable {
        /// The field, as `stem` or `options.2`; empty for none of the form.
        var field: String
        var isError: Bool
        /// The sentences.
        var text: String
    }

    let messages: [Message]

    /// Checks a value.
    ///
    /// - Parameters:
    ///   - value: The question as it would be in the file.
    ///   - id: Its id in the file now.
    ///   - bank: The bank.
    init(_ value: JSONValue, id: String, in bank: IndexedBank) {
        let bytes = value.canonicalBytes
        guard let node = try? JSONParser.parse(bytes) else {
            messages = []
            return
        }
        var blueprint =
            bank.content.head
            ?? Blueprint(kind: .exam, id: bank.name, title: "", version: "", questions: [])
        var isFirst = true
        blueprint.questions = bank.content.questions.compactMap { other in
            // Only the edited one is left out: another of the same id is a problem.
            if other.id == id, isFirst {
                isFirst = false
                return nil
            }
            return other.question
        }
        let count = blueprint.questions.count
        let report = DecodingReport(file: "", strictness: .authored)
        blueprint.addQuestions(
            DocumentNode(.array([node]), at: node.position), report: report)
        var messages = report.problems.map { problem in
            Message(
                field: Self.field(of: problem, in: node), isError: problem.rule.severity == .error,
                text: Self.sentence(problem.message) + " " + problem.hint)
        }
        if blueprint.questions.count > count {
            messages += Self.media(blueprint.questions[count], bank)
        }
        self.messages = messages.sorted { Self.rank($0.field) < Self.rank($1.field) }
    }

    /// The fields in the order of the form.
    private static let order = [
        "", "stem", "code", "image", "audio", "options", "number", "explanation", "domain",
        "difficulty",
        "tags",
    ]

    /// Returns the place of a field in the form; fields of one option keep their order, as sorting is stable.
    private static func rank(_ field: String) -> Int {
        let first = field.prefix { $0 != "." }
        return order.firstIndex(of: String(first)) ?? order.count
    }

    private static func media(_ question: Question, _ bank: IndexedBank) -> [Message] {
        let present = bank.content.mediaNames
        let shown =
            [("image", question.image)]
            + question.options.enumerated().map { ("options.\($0).image", $1.image) }
        return clip(question, bank)
            + shown.compactMap { field, name in
                guard let name, present?.contains(name) != true else { return nil }
                return Message(
                    field: field, isError: true,
                    text: present == nil
                        ? "The question shows an image, but placement tests have none."
                        : "The media of the exam have no file \(name). Add it to the folder exams/\(bank.name)/media."
                )
            }
    }

    private static func clip(_ question: Question, _ bank: IndexedBank) -> [Message] {
        guard let file = question.audio?.file, !bank.content.clipNames.contains(file) else {
            return []
        }
        let folder =
            bank.content.mediaNames == nil
            ? "languages/\(bank.name)/audio" : "exams/\(bank.name)/media"
        return [
            Message(
                field: "audio.file", isError: true,
                text: "There is no file \(file). Add it to the folder \(folder).")
        ]
    }

    private static func sentence(_ text: String) -> String {
        let end = text.last.map { ".?!".contains($0) } == true ? "" : "."
        return text.prefix(1).uppercased() + text.dropFirst() + end
    }

    // MARK: Fields

    private static func field(of problem: Problem, in node: DocumentNode) -> String {
        if problem.position == node.position {
            if let match = problem.message.firstMatch(of: /the field "(\w+)" is missing/) {
                return String(match.1)
            }
            switch problem.rule {
            case .keyMissing: return problem.message.contains("number") ? "number" : "options"
            case .hierarchy: return "domain"
            case .duplicateStem, .longestOption: return "stem"
            default: return ""
            }
        }
        return shownField(place(of: problem.position, in: node, "") ?? "")
    }

    /// Returns the path of what starts at a position, outer values first.
    private static func place(
        of position: SourcePosition, in node: DocumentNode, _ path: String
    ) -> String? {
        func inner(_ name: String) -> String { path.isEmpty ? name : path + "." + name }
        switch node.content {
        case .object(let members):
            for member in members {
                if member.value.position == position || member.keyPosition == position {
                    return inner(member.key)
                }
                if let found = place(of: position, in: member.value, inner(member.key)) {
                    return found
                }
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                if element.position == position { return inner(String(index)) }
                if let found = place(of: position, in: element, inner(String(index))) {
                    return found
                }
            }
        default: break
        }
        return nil
    }

    /// Returns the field of the form that shows a value.
    private static func shownField(_ path: String) -> String {
        let parts = path.split(separator: ".").map(String.init)
        switch parts.first {
        case "stem", "image", "explanation", "domain", "tags": return parts[0]
        case "difficulty": return "difficulty"
        case "code": return parts.count > 1 && parts[1] == "language" ? "code.language" : "code"
        case "audio": return parts.count > 1 ? "audio.\(parts[1])" : "audio.title"
        case "correct": return "options"
        case "number": return parts.count > 1 ? "number.\(parts[1])" : "number"
        case "options":
            guard parts.count > 1 else { return "options" }
            return parts.count > 2 && ["feedback", "image"].contains(parts[2])
                ? "options.\(parts[1]).\(parts[2])" : "options.\(parts[1])"
        default: return ""
        }
    }
}
