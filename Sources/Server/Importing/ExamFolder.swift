public import ContentModel
public import Foundation
import Publishing

/// The folder of an exam in a content folder, as the target of an import.
public struct ExamFolder: Sendable {
    /// The folder, without a trailing slash.
    public let path: String
    /// The content folder.
    public let content: String
    /// The content of its files; an empty bank if the folder does not exist yet.
    public private(set) var blueprint: Blueprint
    /// The names of the files of questions.
    private var questionFiles: [String] = []
    /// True when an `exam.yaml` exists.
    public let hasHead: Bool

    /// Opens the folder `exams/<region>/<exam>` of a content folder, which may not exist yet.
    ///
    /// - Throws: `PublishingError` `invalidRequest` for a path of another form, `contentErrors` if the existing
    ///   content is unreadable (correct it first).
    public init(path: String) throws {
        let (trimmed, content, id) = try Self.parts(path)
        try ContentFolder.checkSettings(in: content)
        self.content = content
        self.path = trimmed
        hasHead = Files.look(trimmed + "/exam.yaml")?.kind == .file
        blueprint = Blueprint(kind: .exam, id: id, title: id, version: "1.0.0", questions: [])
        if hasHead { try readHead(id) }
        try readQuestions()
    }

    /// Returns the content folder of a path `exams/<region>/<exam>`.
    ///
    /// - Throws: `PublishingError` `invalidRequest` for a path of another form.
    public static func content(of path: String) throws -> String { try parts(path).content }

    private static func parts(
        _ path: String
    ) throws -> (path: String, content: String, id: String) {
        let trimmed = path.hasSuffix("/") ? String(path.dropLast()) : path
        let parts = trimmed.split(separator: "/").map(String.init)
        let id = parts.suffix(2).joined(separator: "/")
        guard parts.count >= 3, parts[parts.count - 3] == "exams", Identifier.examKey(id) != nil
        else {
            throw PublishingError(
                .invalidRequest,
                "\(path) is not a folder exams/<region>/<exam> of a content folder.")
        }
        let root = trimmed.hasPrefix("/") ? "/" : ""
        let content = root + parts.dropLast(3).joined(separator: "/")
        return (trimmed, content.isEmpty ? "." : content, id)
    }

    private mutating func readHead(_ id: String) throws {
        let report = DecodingReport(file: path + "/exam.yaml", strictness: .authored)
        let node = SourceDocument.parse(try Files.read(report.file), report: report)
        guard let head = node.flatMap({ Blueprint.readExam($0, id: id, report: report) }),
            !report.hasErrors
        else { throw Self.unreadable(report) }
        blueprint = head
    }

    private mutating func readQuestions() throws {
        guard Files.look(path)?.kind == .folder else { return }
        for name in try Files.names(in: path)
        where name.hasPrefix("questions") && Self.isDocument(name) {
            let report = DecodingReport(file: path + "/" + name, strictness: .authored)
            if let node = SourceDocument.parse(try Files.read(report.file), report: report) {
                blueprint.addQuestions(node, report: report)
            }
            if report.hasErrors { throw Self.unreadable(report) }
            questionFiles.append(name)
        }
    }

    private static func isDocument(_ name: String) -> Bool {
        [".yaml", ".yml", ".json"].contains { name.hasSuffix($0) }
    }

    private static func unreadable(_ report: DecodingReport) -> PublishingError {
        PublishingError(
            .contentErrors, "The bank has errors; correct them before an import.",
            problems: report.problems.filter { $0.rule.severity == .error })
    }

    /// The ids of the declared domains; `nil` without an `exam.yaml`.
    public var declaredDomains: [String]? { hasHead ? blueprint.domains.map(\.id) : nil }

    /// Writes imported questions: a file of new questions for each import, replaced questions in place, media, and
    /// `exam.yaml` if it is missing.
    ///
    /// - Parameters:
    ///   - results: The imports; an import without questions writes nothing.
    ///   - title: The title for a new `exam.yaml`.
    ///   - date: The time, for the id by which ``ImportUndo`` takes the import back.
    /// - Returns: The written files.
    /// - Throws: `PublishingError` `unwritable`; `invalidRequest` for more questions than an exam may have, and for a
    ///   question that cannot be replaced separately, for example because a YAML alias shares it.
    public func write(
        _ results: [ImportResult], title: String?, date: Date = Date()
    ) throws -> ImportedFiles {
        let plan = try plan(results, title: title)
        // An empty folder would be an exam without its head.
        guard !plan.names.isEmpty else { return ImportedFiles() }
        let undoID = try ImportUndo(content: content).keep(plan, date: date)
        try Files.makeFolder(path)
        for (name, bytes) in plan.files { try put(name, bytes) }
        return ImportedFiles(paths: plan.names.map { path + "/" + $0 }, undoID: undoID)
    }

    private func plan(_ results: [ImportResult], title: String?) throws -> ImportPlan {
        try checkCount(
            adding: results.reduce(0) { $0 + $1.questions.count - $1.replacedIDs.count })
        var plan = ImportPlan(path: path)
        var all: [Question] = []
        for result in results where !result.questions.isEmpty {
            let (questions, media) = try resolved(result, plan)
            for (name, bytes) in media.sorted(by: { $0.key < $1.key }) {
                plan.put("media/" + name, bytes)
            }
            try replace(questions.filter { result.replacedIDs.contains($0.id) }, in: &plan)
            let new = questions.filter { !result.replacedIDs.contains($0.id) }
            guard !new.isEmpty else { continue }
            all += new
            let form = blueprint.textForm
            plan.put(
                freeName(for: result.file, plan), try yaml(new.map { $0.json(inBankOf: form) }))
        }
        if !hasHead, !all.isEmpty {
            plan.put("exam.yaml", try head(title ?? blueprint.title, all))
        }
        return plan
    }

    private func checkCount(adding count: Int) throws {
        let sum = blueprint.questions.count + count
        guard sum > ContentLimits.questionsMax else { return }
        throw PublishingError(
            .invalidRequest,
            """
            \(path) would have \(sum) questions; an exam has at most \(ContentLimits.questionsMax). Nothing was \
            written. Divide the file, and import each part into an exam of its own.
            """)
    }

    /// Replaces questions in the files that have them; everything else in these stays.
    private func replace(_ questions: [Question], in plan: inout ImportPlan) throws {
        guard !questions.isEmpty else { return }
        let ids = Set(questions.map(\.id))
        for name in questionFiles {
            let file = try QuestionFile(try plan.read(name) ?? [], file: path + "/" + name)
            guard !ids.isDisjoint(with: file.ids) else { continue }
            plan.put(name, try file.replacing(questions, inBankOf: blueprint.textForm))
        }
    }

    private func yaml(_ values: [JSONValue]) throws -> [UInt8] {
        Array(try YAMLText.text(.array(values)).utf8)
    }

    private func head(_ title: String, _ questions: [Question]) throws -> [UInt8] {
        var members: [String: JSONValue] = ["title": .string(title), "version": "1.0.0"]
        let domains = Set(questions.compactMap(\.domain)).sorted()
        if !domains.isEmpty {
            members["domains"] = .array(
                domains.map { ["id": .string($0), "title": .string($0), "weight": 1] })
        }
        return Array(try YAMLText.text(.object(members)).utf8)
    }

    /// Returns the questions with names of media that are free, or used by the same file.
    ///
    /// In a new bank with domains, each question needs one.
    private func resolved(
        _ result: ImportResult, _ plan: ImportPlan
    ) throws -> ([Question], [String: [UInt8]]) {
        var names: [String: String] = [:]
        var media: [String: [UInt8]] = [:]
        for (name, bytes) in result.media {
            var free = name
            if let present = try plan.read("media/" + name), present != bytes {
                let mark = Checksum(of: bytes).hex.prefix(8)
                let dot = name.lastIndex(of: ".") ?? name.endIndex
                free = name[..<dot] + "-" + mark + name[dot...]
            }
            names[name] = free
            media[free] = bytes
        }
        let needsDomain = !hasHead && result.questions.contains { $0.domain != nil }
        let questions = result.questions.map { question in
            var question = question
            question.image = question.image.map { names[$0] ?? $0 }
            if let file = question.audio?.file { question.audio?.file = names[file] ?? file }
            for index in question.options.indices {
                question.options[index].image = question.options[index].image.map {
                    names[$0] ?? $0
                }
            }
            if needsDomain, question.domain == nil { question.domain = "other" }
            return question
        }
        return (questions, media)
    }

    /// Returns `questions-<file>.yaml`, with a number if that exists.
    private func freeName(for file: String, _ plan: ImportPlan) -> String {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        let stem = name.split(separator: ".").first.map(String.init) ?? name
        let plain = String(stem.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
        var number = 1
        while true {
            let free = "questions-\(plain)\(number > 1 ? "-\(number)" : "").yaml"
            if plan.isFree(free) { return free }
            number += 1
        }
    }

    private func put(_ name: String, _ bytes: [UInt8]) throws {
        let target = path + "/" + name
        let folder = target.split(separator: "/", omittingEmptySubsequences: false)
            .dropLast().joined(separator: "/")
        try Files.makeFolder(folder)
        try Files.replace(target, bytes)
    }
}

/// The files that an import wrote.
public struct ImportedFiles: Sendable, Hashable {
    /// The files, each with the path of the exam's folder.
    public var paths: [String] = []
    /// The id by which ``ImportUndo`` takes the import back; `nil` if nothing changed.
    public var undoID: String?

    /// Names the files of an import.
    public init(paths: [String] = [], undoID: String? = nil) {
        self.paths = paths
        self.undoID = undoID
    }
}
