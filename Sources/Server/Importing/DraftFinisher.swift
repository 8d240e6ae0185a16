import ContentModel

/// The last step of an import: gives drafts their identity and checks them by the rules of a
/// content folder.
struct DraftFinisher {
    /// The questions of the bank by id.
    private var present: [String: Question]
    private let domain: String?
    private let declared: [String]?

    /// - Parameters:
    ///   - present: The questions of the target bank.
    ///   - domain: The domain of questions that name none, or one that is not declared.
    ///   - declared: The domains of the bank; `nil` if any is allowed.
    init(present: [Question], domain: String?, declared: [String]?) {
        self.declared = declared
        self.present = Dictionary(
            present.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        self.domain = domain
    }

    /// Returns a result in which imported and skipped questions add up to all that were found.
    mutating func finish(
        _ read: ImportedDrafts, file: String, format: ImportFormat
    ) -> ImportResult {
        var result = ImportResult(file: file, format: format)
        result.encoding = read.encoding
        result.skipped = read.skipped
        result.notes = read.notes
        var ids: [Int: String] = [:]
        for (index, original) in read.drafts.enumerated() {
            var draft = original
            if let reason = resolveDomain(&draft) {
                result.skip(draft.place, reason)
                continue
            }
            switch finish(draft, media: read.media) {
            case .success(let question):
                ids[index] = question.id
                present[question.id] = question
                result.questions.append(question)
                result.notes += draft.notes.map { .init(place: draft.place, message: $0) }
            case .failure(let reason):
                result.skip(draft.place, reason.text)
            }
        }
        for name in Set(result.questions.flatMap(\.mediaNames)) {
            result.media[name] = read.media[name]
        }
        result.reviews = read.reviews.compactMap { review in
            ids[review.draft].map {
                .init(
                    questionID: $0, rating: review.rating, seconds: review.seconds,
                    timeTaken: review.timeTaken)
            }
        }.sorted { $0.seconds < $1.seconds }
        return result
    }

    private struct Reason: Error {
        var text: String
    }

    /// Replaces a domain that the bank does not declare; returns a reason to skip the question if
    /// that is impossible.
    private func resolveDomain(_ draft: inout QuestionDraft) -> String? {
        guard let declared, let named = draft.domain ?? domain, !declared.contains(named) else {
            return draft.domain == nil && domain == nil && declared?.isEmpty == false
                ? "it belongs to no domain; --domain gives it one" : nil
        }
        if declared.isEmpty {
            draft.domain = nil
            draft.tags.append(named)
            draft.notes.append("the domain \"\(named)\" is kept as a tag")
            return nil
        }
        guard let domain, declared.contains(domain) else {
            return "the domain \"\(named)\" is not declared in exam.yaml"
        }
        draft.notes.append("the domain \"\(named)\" became \"\(domain)\"")
        draft.domain = domain
        return nil
    }

    private mutating func finish(
        _ draft: QuestionDraft, media: [String: [UInt8]]
    ) -> Result<Question, Reason> {
        var question = question(draft)
        if let missing = question.mediaNames.first(where: { media[$0] == nil }) {
            return .failure(Reason(text: "it shows \"\(missing)\", which is not in the file"))
        }
        let isNamed = draft.name.map(Identifier.isValid) ?? false
        question.id = isNamed ? draft.name ?? "" : Self.identifier(question)
        if let problem = Self.problem(question) { return .failure(Reason(text: problem)) }
        if let other = present[question.id] {
            return .failure(
                Reason(
                    text: other == question
                        ? "the same question is there already (\(question.id))"
                        : "the id \"\(question.id)\" belongs to another question"))
        }
        return .success(question)
    }

    private func question(_ draft: QuestionDraft) -> Question {
        var used: Set<String> = []
        let options = draft.options.enumerated().map { index, option in
            let own = option.id.flatMap { Identifier.isValid($0) ? $0 : nil }
            var id = own ?? Self.optionID(index)
            // A generated id must not collide with a given id of a later option.
            while !used.insert(id).inserted { id = "o\(index)-\(used.count)" }
            return QuestionOption(
                id: id, text: option.text, image: option.image, isPinned: option.isPinned,
                feedback: option.feedback.flatMap { $0.isEmpty ? nil : $0 })
        }
        let difficulty = draft.difficulty.flatMap { (1...5).contains($0) ? $0 : nil }
        return Question(
            id: "", type: draft.type,
            domain: draft.domain ?? (declared?.isEmpty == true ? nil : domain),
            difficulty: difficulty ?? 3, stem: draft.stem, code: draft.code, image: draft.image,
            options: options, key: draft.questionKey,
            explanation: draft.explanation.flatMap { $0.isEmpty ? nil : $0 },
            tags: draft.tags, shufflesOptions: draft.shufflesOptions,
            isRetired: draft.isRetired)
    }

    /// Returns `a` to `z`, then `o26` and so on.
    static func optionID(_ index: Int) -> String {
        index < 26 ? String(UnicodeScalar(UInt8(97 + index))) : "o\(index)"
    }

    /// Returns an id derived from the question's content, so that a second import finds the same.
    private static func identifier(_ question: Question) -> String {
        let parts = [question.stem, question.code?.text ?? ""] + question.options.map(\.text)
        let bytes = Array(parts.joined(separator: "\u{0}").utf8)
        return "q-" + Checksum(of: bytes).hex.prefix(12)
    }

    /// Returns the first error that a check would report.
    private static func problem(_ question: Question) -> String? {
        let report = DecodingReport(file: "", strictness: .released)
        do throws(DocumentSyntaxError) {
            let node = try JSONParser.parse(question.json.canonicalBytes)
            _ = Question.read(node, report: report)
        } catch {
            return error.message
        }
        return report.problems.first { $0.rule.severity == .error }?.message
    }
}
