import ContentModel
import ContentServer
import Publishing

/// The questions of the content folder in memory: of an unchanged bank nothing is read again.
///
/// A look costs a scan of the folder. One look at a time: each sees what was saved before it began.
actor ContentIndex {
    private let options: DeskOptions
    private let gate: BoundedThreadPool
    private var current = ContentSnapshot()
    private var running: Task<ContentSnapshot, any Error>?

    init(_ options: DeskOptions, gate: BoundedThreadPool) {
        self.options = options
        self.gate = gate
    }

    /// Returns the questions as they are now.
    ///
    /// - Throws: `PublishingError` when the folder cannot be read.
    func snapshot() async throws -> ContentSnapshot {
        let before = running
        let task = Task {
            _ = await before?.result
            let (known, options) = (self.current, self.options)
            let next = try await self.gate.run { try known.renewed(options) }
            self.current = next
            return next
        }
        running = task
        return try await task.value
    }
}

/// The questions of the content folder at one moment.
struct ContentSnapshot: Sendable {
    /// The banks, sorted by name.
    private(set) var banks: [IndexedBank] = []
    /// The number of banks that the last look read.
    private(set) var banksRead = 0
    private var released: Released?

    /// The banks of one release.
    private struct Released: Sendable {
        var stamp: FileStamp
        var banks: ReleasedBanks
    }

    /// Returns a bank; `nil` when there is none of the name.
    func bank(_ name: String) -> IndexedBank? { banks.first { $0.name == name } }

    /// Looks at the folder again.
    func renewed(_ options: DeskOptions) throws -> ContentSnapshot {
        var next = self
        let folder = try BankFolder(options.content)
        let stamp = ReleasedBanks.stamp(options.release)
        if next.released?.stamp != stamp {
            next.released = try stamp.map {
                Released(stamp: $0, banks: try ReleasedBanks(options.release))
            }
        }
        let known = Dictionary(
            banks.map { ($0.sources, $0) }, uniquingKeysWith: { first, _ in first })
        next.banksRead = 0
        next.banks = try folder.banks.map { sources in
            if let bank = known[sources],
                bank.releaseChecksum == next.released?.banks.checksums[sources.name]
            {
                return bank
            }
            next.banksRead += 1
            let content = try known[sources]?.content ?? folder.read(sources)
            return try IndexedBank(sources, content, next.released?.banks)
        }
        return next
    }
}

/// A bank in the index.
struct IndexedBank: Sendable {
    let sources: BankSources
    let content: BankContent
    /// The checksum of the released bank; `nil` when it is not released.
    let releaseChecksum: Checksum?
    /// The questions with what the list asks about them.
    let questions: [IndexedQuestion]
    /// The questions that the release has otherwise, as it has them; `nil` for those that it does not have.
    private let differing: [String: Question?]

    var name: String { sources.name }

    /// The title; the name without one.
    var title: String {
        content.head.map { $0.title.isEmpty ? name : $0.title } ?? name
    }

    /// The language of the questions, where it is known: a placement test is in its own.
    var language: String? { content.head?.textLanguage ?? (name.contains("/") ? nil : name) }

    init(_ sources: BankSources, _ content: BankContent, _ release: ReleasedBanks?) throws {
        self.sources = sources
        self.content = content
        releaseChecksum = release?.checksums[sources.name]
        var differing: [String: Question?] = [:]
        if content.checksum != releaseChecksum {
            let released = try release?.questions(of: sources.name) ?? [:]
            for question in content.questions where question.question != released[question.id] {
                differing[question.id] = .some(released[question.id])
            }
        }
        self.differing = differing
        questions = content.questions.map { question in
            IndexedQuestion(
                question,
                change: differing[question.id].map { $0 == nil ? .new : .changed })
        }
    }

    /// Returns a question; `nil` when there is none.
    func question(_ id: String) -> BankQuestion? { content.questions.first { $0.id == id } }

    /// Returns a question as the release has it; `nil` when it does not.
    func released(_ id: String) -> Question? {
        if let found = differing[id] { return found }
        return releaseChecksum == nil ? nil : question(id)?.question
    }

    /// Returns the name of a bank as a part of an address: `int~made` for `int/made`.
    static func pathName(of name: String) -> String { name.replacing("/", with: "~") }

    /// Returns the name of a bank by its part of an address.
    static func name(ofPath part: String) -> String { part.replacing("~", with: "/") }
}

/// A question as the list asks about it.
struct IndexedQuestion: Sendable {
    /// The difference of a question from the release.
    enum Change: Sendable { case new, changed }

    var id: String
    var stem: String
    /// The form of the stem; plain for a question with errors.
    var textForm: TextForm
    var type: QuestionType?
    var domain: String?
    var level: Int?
    var isRetired: Bool
    var tags: [String]
    var errors: Int
    var warnings: Int
    var change: Change?
    /// The texts in which a search looks, in lower case with single spaces.
    let searched: String

    init(_ question: BankQuestion, change: Change?) {
        let value = question.value
        id = question.id
        stem = value["stem"]?.shownText ?? ""
        textForm = question.question?.textForm ?? .plain
        type = (value["type"]?.shownText).flatMap(QuestionType.init(rawValue:))
        domain = value["domain"]?.shownText
        level = if case .integer(let level)? = value["difficulty"] { level } else { nil }
        isRetired = value["retired"] == true
        tags = value["tags"]?.elements?.map(\.shownText) ?? []
        errors = question.problems.count { $0.rule.severity == .error }
        warnings = question.problems.count - errors
        self.change = change
        let options = value["options"]?.elements?.compactMap { $0["text"]?.shownText } ?? []
        searched = ([id, stem] + options + tags).joined(separator: "\n").normalizedForComparison
    }
}

extension JSONValue {
    /// Returns the value of a name in an object.
    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self, let value = members[name], value != .null else {
            return nil
        }
        return value
    }

    /// The elements of a list; `nil` for anything else.
    var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// A text as it is; anything else as it would be written.
    var shownText: String {
        if case .string(let text) = self { return text }
        return String(decoding: canonicalBytes, as: UTF8.self)
    }
}
