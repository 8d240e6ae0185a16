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
    init(_ drafts: [QuestionDraft]) {
        let withOptions = drafts.count { !$0.options.isEmpty }
        count = drafts.count { Self.texts(of: $0) != nil }
        areRemoved = count > 0 && count * 100 >= withOptions * Self.shareMin
    }

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
