extension Blueprint {
    /// Parses a complete released blueprint; an unreadable question rejects it.
    ///
    /// - Throws: `ContentError` with all reasons.
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
    package static func read(_ node: DocumentNode, report: DecodingReport) -> Blueprint? {
        guard let reader = ObjectReader(node, as: .blueprint, report: report) else { return nil }
        let kind: Kind? = reader.requiredNode("kind").flatMap { _ in
            reader.value(
                "kind", of: .blueprintKinds,
                report.names(of: .blueprintKinds, joinedBy: " or "))
        }
        guard var blueprint = readHead(reader, kind: kind ?? .placement) else { return nil }
        blueprint.id = readID(reader, kind: blueprint.kind) ?? ""
        blueprint.readQuestions(reader, "questions")
        blueprint.addCorrections(reader.optional { $0.array("corrections") } ?? [], report)
        if let scoring = reader.node("scoring") {
            report.lint { blueprint.lintLevels(report, at: scoring.position) }
        }
        return blueprint
    }

    /// Reads `exam.yaml`: everything except the questions.
    ///
    /// The id is the folder's.
    package static func readExam(
        _ node: DocumentNode, id: String, report: DecodingReport
    ) -> Blueprint? {
        let fields: Set<String> = [
            "title", "version", "domains", "levels", "scoring", "text", "language",
        ]
        guard let reader = ObjectReader(node, fields: fields, report: report) else { return nil }
        var blueprint = readHead(reader, kind: .exam)
        blueprint?.id = id
        return blueprint
    }

    /// Reads a file of questions, a list or an object with `questions`, and adds them.
    package mutating func addQuestions(_ node: DocumentNode, report: DecodingReport) {
        if case .array(let nodes) = node.content {
            addQuestions(nodes, report)
        } else if let reader = ObjectReader(node, fields: ["questions"], report: report) {
            readQuestions(reader, "questions")
        }
    }

    private static func readHead(_ reader: ObjectReader, kind: Kind) -> Blueprint? {
        let title = reader.requiredString("title")
        var blueprint = Blueprint(
            kind: kind, id: "", title: title ?? "",
            version: reader.optional { $0.string("version") } ?? "",
            domains: readDomains(reader), levels: readLevels(reader),
            scoring: readScoring(reader), questions: [])
        blueprint.textForm = reader.optional { Question.readTextForm($0) } ?? .plain
        blueprint.language = reader.optional { own in
            own.value("language", "a language tag, such as de or pt-BR") {
                LanguageTag.isWellFormed($0) ? $0 : nil
            }
        }
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
        return (reader.optional { $0.array("domains") } ?? []).compactMap { node -> Domain? in
            reader.report.part { readDomain(node, ids: &ids, $0) }
        }
    }

    private static func readDomain(
        _ node: DocumentNode, ids: inout Set<String>, _ report: DecodingReport
    ) -> Domain? {
        guard let domain = ObjectReader(node, as: .domain, report: report),
            let id = Question.readID(domain)
        else { return nil }
        // A domain without a title serves a device better than no domain: questions belong to it.
        let isOnDevice = report.strictness == .device
        guard
            let title = domain.optional({ $0.requiredString("title") })
                ?? (isOnDevice ? id : nil)
        else { return nil }
        if !ids.insert(id).inserted {
            report.note(
                .duplicateIdentifier, at: node.position, "the domain \"\(id)\" is declared twice")
        }
        let weight = domain.optional { readWeight($0, at: node.position) } ?? 1
        return Domain(id: id, title: title, weight: weight)
    }

    private static func readWeight(_ domain: ObjectReader, at position: SourcePosition) -> Double? {
        let weight = domain.decimal("weight") ?? 1
        if weight <= 0 {
            domain.report.note(
                .invalidValue, at: position, "a weight must be greater than 0",
                hint: "Give the domain's share of the exam, for example 30.")
        }
        return weight
    }

    private static func readLevels(_ reader: ObjectReader) -> [Int: String] {
        var levels: [Int: String] = [:]
        for member in reader.optional({ $0.memberNodes("levels") }) ?? [] {
            let label = reader.report.part { report -> (Int, String)? in
                guard let level = Int(member.key), (1...5).contains(level),
                    case .string(let label) = member.value.content
                else {
                    report.note(
                        .invalidValue, at: member.keyPosition,
                        "\"levels\" gives the difficulties 1 to 5 a text, not \"\(member.key)\"")
                    return nil
                }
                return (level, label)
            }
            if let label { levels[label.0] = label.1 }
        }
        return levels
    }

    private static func readScoring(_ reader: ObjectReader) -> Scoring {
        guard let node = reader.node("scoring"),
            let scoring = reader.report.part({ ObjectReader(node, as: .scoring, report: $0) })
        else { return Scoring() }
        let own = ObjectReader(scoring, report: reader.report)
        // With some of the cuts missing, a device would place a learner wrongly: it uses all or
        // none.
        let cuts = own.optional { readCuts($0, at: node.position) } ?? []
        return Scoring(
            cuts: cuts, outOf: own.optional { readOutOf($0, cuts, at: node.position) },
            passFraction: own.optional { readPass($0, at: node.position) })
    }

    private static func readCuts(
        _ scoring: ObjectReader, at position: SourcePosition
    ) -> [CutScore] {
        let cuts = (scoring.array("cuts") ?? []).compactMap { node -> CutScore? in
            guard
                let cut = ObjectReader(node, as: .cut, report: scoring.report),
                let level = cut.requiredString("level"), let from = cut.requiredInteger("from")
            else { return nil }
            return CutScore(level: level, from: from)
        }
        let isAscending = zip(cuts, cuts.dropFirst()).allSatisfy { $0.from < $1.from }
        if let first = cuts.first, first.from != 0 || !isAscending {
            scoring.report.note(.scoring, at: position, "the cut scores do not rise from 0")
        }
        return cuts
    }

    private static func readPass(_ scoring: ObjectReader, at position: SourcePosition) -> Double? {
        let pass = scoring.decimal("pass")
        if let pass, !(0...1).contains(pass) {
            scoring.report.note(
                .scoring, at: position, "\"pass\" is \(pass), but must be from 0 to 1",
                hint: "Write 0.72 for 72 %.")
        }
        return pass
    }

    private static func readOutOf(
        _ scoring: ObjectReader, _ cuts: [CutScore], at position: SourcePosition
    ) -> Int? {
        let outOf = scoring.integer("outOf")
        if let outOf, outOf < max(1, cuts.last?.from ?? 0) {
            scoring.report.note(
                .scoring, at: position, "no level beyond \"outOf\", \(outOf), can be reached",
                hint: "Give the number of questions that the cuts were set for.")
        }
        return outOf
    }

    private mutating func readQuestions(_ reader: ObjectReader, _ key: String) {
        guard let nodes = reader.requiredArray(key) else { return }
        addQuestions(nodes, reader.report, isWithoutDomains: reader.hasUnreadableDomains)
    }

    /// Adds the readable questions.
    ///
    /// With `isWithoutDomains` the list of domains was unreadable, so the questions belong to none.
    private mutating func addQuestions(
        _ nodes: [DocumentNode], _ report: DecodingReport, isWithoutDomains: Bool = false
    ) {
        var ids = Set(questions.map(\.id))
        let declared = Set(domains.map(\.id))
        var added: [(question: Question, position: SourcePosition)] = []
        let limit = report.limit(.questions)
        if questions.count + nodes.count > limit, let first = nodes.first {
            report.note(
                .limitExceeded, at: first.position,
                "more than \(limit) questions in one blueprint")
            // On a device nobody reads the problems of each question.
            if report.strictness == .device { return }
        }
        for node in nodes {
            let question = report.part { report -> Question? in
                guard var question = Question.read(node, form: textForm, report: report)
                else { return nil }
                if isWithoutDomains { question.domain = nil }
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
            part.lint(report, positions: added.map(\.position), earlier: questions)
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

extension ObjectReader {
    /// True on a device when `domains` is not a list.
    fileprivate var hasUnreadableDomains: Bool {
        guard report.strictness == .device, let node = node("domains") else { return false }
        if case .array = node.content { return false }
        return true
    }
}
