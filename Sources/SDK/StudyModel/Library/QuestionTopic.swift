public import Underway

/// A topic of a bank's questions: a domain, or a tag where the bank has no domains.
public enum QuestionTopic: Sendable, Hashable {
    /// The domain with an id.
    case domain(String)
    /// The questions with a tag.
    case tag(String)

    /// Reads a ``name``; `nil` for another text.
    public init?(name: String) {
        let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        switch parts[0] {
        case "domain": self = .domain(parts[1])
        case "tag": self = .tag(parts[1])
        default: return nil
        }
    }

    /// The topic as one text, such as `domain:memory`.
    public var name: String {
        switch self {
        case .domain(let id): "domain:\(id)"
        case .tag(let tag): "tag:\(tag)"
        }
    }

    /// Returns true for a question of the topic.
    public func covers(_ question: Question) -> Bool {
        switch self {
        case .domain(let id): question.domain == id
        case .tag(let tag): question.tags.contains(tag)
        }
    }
}

extension Blueprint {
    /// Returns the topics of a question: its domain; in a bank without domains, its tags.
    func topics(of question: Question) -> [QuestionTopic] {
        guard domains.isEmpty else { return question.domain.map { [.domain($0)] } ?? [] }
        return Set(question.tags).map(QuestionTopic.tag)
    }

    /// Returns the title of a topic; `nil` for a domain that the bank does not name.
    func title(of topic: QuestionTopic) -> String? {
        switch topic {
        case .domain(let id): domains.first { $0.id == id }?.title
        case .tag(let tag): tag
        }
    }
}
