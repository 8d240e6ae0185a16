import ContentModel

/// A question during import, before it has an identity and is checked.
struct QuestionDraft {
    /// An option during import.
    struct Option {
        var text: String
        var isRight = false
        var image: String?
        var feedback: String?
        var id: String?
        var isPinned = false

        /// True when it shows nothing.
        var isBlank: Bool { text.isEmpty && image == nil }
    }

    /// A loss in the import.
    struct Note {
        var code: ImportCode
        var message: String
    }

    /// The place in the file.
    var place: String
    /// The name in the file.
    var name: String?
    var type: QuestionType
    var domain: String?
    var difficulty: Int?
    var stem: String
    var code: CodeSnippet?
    var image: String?
    var audio: QuestionAudio?
    var options: [Option]
    /// The indices of the options in their right order, for an ordering.
    var order: [Int]?
    /// The right numbers, for a numeric entry.
    var number: NumericKey?
    var explanation: String?
    var tags: [String] = []
    var shufflesOptions = true
    var textForm = TextForm.plain
    var isRetired = false
    /// True when the options had letters in the file, which were removed.
    var hadLetters = false
    /// A number that all questions made of one question of the file share; `nil` for the only one.
    var whole: Int?
    /// The losses in the import.
    var notes: [Note] = []

    init(place: String, type: QuestionType, stem: String, options: [Option] = []) {
        self.place = place
        self.type = type
        self.stem = stem
        self.options = options
    }

    /// The key as indices.
    var key: [Int] { order ?? options.indices.filter { options[$0].isRight } }

    /// The key of the question.
    var questionKey: QuestionKey { number.map(QuestionKey.number) ?? .options(key) }

    /// Keeps a category of another program as the domain if it can be one, else as a tag; an empty one says nothing.
    mutating func setCategory(_ category: String) {
        guard !category.isEmpty else { return }
        if Identifier.isValid(category) {
            if domain == nil { domain = category }
        } else if !tags.contains(category) {
            tags.append(category)
            note(.changed, "the category \"\(category)\" is kept as a tag")
        }
    }

    /// Notes a loss.
    mutating func note(_ code: ImportCode, _ message: String) {
        notes.append(Note(code: code, message: message))
    }

    /// Adds the name of the list in which it stands.
    mutating func addTag(_ tag: String?) {
        if let tag, !tags.contains(tag), tag != domain { tags.append(tag) }
    }

    /// The length of the longest text, in UTF-8 bytes.
    var longestText: Int {
        let texts = [stem, explanation ?? "", code?.text ?? ""]
        let sizes = texts.map(\.utf8.count) + options.map(\.text.utf8.count)
        return (sizes + options.map { $0.feedback?.utf8.count ?? 0 }).max() ?? 0
    }

    /// Drops the options that show nothing, and keeps the right order of the others.
    mutating func dropBlankOptions() {
        var places: [Int: Int] = [:]
        for index in options.indices where !options[index].isBlank { places[index] = places.count }
        order = order?.compactMap { places[$0] }
        options.removeAll(where: \.isBlank)
    }

    /// Sets the type to single or multiple choice by the number of right options.
    mutating func chooseTypeByKey() {
        guard order == nil else { return }
        type = key.count > 1 ? .multiChoice : .singleChoice
    }
}

/// The result of a format's reader: drafts, and records that could not be read.
struct ImportedDrafts {
    var drafts: [QuestionDraft] = []
    var skipped: [ImportResult.Skipped] = []
    var notes: [ImportResult.Note] = []
    /// The files of a package that are no documents.
    var packaged: [String] = []
    /// The files that drafts may name.
    var media: [String: [UInt8]] = [:]
    /// The pictures that were fetched; `nil` where none were asked for.
    var fetched: FetchedPictures?
    /// The addresses of the pictures that drafts show, each once, also those that were fetched.
    var addresses: [String] = []
    /// Past answers, with the index of the draft in place of the question's id.
    var reviews: [(draft: Int, rating: Int, seconds: Double, timeTaken: Double)] = []
    var encoding: String?
    /// What was decided about the whole file; `nil` for formats that leave nothing open.
    var profile: FileProfile?
    /// The fields that a note names as not read.
    var unreadFields: Set<String> = []
    /// The number of questions that begin in the file, counted by other means than the drafts; `nil`
    /// where a format has no other means.
    var begun: Int?
    /// A list of a document, and what became of it.
    struct List {
        var path: String
        /// The number of its entries that are objects.
        var objects: Int
        /// True when its entries were read as questions.
        var isRead: Bool
    }
    /// The lists of the document of which the reader says something; `nil` for other formats.
    var lists: [List]?
    /// The number of objects in each list of a parsed document, where the bytes do not show it.
    var objectCounts: [String: Int]?
    /// A sheet of a workbook, and what became of it.
    struct Sheet {
        /// Its part in the archive.
        var path: String
        /// The row that names its columns; `nil` for a sheet that was not read.
        var header: Int?
        /// The number of its rows below that, or of all rows of a sheet that was not read.
        var rows: Int
    }
    /// The sheets of a workbook; `nil` for other formats.
    var sheets: [Sheet]?

    /// The number of entries: drafts and skipped; several drafts of one question of the file are one.
    var entryCount: Int {
        let wholes = drafts.compactMap(\.whole)
        return drafts.count - wholes.count + Set(wholes).count + skipped.count
    }

    /// The most bytes of one text of a draft: many drafts may show one text, as cards show a field.
    static let textBytesMax = 16 * ContentLimits.textBytesMax

    /// Adds a draft, or skips it if a text is far beyond what a question may have.
    ///
    /// - Returns: Whether it was added.
    @discardableResult
    mutating func add(_ draft: QuestionDraft) -> Bool {
        let size = draft.longestText
        guard size <= Self.textBytesMax else {
            skip(
                draft.place, .limit,
                "a text has \(size) bytes; at most \(ContentLimits.textBytesMax) are allowed")
            return false
        }
        drafts.append(draft)
        return true
    }

    /// Skips a question.
    mutating func skip(_ place: String, _ code: ImportCode, _ reason: String) {
        skip(place, SkipReason(code, reason))
    }

    /// Skips a question, with its text if it was told apart.
    mutating func skip(_ place: String, _ reason: SkipReason, text: String? = nil) {
        // A reason may quote the file.
        let isLong = reason.text.count > 500
        skipped.append(
            .init(
                place: place, code: reason.code,
                reason: isLong ? reason.text.prefix(500) + " …" : reason.text, text: text))
    }

    /// Notes a loss, or a decision about the file.
    mutating func note(_ place: String, _ code: ImportCode, _ message: String) {
        notes.append(.init(place: place, code: code, message: message))
    }
}
