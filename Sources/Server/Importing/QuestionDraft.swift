import ContentModel

/// A question on its way in, before it has an identity and is known to be valid.
struct QuestionDraft {
    /// An option on its way in.
    struct Option {
        var text: String
        var isRight = false
        var image: String?
        var feedback: String?
        var id: String?
        var isPinned = false
    }

    /// Where it stands in the file.
    var place: String
    /// What the file calls it.
    var name: String?
    var type: QuestionType
    var domain: String?
    var difficulty: Int?
    var stem: String
    var code: CodeSnippet?
    var image: String?
    var options: [Option]
    /// For an ordering, the indices of the options in their right order.
    var order: [Int]?
    /// For a numeric entry, the numbers that are right.
    var number: NumericKey?
    var explanation: String?
    var tags: [String] = []
    var shufflesOptions = true
    var isRetired = false
    /// What is lost or changed by taking it.
    var notes: [String] = []

    init(place: String, type: QuestionType, stem: String, options: [Option] = []) {
        self.place = place
        self.type = type
        self.stem = stem
        self.options = options
    }

    /// The key as indices.
    var key: [Int] { order ?? options.indices.filter { options[$0].isRight } }

    /// The published right response.
    var questionKey: QuestionKey { number.map(QuestionKey.number) ?? .options(key) }

    /// One or several, by the number of right options.
    mutating func chooseTypeByKey() {
        guard order == nil else { return }
        type = key.count > 1 ? .multiChoice : .singleChoice
    }
}

/// What a reader of a format gives: drafts, and what it could not read.
struct ImportedDrafts {
    var drafts: [QuestionDraft] = []
    var skipped: [ImportResult.Skipped] = []
    var notes: [ImportResult.Note] = []
    /// The files that drafts may name.
    var media: [String: [UInt8]] = [:]
    /// Past answers, with the index of the draft in place of the question.
    var reviews: [(draft: Int, rating: Int, seconds: Double, timeTaken: Double)] = []
    var encoding: String?

    mutating func skip(_ place: String, _ reason: String) {
        skipped.append(.init(place: place, reason: reason))
    }
}
