import ContentModel

/// The questions of a bank and of the import so far, by what tells questions apart.
///
/// An imported question is one of the bank's when their ids are equal and their texts alike, or
/// when their stems are equal and their options alike. Each question of the bank is claimed once.
struct KnownQuestions {
    /// The finding about a question of a file.
    enum Finding {
        /// An unknown question. `taken` is its own id if that belongs to another question, `twin` a question of this
        /// run that differs only in its key and id.
        case new(id: String, taken: String?, twin: Question?)
        /// A question of the bank, perhaps in another state.
        case inBank(Question)
        /// A question that this run has imported.
        case repeated(id: String)
        /// A question that this run has imported with another key.
        case contradicted(by: Question, place: String)
    }

    /// The number of questions with one stem above which they are distinguished by their ids only.
    private static let alikeMax = 50

    private let bank: [String: Question]
    private let bankByStem: [String: [String]]
    private var claimed: Set<String> = []
    /// The questions of this run by all but their keys, as their files have them.
    private var imported: [String: (question: Question, id: String, place: String)] = [:]
    private var importedIDs: Set<String> = []
    private var suffixes: [String: Int] = [:]

    init(bank: [Question]) {
        self.bank = Dictionary(bank.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        bankByStem = Dictionary(grouping: bank, by: \.comparedStem).mapValues { $0.map(\.id) }
    }

    /// Claims the bank's question with the id and the stem of an imported one.
    ///
    /// All questions of a file are claimed this way before ``find(_:isNamed:place:)`` looks for
    /// those that are only alike.
    mutating func claim(_ question: Question) -> Question? {
        let same = candidates(question.id).first { $0.comparedStem == question.comparedStem }
        return same.map { claimed($0) }
    }

    /// Finds out what is known about a question, and adds it.
    ///
    /// - Parameters:
    ///   - question: The question with its own or a generated id.
    ///   - isNamed: Whether the id is the file's.
    ///   - place: Its place, for messages.
    /// - Returns: What is known.
    mutating func find(_ question: Question, isNamed: Bool, place: String) -> Finding {
        if let alike = alike(question, isNamed: isNamed) { return .inBank(claimed(alike)) }
        let signature = question.signature
        let twin = imported[signature]
        let hasTwinKey = twin.map { $0.question.keyTexts == question.keyTexts } ?? true
        // A file with ids of its own may have a question twice on purpose.
        if let twin, !isNamed || twin.question.id == question.id {
            return hasTwinKey
                ? .repeated(id: twin.id) : .contradicted(by: twin.question, place: twin.place)
        }
        let id = free(question.id)
        importedIDs.insert(id)
        if twin == nil { imported[signature] = (question, id, place) }
        return .new(
            id: id, taken: id == question.id ? nil : question.id,
            twin: hasTwinKey ? nil : twin?.question)
    }

    private mutating func claimed(_ question: Question) -> Question {
        claimed.insert(question.id)
        return question
    }

    /// Returns the bank's unclaimed questions of an id and its suffixes.
    private func candidates(_ id: String) -> [Question] {
        let suffixed = (2...9).map { Self.suffixed(id, $0) }
        return ([id] + suffixed).compactMap { bank[$0] }.filter { !claimed.contains($0.id) }
    }

    private func alike(_ question: Question, isNamed: Bool) -> Question? {
        let byID = candidates(question.id).first {
            $0.comparedStem == question.comparedStem || $0.likeness(to: question) >= 0.5
        }
        if let byID { return byID }
        let ids = bankByStem[question.comparedStem] ?? []
        guard ids.count <= Self.alikeMax else { return nil }
        // A file with ids of its own may hold variants of a question on purpose.
        let least = isNamed ? 1 : 0.5
        return ids.filter { !claimed.contains($0) }.compactMap { bank[$0] }
            .map { (question: $0, likeness: $0.likeness(to: question)) }
            .filter { $0.likeness >= least }.max { $0.likeness < $1.likeness }?.question
    }

    private mutating func free(_ id: String) -> String {
        var free = id
        while bank[free] != nil || importedIDs.contains(free) {
            let number = suffixes[id, default: 1] + 1
            suffixes[id] = number
            free = Self.suffixed(id, number)
        }
        return free
    }

    private static func suffixed(_ id: String, _ number: Int) -> String {
        let suffix = "-\(number)"
        return id.prefix(Identifier.lengthMax - suffix.utf8.count) + suffix
    }
}

extension Question {
    /// The stem and code without regard to case and white space.
    fileprivate var comparedStem: String {
        stem.normalizedForComparison + "\u{0}" + (code?.text ?? "")
    }

    private var optionTexts: Set<String> {
        Set(options.map { $0.text.normalizedForComparison + "\u{0}" + ($0.image ?? "") })
    }

    /// The question without its key.
    fileprivate var signature: String {
        ([comparedStem, image ?? ""] + optionTexts.sorted()).joined(separator: "\u{1}")
    }

    /// The key as texts, so that the order of the options does not matter.
    var keyTexts: [String] {
        switch key {
        case .options(let correct):
            let texts = correct.map { options[$0].text.isEmpty ? options[$0].id : options[$0].text }
            return type.isOrder ? texts : texts.sorted()
        case .number(let number): return [number.text]
        }
    }

    /// Returns the share of options that two questions have in common; 1 if neither has any.
    fileprivate func likeness(to other: Question) -> Double {
        let (mine, others) = (optionTexts, other.optionTexts)
        let all = mine.union(others).count
        return all == 0 ? 1 : Double(mine.intersection(others).count) / Double(all)
    }
}
