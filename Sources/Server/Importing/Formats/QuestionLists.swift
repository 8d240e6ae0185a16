import ContentModel

/// The lists of questions in a document, by their paths, and the other lists by name.
///
/// A list is one of questions if half of its objects have a question, and options, a key or wrong answers. A list
/// inside of a record belongs to that record.
struct QuestionLists {
    /// One list of questions.
    struct Found {
        var path: String
        var nodes: [DocumentNode]
        /// The name of the list, which says something about its questions; `nil` for a usual name.
        var tag: String?
    }

    /// The lists of questions, in the order of the document.
    private(set) var questions: [Found] = []
    /// The lists of objects that are no questions: their paths and the number of their objects, in order.
    private(set) var unread: [(path: String, objects: Int)] = []
    private let settings: ImportSettings
    /// The path that is read whatever its objects have.
    private var forced: String?

    /// Collects the lists of a document.
    ///
    /// Without a list of questions, the first list is read, so that a reason is said for each of its entries.
    init(_ root: DocumentNode, _ settings: ImportSettings) {
        self.settings = settings
        collect(root, path: "$", name: nil)
        guard settings.lists.isEmpty, questions.isEmpty, let first = Self.first(root) else {
            return
        }
        (unread, forced) = ([], first)
        collect(root, path: "$", name: nil)
    }

    /// The lists with the number of their objects, for ``ListCount``.
    var counted: [ImportedDrafts.List] {
        questions.map { list in
            .init(path: list.path, objects: list.nodes.count(where: \.isObject), isRead: true)
        } + unread.map { .init(path: $0.path, objects: $0.objects, isRead: false) }
    }

    /// Returns notes about read and skipped parts of the document; none if one list is all of it.
    func notes(of file: String, limit: Int = 20) -> [ImportResult.Note] {
        var notes: [ImportResult.Note] = []
        func note(_ code: ImportCode, _ message: String) {
            notes.append(.init(place: file, code: code, message: message))
        }
        let paths = Self.totals(questions.map { ($0.path, $0.nodes.count) })
        if paths.count > 1 {
            let shown = paths.prefix(limit).map { "\($0.path) (\($0.count))" }
            let more = paths.count > limit ? " and \(paths.count - limit) more" : ""
            note(.lists, "\(paths.count) lists were read: \(shown.joined(separator: ", "))\(more)")
        }
        let others = Self.totals(unread.map { ($0.path, $0.objects) })
        let why =
            settings.lists.isEmpty ? "has no questions and was not read" : "was not asked for"
        for (path, count) in others.prefix(limit) {
            let entries = count == 1 ? "1 entry" : "\(count) entries"
            note(.listUnread, "the list \(path) with \(entries) \(why)")
        }
        if others.count > limit {
            note(
                .listUnread,
                settings.lists.isEmpty
                    ? "\(others.count - limit) more lists have no questions and were not read"
                    : "\(others.count - limit) more lists were not asked for")
        }
        return notes
    }

    private mutating func collect(_ node: DocumentNode, path: String, name: String?) {
        switch node.content {
        case .array(let nodes):
            let objects = nodes.filter(\.isObject)
            let isChosen =
                settings.lists.isEmpty ? isOfQuestions(objects) : settings.lists.contains(path)
            if path == forced || !objects.isEmpty && isChosen {
                questions.append(
                    Found(path: path, nodes: nodes, tag: name.flatMap(Self.tag)))
                return
            }
            if !objects.isEmpty { unread.append((path, objects.count)) }
            for element in nodes { collect(element, path: path + "[]", name: nil) }
        case .object(let members):
            for member in members {
                collect(member.value, path: path + "." + member.key, name: member.key)
            }
        default: break
        }
    }

    private func isOfQuestions(_ objects: [DocumentNode]) -> Bool {
        2 * objects.count(where: isQuestion) >= objects.count
    }

    private func isQuestion(_ node: DocumentNode) -> Bool {
        guard case .object(let own) = node.content else { return false }
        let members = DocumentNode.flattened(own)
        let keys = Set(members.map(\.key))
        func has(_ name: String) -> Bool {
            let names =
                settings.mapping[name].map { [$0] } ?? MappedRecord.synonyms[name] ?? [name]
            return names.contains(where: keys.contains)
        }
        guard has("stem") else { return false }
        if ["options", "correct", "wrong"].contains(where: has) { return true }
        if node.member("number")?.value.isObject == true { return true }
        return !settings.optionColumns.isEmpty
            || members.count { MappedRecord.optionName($0.key) != nil } > 1
    }

    private static func tag(_ name: String) -> String? {
        let usual: Set = ["questions", "items", "data", "results"]
        return name.isEmpty || name.utf8.count > 60 || usual.contains(name) ? nil : name
    }

    /// Returns the path of the root's list, of `questions`, or of the first list of objects in a map.
    private static func first(_ root: DocumentNode) -> String? {
        switch root.content {
        case .array: return "$"
        case .object(let members):
            let own = members.first { $0.key == "questions" && $0.value.isArray }
            let other = members.first { member in
                guard case .array(let nodes) = member.value.content else { return false }
                return nodes.first?.isObject == true
            }
            return (own ?? other).map { "$." + $0.key }
        default: return nil
        }
    }

    /// Returns each path once, with the sum of its counts.
    fileprivate static func totals(
        _ lists: [(String, Int)]
    ) -> [(path: String, count: Int)] {
        var places: [String: Int] = [:]
        var totals: [(path: String, count: Int)] = []
        for (path, count) in lists {
            if let place = places[path] {
                totals[place].count += count
            } else {
                places[path] = totals.count
                totals.append((path, count))
            }
        }
        return totals
    }
}

extension FileProfile {
    /// Names the lists of a document.
    init(_ lists: QuestionLists) {
        self.init()
        self.lists = QuestionLists.totals(lists.questions.map { ($0.path, $0.nodes.count) })
            .map { List(path: $0.path, records: $0.count) }
        unreadLists = QuestionLists.totals(lists.unread.map { ($0.path, $0.objects) })
            .map { List(path: $0.path, records: $0.count) }
    }
}

extension DocumentNode {
    /// True for a map.
    var isObject: Bool { if case .object = content { true } else { false } }
    /// True for a list.
    fileprivate var isArray: Bool { if case .array = content { true } else { false } }
}
