import ContentModel

/// One reading of a bank: its documents as the publisher reads them, with each problem at its question.
struct BankLoader {
    private let bank: BankSources
    private let builder: UnitBuilder
    private var head: Blueprint?
    private var blueprint: Blueprint?
    private var questions: [BankQuestion] = []
    private var problems: [Problem] = []

    init(_ bank: BankSources, _ builder: UnitBuilder) {
        self.bank = bank
        self.builder = builder
    }

    /// Reads the bank.
    func content() throws -> BankContent {
        var reading = self
        try reading.read()
        return reading.result
    }

    private mutating func read() throws {
        if bank.step == .exams {
            try readHead()
            for source in bank.documents { try readQuestions(source) }
        } else if let source = bank.documents.first {
            let (node, report) = try builder.document(source)
            blueprint = node.flatMap { Blueprint.read($0, report: report) }
            head = blueprint
            head?.questions = []
            add(node, report)
        }
        addMediaProblems()
        let known = Dictionary(
            (blueprint?.questions ?? []).map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first })
        for index in questions.indices { questions[index].question = known[questions[index].id] }
    }

    private var result: BankContent {
        BankContent(
            head: head, questions: questions, problems: problems,
            checksum: Checksum(of: blueprint?.canonicalBytes ?? []),
            mediaNames: bank.step == .exams ? bank.mediaNames : nil, clipNames: bank.clipNames)
    }

    private mutating func readHead() throws {
        guard let source = bank.files.first(where: { $0.path == "exams/\(bank.name)/exam.yaml" })
        else { return }
        let (node, report) = try builder.document(source)
        head = node.flatMap { Blueprint.readExam($0, id: bank.name, report: report) }
        blueprint = head
        problems += report.problems
    }

    private mutating func readQuestions(_ source: SourceFile) throws {
        let (node, report) = try builder.document(source)
        if let node {
            // Without a head the questions are read all the same, so that the list shows them.
            var bank =
                blueprint
                ?? Blueprint(kind: .exam, id: self.bank.name, title: "", version: "", questions: [])
            bank.addQuestions(node, report: report)
            blueprint = bank
        }
        add(node, report)
    }

    /// Adds the questions of a document, and gives each problem to the question that it stands in.
    private mutating func add(_ node: DocumentNode?, _ report: DecodingReport) {
        let list = node.flatMap { $0.questionList }
        var found: [(question: BankQuestion, start: SourcePosition)] = []
        for node in list?.nodes ?? [] {
            guard case .string(let id)? = node.member("id")?.value.content else { continue }
            let question = BankQuestion(
                id: id, file: report.file, line: node.position.line, value: node.value,
                question: nil, problems: [])
            found.append((question, node.position))
        }
        let starts = list?.nodes.map(\.position) ?? []
        let places = Dictionary(
            found.enumerated().map { ($1.start, $0) }, uniquingKeysWith: { first, _ in first })
        for problem in report.problems {
            let isInside = list.map { list in
                list.end.map { problem.position < $0 } ?? true
            }
            // A question without an id starts here too: its problems are not those of the one before.
            guard isInside == true, let start = starts.last(before: problem.position),
                let index = places[start]
            else {
                problems.append(problem)
                continue
            }
            found[index].question.problems.append(problem)
        }
        questions += found.map(\.question)
    }

    private mutating func addMediaProblems() {
        let present = bank.mediaNames
        var missing: [String: [Problem]] = [:]
        for question in blueprint?.questions ?? [] {
            missing[question.id] =
                bank.step == .exams
                ? question.mediaNames.filter { !present.contains($0) }.map { name in
                    Problem(
                        .missingMedia, file: "exams/\(bank.name)/media/\(name)",
                        message: "the question \"\(question.id)\" shows a file that is missing")
                } : problemsOfPlacement(question)
        }
        for index in questions.indices {
            questions[index].problems += missing[questions[index].id] ?? []
        }
    }

    private func problemsOfPlacement(_ question: Question) -> [Problem] {
        let clips = bank.clipNames
        return question.problemOfPlacement { clips.contains($0) }.map {
            [Problem(.missingMedia, file: "languages/\(bank.name)/audio", message: $0)]
        } ?? []
    }
}

extension DocumentNode {
    /// The questions of a document, and where they end; `nil` when it has no list of them.
    fileprivate var questionList: (nodes: [DocumentNode], end: SourcePosition?)? {
        switch content {
        case .array(let nodes): return (nodes, nil)
        case .object(let members):
            guard let list = member("questions"), case .array(let nodes) = list.value.content else {
                return nil
            }
            let end = members.map(\.keyPosition).filter { $0 > list.keyPosition }.min()
            return (nodes, end)
        default: return nil
        }
    }
}

extension [SourcePosition] {
    /// Returns the last of these ascending positions that is not after another; takes O(log n).
    fileprivate func last(before position: SourcePosition) -> SourcePosition? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] <= position { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : self[low - 1]
    }
}
