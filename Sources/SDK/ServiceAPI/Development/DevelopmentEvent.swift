public import ContentModel

/// An event that `underway dev` sends to listening apps.
public enum DevelopmentEvent: Sendable, Hashable {
    /// A release became current.
    case release(Int)
    /// The content has problems; the last release remains current.
    case problems([Problem])
    /// Publishing failed for another reason; the last release remains current.
    case failure(String)

    /// The path of the event stream (text/event-stream).
    public static let route = "/api/dev/v1/events"

    /// The maximum number of problems in one event.
    public static let problemsMax = 100

    /// The event as a message of the stream.
    package var message: EventMessage {
        let data: JSONValue
        let name: String
        switch self {
        case .release(let number): (name, data) = ("release", ["release": .integer(number)])
        case .problems(let problems):
            let listed = problems.prefix(Self.problemsMax).map(\.json)
            (name, data) = ("problems", ["problems": .array(listed)])
        case .failure(let text): (name, data) = ("failure", ["message": .string(text)])
        }
        return EventMessage(name: name, data: String(decoding: data.canonicalBytes, as: UTF8.self))
    }

    /// Parses an event; `nil` for a kind that this version does not know.
    package init?(_ message: EventMessage) {
        guard let node = try? JSONParser.parse(Array(message.data.utf8)) else { return nil }
        let report = DecodingReport(file: "event", strictness: .released)
        guard let reader = ObjectReader(node, fields: [], report: report) else { return nil }
        switch message.name {
        case "release":
            guard let number = reader.requiredInteger("release") else { return nil }
            self = .release(number)
        case "problems":
            self = .problems((reader.array("problems") ?? []).compactMap { Problem($0) })
        case "failure":
            guard let text = reader.requiredString("message") else { return nil }
            self = .failure(text)
        default: return nil
        }
    }
}

extension Problem {
    /// The JSON form of a problem in reports and events.
    public var json: JSONValue {
        [
            "rule": .string(rule.rawValue), "severity": .string(rule.severity.rawValue),
            "file": .string(file), "line": .integer(position.line),
            "column": .integer(position.column), "message": .string(message),
            "hint": .string(hint),
        ]
    }

    /// Parses the JSON form; `nil` for a rule that this version does not know.
    package init?(_ node: DocumentNode) {
        let report = DecodingReport(file: "event", strictness: .released)
        guard let reader = ObjectReader(node, fields: [], report: report),
            let rule = reader.string("rule").flatMap({ Rule(rawValue: $0) }),
            let file = reader.string("file"), let message = reader.string("message")
        else { return nil }
        self.init(
            rule, file: file,
            position: SourcePosition(
                line: reader.integer("line") ?? 1, column: reader.integer("column") ?? 1),
            message: message, hint: reader.string("hint"))
    }
}
