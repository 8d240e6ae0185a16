extension Blueprint {
    /// Reads a released blueprint whole: a question that cannot be read refuses it.
    ///
    /// - Throws: `ContentError` with everything that is wrong with it.
    public init(released bytes: [UInt8], file: String = "blueprint.json") throws(ContentError) {
        let report = DecodingReport(file: file, strictness: .released)
        let node: DocumentNode
        do throws(DocumentSyntaxError) {
            node = try JSONParser.parse(bytes)
        } catch {
            report.note(error)
            throw ContentError(problems: report.problems)
        }
        self = try report.result(Self.read(node, report: report))
    }

    /// Reads a whole blueprint: a placement test's source, or any released one.
    public static func read(_ node: DocumentNode, report: DecodingReport) -> Blueprint? {
        let fields: Set<String> = [
            "kind", "id", "title", "version", "domains", "levels", "scoring", "questions",
        ]
        guard let reader = ObjectReader(node, fields: fields, report: report) else { return nil }
        let kind = reader.requiredNode("kind").flatMap { _ in
            reader.value("kind", "placement or exam", Kind.init(rawValue:))
        }
        guard var blueprint = readHead(reader, kind: kind ?? .placement) else { return nil }
        blueprint.id = readID(reader, kind: blueprint.kind) ?? ""
        blueprint.readQuestions(reader, "questions")
        return blueprint
    }

    /// Reads what `exam.yaml` says: everything but the questions.
    ///
    /// The id is the folder's.
    public static func readExam(
        _ node: DocumentNode, id: String, report: DecodingReport
    ) -> Blueprint? {
        let fields: Set<String> = ["title", "version", "domains", "levels", "scoring"]
        guard let reader = ObjectReader(node, fields: fields, report: report) else { return nil }
        var blueprint = readHead(reader, kind: .exam)
        blueprint?.id = id
        return blueprint
    }

    /// Reads a file of questions, a list or a map with `questions`, and adds them.
    public mutating func addQuestions(_ node: DocumentNode, report: DecodingReport) {
        if case .array(let nodes) = node.content {
            addQuestions(nodes, report)
        } else if let reader = ObjectReader(node, fields: ["questions"], report: report) {
            readQuestions(reader, "questions")
        }
    }

    private static func readHead(_ reader: ObjectReader, kind: Kind) -> Blueprint? {
        let title = reader.requiredString("title")
        let blueprint = Blueprint(
            kind: kind, id: "", title: title ?? "", version: reader.string("version") ?? "",
            domains: readDomains(reader), levels: readLevels(reader),
            scoring: readScoring(reader), questions: [])
        return title == nil ? nil : blueprint
    }

    private static func readID(_ reader: ObjectReader, kind: Kind) -> String? {
        reader.requiredNode("id").flatMap { _ in
            switch kind {
            case .placement:
                reader.value("id", "a language code") { Identifier.isValid($0) ? $0 : nil }
            case .exam:
                reader.value("id", "region/exam") { Identifier.examKey($0) == nil ? nil : $0 }
            }
        }
    }

    private static func readDomains(_ reader: ObjectReader) -> [Domain] {
        var ids: Set<String> = []
        return (reader.array("domains") ?? []).compactMap { node -> Domain? in
            let fields: Set<String> = ["id", "title", "weight"]
            guard let domain = ObjectReader(node, fields: fields, report: reader.report),
                let id = Question.readID(domain), let title = domain.requiredString("title")
            else { return nil }
            if !ids.insert(id).inserted {
                reader.report.note(
                    .duplicateIdentifier, at: node.position,
                    "the domain \"\(id)\" is declared twice")
            }
            let weight = domain.decimal("weight") ?? 1
            if weight <= 0 {
                reader.report.note(
                    .invalidValue, at: node.position, "a weight must be greater than 0",
                    hint: "Give the domain's share of the exam, for example 30.")
            }
            return Domain(id: id, title: title, weight: weight)
        }
    }

    private static func readLevels(_ reader: ObjectReader) -> [Int: String] {
        var levels: [Int: String] = [:]
        for member in reader.memberNodes("levels") ?? [] {
            guard let level = Int(member.key), (1...5).contains(level),
                case .string(let label) = member.value.content
            else {
                reader.report.note(
                    .invalidValue, at: member.keyPosition,
                    "\"levels\" gives the difficulties 1 to 5 a text, not \"\(member.key)\"")
                continue
            }
            levels[level] = label
        }
        return levels
    }

    private static func readScoring(_ reader: ObjectReader) -> Scoring {
        guard let node = reader.node("scoring"),
            let scoring = ObjectReader(node, fields: ["cuts", "pass"], report: reader.report)
        else { return Scoring() }
        let cuts = (scoring.array("cuts") ?? []).compactMap { node -> CutScore? in
            guard
                let cut = ObjectReader(node, fields: ["level", "from"], report: reader.report),
                let level = cut.requiredString("level"), let from = cut.requiredInteger("from")
            else { return nil }
            return CutScore(level: level, from: from)
        }
        let isAscending = zip(cuts, cuts.dropFirst()).allSatisfy { $0.from < $1.from }
        if let first = cuts.first, first.from != 0 || !isAscending {
            reader.report.note(
                .scoring, at: node.position, "the cut scores do not rise from 0")
        }
        let pass = scoring.decimal("pass")
        if let pass, !(0...1).contains(pass) {
            reader.report.note(
                .scoring, at: node.position, "\"pass\" is \(pass), but must be from 0 to 1",
                hint: "Write 0.72 for 72 %.")
        }
        return Scoring(cuts: cuts, passFraction: pass)
    }

    private mutating func readQuestions(_ reader: ObjectReader, _ key: String) {
        if let nodes = reader.requiredArray(key) { addQuestions(nodes, reader.report) }
    }

    private mutating func addQuestions(_ nodes: [DocumentNode], _ report: DecodingReport) {
        var ids = Set(questions.map(\.id))
        let declared = Set(domains.map(\.id))
        var added: [(question: Question, position: SourcePosition)] = []
        if questions.count + nodes.count > ContentLimits.questionsMax, let first = nodes.first {
            report.note(
                .limitExceeded, at: first.position,
                "more than \(ContentLimits.questionsMax) questions in one blueprint")
        }
        for node in nodes {
            let question = report.part { report -> Question? in
                guard let question = Question.read(node, report: report) else { return nil }
                if ids.contains(question.id) {
                    report.note(
                        .duplicateIdentifier, at: node.position,
                        "the question id \"\(question.id)\" stands here twice")
                }
                if let message = question.domainProblem(declared) {
                    report.note(.hierarchy, at: node.position, message)
                }
                return question
            }
            guard let question else { continue }
            ids.insert(question.id)
            added.append((question, node.position))
        }
        leftOutCount += nodes.count - added.count
        report.lint {
            var part = self
            part.questions = added.map(\.question)
            part.lint(report, positions: added.map(\.position))
        }
        questions += added.map(\.question)
    }
}

extension Question {
    fileprivate func domainProblem(_ declared: Set<String>) -> String? {
        guard let domain else {
            return declared.isEmpty ? nil : "the question \"\(id)\" belongs to no domain"
        }
        return declared.contains(domain) ? nil : "the domain \"\(domain)\" is not declared"
    }
}
