import ContentModel

/// The last step of an import: gives drafts their identity and checks them by the rules of a
/// content folder.
struct DraftFinisher {
    /// The questions of the bank and of the import so far.
    private(set) var known: KnownQuestions
    private let domain: String?
    private let declared: [String]?
    private let updatesBank: Bool

    /// - Parameters:
    ///   - known: The questions of the target bank and of the import so far.
    ///   - domain: The domain of questions that name none, or one that is not declared.
    ///   - declared: The domains of the bank; `nil` if any is allowed.
    ///   - updatesBank: Whether questions of the bank are replaced where they differ.
    init(known: KnownQuestions, domain: String?, declared: [String]?, updatesBank: Bool) {
        self.known = known
        self.declared = declared
        self.domain = domain
        self.updatesBank = updatesBank
    }

    /// A draft that gave a valid question.
    private struct Entry {
        var index: Int
        var draft: QuestionDraft
        var question: Question
        /// The bank's question of the same id and stem.
        var inBank: Question?
    }

    /// Returns a result with each draft as a question, or skipped with its reason.
    mutating func finish(
        _ read: ImportedDrafts, file: String, format: ImportFormat
    ) -> ImportResult {
        var result = ImportResult(file: file, format: format)
        result.encoding = read.encoding
        result.addresses = read.addresses
        result.profile = read.profile
        result.skipped = read.skipped
        result.notes = read.notes
        var ids: [Int: String] = [:]
        var parts = QuestionParts()
        for var entry in entries(read, &result) {
            let before = result.questions.count
            defer { parts.add(entry.draft.whole, result, questionsBefore: before) }
            if let known = entry.inBank {
                compare(&entry, with: known, &result)
            } else {
                add(&entry, &result)
            }
            guard result.questions.count > before, let last = result.questions.last else {
                continue
            }
            ids[entry.index] = last.id
            result.places[last.id] = entry.draft.place
            result.notes += entry.draft.notes.map {
                .init(place: entry.draft.place, code: $0.code, message: $0.message)
            }
        }
        parts.apply(to: &result)
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

    /// Returns the valid questions, those claimed that the bank has under the same id and stem.
    private mutating func entries(
        _ read: ImportedDrafts, _ result: inout ImportResult
    ) -> [Entry] {
        var entries: [Entry] = []
        var failed: Set<Int> = []
        func skip(_ draft: QuestionDraft, _ reason: SkipReason) {
            if let whole = draft.whole {
                // All of its questions, or none.
                guard failed.insert(whole).inserted else { return }
                entries.removeAll { $0.draft.whole == whole }
            }
            result.skip(draft.place, reason, text: draft.stem)
        }
        for (index, original) in read.drafts.enumerated() {
            var draft = original
            if let whole = draft.whole, failed.contains(whole) { continue }
            if let reason = resolveDomain(&draft) {
                skip(draft, reason)
                continue
            }
            if let reason = read.addressReason(draft) {
                skip(draft, SkipReason(.missing, reason))
                continue
            }
            switch finish(draft, media: read.media) {
            case .success(var question):
                draft.notes += Leftovers.notes(question)
                if draft.hadLetters, question.shufflesOptions, Self.speaksOfLetters(question) {
                    question.shufflesOptions = false
                    draft.shufflesOptions = false
                    draft.note(
                        .orderKept, "its texts speak of letters, so its options stay in their order"
                    )
                }
                entries.append(
                    Entry(
                        index: index, draft: draft, question: question,
                        inBank: known.claim(question)))
            case .failure(let reason): skip(draft, reason)
            }
        }
        return entries
    }

    /// Adds a question that is new, or finds its like.
    private mutating func add(_ entry: inout Entry, _ result: inout ImportResult) {
        let place = entry.draft.place
        let isNamed = entry.draft.name == entry.question.id
        switch known.find(entry.question, isNamed: isNamed, place: "\(result.file) \(place)") {
        case .inBank(let question): compare(&entry, with: question, &result)
        case .repeated(let id): result.skipPresent(place, .repeated, id, entry.question.stem)
        case .contradicted(let other, let otherPlace):
            let reason = SkipReason(
                .keyDisagrees,
                "the same question stands at \(otherPlace) with another key:"
                    + " \(other.keyTexts.quoted) there, \(entry.question.keyTexts.quoted) here")
            result.skip(place, reason, text: entry.question.stem)
        case .new(let id, let taken, let twin):
            entry.question.id = id
            if let taken {
                entry.draft.note(
                    .changed,
                    "the id \"\(taken)\" belongs to another question; this one became \"\(id)\"")
            }
            if let twin {
                entry.draft.note(
                    .keyDisagrees,
                    "the question is that of \"\(twin.id)\" with another key:"
                        + " \(twin.keyTexts.quoted) there, \(entry.question.keyTexts.quoted) here")
            }
            result.questions.append(entry.question)
        }
    }

    /// Replaces the bank's question, or says in what it differs.
    private func compare(
        _ entry: inout Entry, with old: Question, _ result: inout ImportResult
    ) {
        let place = entry.draft.place
        let new = old.updated(by: entry.question, entry.draft)
        let difference = QuestionDifference(place: place, from: old, to: new)
        guard !difference.fields.isEmpty else {
            return result.skipPresent(place, .unchanged, old.id, new.stem)
        }
        if let problem = Self.problem(new) {
            return result.skip(place, problem, text: new.stem)
        }
        result.differences.append(difference)
        guard updatesBank else {
            let reason = SkipReason(
                .differs,
                "the bank has it as \(old.id) with \(difference.summary); --update replaces that")
            return result.skip(place, reason, text: new.stem)
        }
        result.replacedIDs.insert(old.id)
        result.questions.append(new)
    }

    /// Replaces a domain that the bank does not declare; returns a reason to skip the question if
    /// that is impossible.
    private func resolveDomain(_ draft: inout QuestionDraft) -> SkipReason? {
        guard let declared, let named = draft.domain ?? domain, !declared.contains(named) else {
            return draft.domain == nil && domain == nil && declared?.isEmpty == false
                ? SkipReason(.domain, "it belongs to no domain; --domain gives it one") : nil
        }
        if declared.isEmpty {
            draft.domain = nil
            draft.tags.append(named)
            draft.note(.changed, "the domain \"\(named)\" is kept as a tag")
            return nil
        }
        guard let domain, declared.contains(domain) else {
            return SkipReason(.domain, "the domain \"\(named)\" is not declared in exam.yaml")
        }
        draft.note(.changed, "the domain \"\(named)\" became \"\(domain)\"")
        draft.domain = domain
        return nil
    }

    private func finish(
        _ draft: QuestionDraft, media: [String: [UInt8]]
    ) -> Result<Question, SkipReason> {
        // More of them would be compared with each other.
        guard draft.options.count <= ContentLimits.optionsMax else {
            let count = "\(draft.options.count) options, more than \(ContentLimits.optionsMax)"
            return .failure(SkipReason(.limit, "it has \(count)"))
        }
        var question = question(draft)
        if let missing = question.mediaNames.first(where: { media[$0] == nil }) {
            return .failure(
                SkipReason(.missing, "it shows \"\(missing)\", which is not in the file"))
        }
        for name in question.mediaNames {
            guard let reason = ImportedMedia.refusal(name, media[name] ?? []) else { continue }
            return .failure(SkipReason(.mediaRefused, reason))
        }
        let isNamed = draft.name.map(Identifier.isValid) ?? false
        question.id = isNamed ? draft.name ?? "" : Self.identifier(question)
        if let problem = Self.problem(question) ?? Leftovers.refusal(question) {
            return .failure(problem)
        }
        return .success(question)
    }

    /// Returns whether a check would find that a text names options by letters.
    private static func speaksOfLetters(_ question: Question) -> Bool {
        // It was read once by ``problem(_:)``.
        guard let node = try? JSONParser.parse(question.json.canonicalBytes) else { return false }
        let report = DecodingReport(file: "", strictness: .authored)
        _ = Question.read(node, report: report)
        return report.problems.contains { $0.rule == .letterReference }
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
            audio: draft.audio, options: options, key: draft.questionKey,
            explanation: draft.explanation.flatMap { $0.isEmpty ? nil : $0 },
            tags: draft.tags, shufflesOptions: draft.shufflesOptions,
            isRetired: draft.isRetired, textForm: draft.textForm)
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
    private static func problem(_ question: Question) -> SkipReason? {
        let report = DecodingReport(file: "", strictness: .released)
        do throws(DocumentSyntaxError) {
            let node = try JSONParser.parse(question.json.canonicalBytes)
            _ = Question.read(node, report: report)
        } catch {
            return SkipReason(.invalid, error.message)
        }
        return report.problems.first { $0.rule.severity == .error }.map(SkipReason.init)
    }
}

/// The outcomes of questions that were made of one question of the file.
private struct QuestionParts {
    private var written: [Int: Int] = [:]
    private var skips: [Int: [Int]] = [:]

    /// Records what became of a part.
    mutating func add(_ whole: Int?, _ result: ImportResult, questionsBefore: Int) {
        guard let whole else { return }
        if result.questions.count > questionsBefore {
            written[whole, default: 0] += 1
        } else {
            skips[whole, default: []].append(result.skipped.count - 1)
        }
    }

    /// Counts each question of the file once, as imported if a part of it is.
    func apply(to result: inout ImportResult) {
        result.furtherPartCount = written.values.reduce(0) { $0 + $1 - 1 }
        let superfluous = skips.flatMap { whole, places in
            written[whole] == nil ? Array(places.dropFirst()) : places
        }
        for place in superfluous.sorted(by: >) { result.skipped.remove(at: place) }
    }
}

extension ImportResult {
    fileprivate mutating func skipPresent(
        _ place: String, _ code: ImportCode, _ id: String, _ stem: String
    ) {
        presentCount += 1
        skip(place, SkipReason(code, "the same question is there already (\(id))"), text: stem)
    }
}

extension [String] {
    fileprivate var quoted: String { map { "\"\($0)\"" }.joined(separator: ", ") }
}
