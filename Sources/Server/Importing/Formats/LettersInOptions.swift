/// The letters before the options of a file, such as `A. Iron`, decided for all of its questions at once.
///
/// Letters in nearly all questions are not part of the texts. Otherwise they may be initials, and the options keep
/// their order.
struct LettersInOptions {
    private let areRemoved: Bool
    private let count: Int

    /// The share of questions, in percent, from which letters are no part of the texts.
    private static let shareMin = 90

    /// Decides for a file.
    ///
    /// - Parameters:
    ///   - drafts: Its questions.
    ///   - rule: What the user said.
    init(_ drafts: [QuestionDraft], rule: LetterRule? = nil) {
        let withOptions = drafts.count { !$0.options.isEmpty }
        count = drafts.count { Self.texts(of: $0) != nil }
        areRemoved =
            rule.map { $0 == .remove }
            ?? (count > 0 && count * 100 >= withOptions * Self.shareMin)
    }

    /// What was decided; `nil` if no options have letters.
    var rule: LetterRule? { count == 0 ? nil : areRemoved ? .remove : .keep }

    /// The note about removed letters; `nil` if no options have letters.
    var note: String? {
        guard count > 0 else { return nil }
        let questions = count == 1 ? "1 question" : "\(count) questions"
        return areRemoved
            ? "the letters before the options of \(questions) were removed; the app shows options in any order"
            : "the options of \(questions) begin with letters and keep them, in their order"
    }

    /// Removes the letters of a question, or keeps its options in their order.
    func apply(to draft: inout QuestionDraft) {
        guard let texts = Self.texts(of: draft) else { return }
        guard areRemoved else {
            draft.shufflesOptions = false
            return
        }
        for index in texts.indices { draft.options[index].text = texts[index] }
        draft.hadLetters = true
    }

    private static func texts(of draft: QuestionDraft) -> [String]? {
        OptionLetters.texts(of: draft.options.map(\.text))
    }
}

/// The numbers before the questions of a file, such as `12.` or `Question 12:`, decided for all of them at once.
struct NumbersInStems {
    /// The number of questions from which numbers are removed.
    let count: Int

    /// Decides for a file: numbers that nearly all questions have, and that ascend, are no part of the texts.
    init(_ drafts: [QuestionDraft]) {
        let numbers = drafts.map { Self.number($0.stem)?.number }
        let found = numbers.compactMap(\.self)
        let ascend = zip(found, found.dropFirst()).allSatisfy(<)
        count =
            found.count > 1 && ascend && found.count * 100 >= drafts.count * 90 ? found.count : 0
    }

    /// The note about removed numbers; `nil` if there are none.
    var note: String? {
        count == 0 ? nil : "the numbers before \(count) questions were removed"
    }

    /// Removes the number of a question.
    func apply(to draft: inout QuestionDraft) {
        guard count > 0, let rest = Self.number(draft.stem)?.rest else { return }
        draft.stem = rest
    }

    private static func number(_ stem: String) -> (number: Int, rest: String)? {
        guard let match = stem.prefixMatch(of: Pattern.stemNumber), let number = Int(match.1),
            match.range.upperBound < stem.endIndex
        else { return nil }
        return (number, String(stem[match.range.upperBound...]))
    }
}
