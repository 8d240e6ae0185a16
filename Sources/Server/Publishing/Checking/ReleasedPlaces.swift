import ContentModel

/// The sources of the parts of one released document.
struct ReleasedPlaces {
    /// A part of a document at its source.
    struct Place {
        /// The source.
        var file: String
        /// The position in the source.
        var position: SourcePosition
        /// The part in words, such as `the question "q7"`.
        var title: String
    }

    private let unit: ContentUnit
    private let released: DocumentNode?
    /// The sources without media, in the order in which the builder reads them.
    private let sources: [(path: String, node: DocumentNode?)]
    private let fallback: String

    /// Reads the released document and its sources.
    ///
    /// - Throws: `PublishingError` `unreadable`.
    init(_ bytes: [UInt8], _ unit: ContentUnit, _ builder: UnitBuilder) throws {
        self.unit = unit
        // A document that is too large is named at its source.
        released = try? JSONParser.parse(bytes)
        sources = try unit.sources.filter { !$0.path.contains("/media/") }
            .map { ($0.path, try builder.document($0).0) }
        fallback = DeviceCheck.largestSource(of: unit)
    }

    /// Returns the source of what stands at a position of the released document.
    func place(of position: SourcePosition) -> Place {
        let path = released?.path(to: position) ?? []
        let title = title(path)
        guard let (file, node, rest) = source(of: path), let node else {
            return Place(file: fallback, position: .start, title: title)
        }
        return Place(file: file, position: node.deepest(along: rest).position, title: title)
    }

    /// Returns true within a question that is not asked any more: an app that leaves it out misses nothing.
    func isRetired(at position: SourcePosition) -> Bool {
        guard let path = released?.path(to: position), path.first == .member("questions"),
            case .bool(true)? = released?.node(at: path.prefix(2))?.member("retired")?.value.content
        else { return false }
        return true
    }

    /// Returns the question that has something at a position; `nil` outside of questions.
    func question(at position: SourcePosition) -> Question? {
        guard let path = released?.path(to: position), path.first == .member("questions"),
            let node = released?.node(at: path.prefix(2))
        else { return nil }
        return Question.read(node, report: DecodingReport(file: "", strictness: .released))
    }

    private typealias Found = (file: String, node: DocumentNode?, rest: [DocumentStep])

    private func source(of path: [DocumentStep]) -> Found? {
        switch unit.step {
        case .announcements:
            guard path.count > 1, case .element(let index) = path[1],
                sources.indices.contains(index)
            else { return nil }
            return (sources[index].path, sources[index].node, Array(path.dropFirst(2)))
        case .exams: return examSource(of: path)
        case .blueprints:
            return correctionSource(of: path, after: documents.first?.node?.correctionCount ?? 0)
                ?? head(path)
        case .localizations: return head(path)
        case .audio, .assets: return nil
        }
    }

    private func examSource(of path: [DocumentStep]) -> Found? {
        if let found = correctionSource(of: path, after: 0) { return found }
        guard path.first == .member("questions"), path.count > 1,
            case .element(var index) = path[1]
        else { return head(path) }
        for source in documents.dropFirst() {
            guard let node = source.node else { continue }
            let prefix: [DocumentStep]
            switch node.content {
            case .array: prefix = []
            default: prefix = [.member("questions")]
            }
            guard case .array(let questions)? = node.node(at: prefix)?.content else { continue }
            if questions.indices.contains(index) {
                return (
                    source.path, node, prefix + [.element(index)] + path.dropFirst(2)
                )
            }
            index -= questions.count
        }
        return nil
    }

    /// Returns the place in `corrections.yaml`, whose entries follow those of the bank itself.
    private func correctionSource(of path: [DocumentStep], after count: Int) -> Found? {
        guard path.first == .member("corrections"), path.count > 1,
            case .element(let index) = path[1], index >= count,
            let source = sources.first(where: { CorrectionsFile.isOne($0.path) }),
            let node = source.node
        else { return nil }
        let prefix: [DocumentStep]
        switch node.content {
        case .array: prefix = []
        default: prefix = [.member("corrections")]
        }
        return (source.path, node, prefix + [.element(index - count)] + path.dropFirst(2))
    }

    /// Returns the file of everything but questions and corrections: `exam.yaml`, else the only document.
    private func head(_ path: [DocumentStep]) -> Found? {
        documents.first.map { ($0.path, $0.node, path) }
    }

    /// The documents without corrections; of an exam `exam.yaml` stands first.
    private var documents: [(path: String, node: DocumentNode?)] {
        let documents = sources.filter { !CorrectionsFile.isOne($0.path) }
        guard unit.step == .exams else { return documents }
        return documents.filter { $0.path.hasSuffix("/exam.yaml") }
            + documents.filter { !$0.path.hasSuffix("/exam.yaml") }
    }

    private func title(_ path: [DocumentStep]) -> String {
        guard case .member(let first)? = path.first else { return "a part" }
        func text(_ field: String) -> String? {
            switch released?.node(at: path.prefix(2))?.member(field)?.value.content {
            case .string(let text): "\"\(text)\""
            case .integer(let number): "\(number)"
            default: nil
            }
        }
        switch (unit.step, first) {
        case (.localizations, _): return "the text \"\(first)\""
        case (_, "questions"): return "the question " + (text("id") ?? "without an id")
        case (_, "announcements"):
            return "the announcement " + (text("identifier") ?? "without an identifier")
        case (_, "corrections"): return "a correction of " + (text("question") ?? "a question")
        case (_, "domains"): return "the domain \(text("id") ?? "without an id") or a field of it"
        default: return "the field \"\(first)\""
        }
    }
}

extension DocumentNode {
    /// Returns the path to the innermost value whose text, with its name, includes a position.
    func path(to position: SourcePosition) -> [DocumentStep] {
        guard self.position < position else { return [] }
        switch content {
        case .array(let elements):
            let count = elements.partitionIndex { $0.position > position }
            guard count > 0 else { return [] }
            return [.element(count - 1)] + elements[count - 1].path(to: position)
        case .object(let members):
            let count = members.partitionIndex { $0.keyPosition > position }
            guard count > 0 else { return [] }
            return [.member(members[count - 1].key)]
                + members[count - 1].value.path(to: position)
        default: return []
        }
    }

    /// Returns the last node that there is along a path.
    fileprivate func deepest(along path: [DocumentStep]) -> DocumentNode {
        guard let step = path.first, let next = node(at: [step]) else { return self }
        return next.deepest(along: Array(path.dropFirst()))
    }

    fileprivate var correctionCount: Int {
        guard case .array(let nodes)? = member("corrections")?.value.content else { return 0 }
        return nodes.count
    }
}

extension Array {
    /// Returns the number of first elements that do not meet a condition, which all others meet.
    fileprivate func partitionIndex(_ isAfter: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
