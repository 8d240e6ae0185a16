import ContentModel

/// The word by which a record names the type of its question.
///
/// An unknown word may mean anything, whatever the options look like: an order has all of them right.
struct TypeWord {
    /// The type that the word says; `nil` where the key decides between one option and several.
    let type: QuestionType?

    /// Reads a word; `nil` for one that is not known.
    init?(_ word: String) {
        if let ours = QuestionType(rawValue: word) {
            type = ours
            return
        }
        let bare = word.lowercased().filter { !" _-/".contains($0) }
        if Self.byKey.contains(bare) {
            type = nil
        } else if Self.one.contains(bare) {
            type = .singleChoice
        } else if Self.several.contains(bare) {
            type = .multiChoice
        } else if Self.orders.contains(bare) {
            type = .ordering
        } else if Self.numbers.contains(bare) {
            type = .numericEntry
        } else {
            return nil
        }
    }

    private static let one: Set = [
        "single", "singlechoice", "singleanswer", "singleselect", "radio", "radiobutton", "scq",
    ]
    /// Words that programs use for one right option, for several, or for either.
    private static let byKey: Set = [
        "multiple", "multiplechoice", "multiplechoicesingle", "multichoice", "mc", "mcq",
        "choice", "select", "dropdown", "quiz", "question", "boolean", "bool", "truefalse", "tf",
        "yesno", "code", "codesnippet",
    ]
    private static let several: Set = [
        "checkbox", "checkboxes", "multi", "multiselect", "multipleselect", "multipleselection",
        "multipleanswer", "multipleanswers", "multipleresponse", "multianswer", "multiresponse",
        "multiplechoicemultiple", "ma", "mcma", "msq", "mr", "selectall", "selectallthatapply",
        "multipleselectquiz",
    ]
    private static let orders: Set = ["order", "ordering", "sequence", "sorting"]
    private static let numbers: Set = ["numeric", "numerical", "number", "numberentry"]
}
