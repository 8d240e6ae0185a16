import ContentModel
import Publishing

/// A reader of lists of questions in JSON or YAML: in this project's form, or mapped.
enum StructuredReader {
    static func read(
        _ bytes: [UInt8], file: String, isJSON: Bool, settings: ImportSettings
    ) throws(ImportError) -> ImportedDrafts {
        let decoded = try DecodedText(bytes, file: file)
        let report = DecodingReport(
            file: isJSON ? "import.json" : "import.yaml", strictness: .authored)
        guard let root = SourceDocument.parse(Array(decoded.text.utf8), report: report) else {
            let problem = report.problems.first
            let line = problem.map { " at line \($0.position.line)" } ?? ""
            throw ImportError(
                file, .syntax,
                "cannot be read\(line): \(problem?.message ?? "")"
                    + hint(decoded.text, line: problem?.position.line))
        }
        let lists = QuestionLists(root, settings)
        if let missing = settings.lists.first(where: { path in
            !lists.questions.contains { $0.path == path }
        }) {
            let paths = lists.counted.prefix(20).map(\.path).joined(separator: ", ")
            throw ImportError(
                file, .setting, "has no list \(missing) of maps; its lists are \(paths)")
        }
        guard !lists.questions.isEmpty else {
            throw ImportError(file, .noQuestion, "holds no list of questions\(names(root))")
        }
        var result = ImportedDrafts()
        result.encoding = decoded.encoding
        result.begun = lists.questions.reduce(0) { $0 + $1.nodes.count }
        result.lists = lists.counted
        result.profile = FileProfile(lists)
        if !isJSON { result.objectCounts = ListCount.document(root) }
        result.notes += lists.notes(of: file)
        var records: [RawRecord] = []
        let spelling = NumberSpelling(decoded.text)
        for list in lists.questions {
            for node in list.nodes {
                read(
                    node, settings.mapping, spelling, place: "line \(node.position.line)",
                    tag: list.tag, into: &result, &records)
            }
        }
        try RecordLoader(file, settings).read(records, into: &result)
        if !isJSON { noteComments(decoded.text, &result) }
        return result
    }

    /// Notes texts of YAML that a comment cuts short: a `#` behind a space, where no quotes keep it.
    private static func noteComments(_ text: String, _ result: inout ImportedDrafts) {
        guard text.contains(" #") else { return }
        var count = 0
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated() where count < 50 && line.utf8.count <= 20_000 && line.contains(" #")
        {
            guard
                line.contains(
                    /^\s*(?:-\s+)?(?:stem|question|text|prompt|explanation)\s*:\s+[^"'|>\s#][^#]*\s#/
                )
            else { continue }
            count += 1
            let message =
                "what stands behind # is a comment in YAML and was not read; quotes keep it"
            result.note("line \(index + 1)", .unreadText, message)
        }
    }

    /// Says that a line has quotation marks of a word processor, which no format takes as such.
    private static func hint(_ text: String, line: Int?) -> String {
        guard let line, line > 0,
            let found = text.split(separator: "\n", omittingEmptySubsequences: false)
                .dropFirst(line - 1).first?.first(where: { "“”„‟«»".contains($0) })
        else { return "" }
        return "; the line has \(found), and this format needs the plain \""
    }

    /// Names what a map holds in place of a list.
    private static func names(_ root: DocumentNode) -> String {
        guard case .object(let members) = root.content, !members.isEmpty else { return "" }
        let shown = members.prefix(20).map { "\"\($0.key.prefix(60))\"" }
        return "; it has \(shown.joined(separator: ", "))"
    }

    /// Reads one question in our form, or one record by its fields.
    static func read(
        _ node: DocumentNode, _ mapping: [String: String], _ spelling: NumberSpelling,
        place: String, tag: String? = nil, into result: inout ImportedDrafts,
        _ records: inout [RawRecord]
    ) {
        guard case .object(let members) = node.content else {
            return result.skip(place, .syntax, "it is no map but \(node.kindName)")
        }
        if mapping.isEmpty, isOurs(node) {
            let report = DecodingReport(file: "", strictness: .authored)
            if let question = Question.read(node, report: report) {
                var draft = QuestionDraft(question, place: place)
                draft.addTag(tag)
                result.add(draft)
            } else {
                let first = report.problems.first { $0.rule.severity == .error }
                result.skip(
                    place, first.map(SkipReason.init) ?? SkipReason(.invalid, "it is no question"))
            }
            return
        }
        let fields = Dictionary(
            DocumentNode.flattened(members).map { ($0.key, spelling.applied(to: $0.value).value) },
            uniquingKeysWith: { first, _ in first })
        records.append(RawRecord(place: place, fields: fields) { $0.addTag(tag) })
    }

    /// Returns whether a question is in our form: a stem, and a number or options that are maps
    /// with ids.
    private static func isOurs(_ node: DocumentNode) -> Bool {
        if node.member("stem") != nil, case .object = node.member("number")?.value.content {
            return true
        }
        // A key of letters or texts is read as that of a record.
        guard node.member("stem") != nil,
            case .array(let key) = node.member("correct")?.value.content,
            key.allSatisfy({ if case .integer = $0.content { true } else { false } }),
            case .array(let options) = node.member("options")?.value.content
        else { return false }
        return options.allSatisfy { $0.member("id") != nil }
    }
}

extension DocumentNode {
    /// Returns the fields of a record, with those of a `question` that is a map in its place.
    static func flattened(_ members: [Member]) -> [Member] {
        guard let nested = members.first(where: { $0.key == "question" }),
            case .object(let inner) = nested.value.content
        else { return members }
        return members.filter { $0.key != "question" } + inner
    }
}

extension QuestionDraft {
    /// Creates a draft from a question in our form.
    init(_ question: Question, place: String) {
        self.init(place: place, type: question.type, stem: question.stem)
        name = question.id
        domain = question.domain
        difficulty = question.difficulty
        code = question.code
        image = question.image
        audio = question.audio
        explanation = question.explanation
        tags = question.tags
        shufflesOptions = question.shufflesOptions
        textForm = question.textForm
        isRetired = question.isRetired
        options = question.options.map {
            Option(
                text: $0.text, image: $0.image, feedback: $0.feedback, id: $0.id,
                isPinned: $0.isPinned)
        }
        for index in question.correct { options[index].isRight = true }
        if question.type.isOrder { order = question.correct }
        number = question.correctNumber
    }
}
