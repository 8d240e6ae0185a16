/// What an import says of a question, a file or a part of it, as a word that no message changes.
///
/// `docs/imports.md` says of each what to do.
public enum ImportCode: String, Codable, CaseIterable, Hashable, Sendable {
    // MARK: Files

    /// Nothing in the file decides between two ways to read it.
    case profileOpen = "profile-open"
    /// The file holds no question.
    case noQuestion = "no-question"
    /// Much of the file's text is in no question.
    case unread
    /// The reader told other questions apart than a count of the bytes.
    case count
    /// The file is none of its format, or of no known one.
    case format
    /// A setting of the user fits nothing in the file.
    case setting
    /// The bytes are no text in the encoding, or the encoding was guessed.
    case encoding
    /// The file, or a part of it, is damaged or of a kind that is not read.
    case unreadable
    /// The file, or a question, is larger than allowed.
    case limit
    /// A line or an element breaks the rules of its format.
    case syntax

    // MARK: Questions

    /// The type of the question, or a part of it, has no like here.
    case typeUnsupported = "type-unsupported"
    /// The question has no text.
    case stemMissing = "stem-missing"
    /// The question has too few options.
    case optionsMissing = "options-missing"
    /// Nothing says which option is right.
    case keyNone = "key-none"
    /// The key names no option, or is no number.
    case keyUnknown = "key-unknown"
    /// The key has several meanings.
    case keyAmbiguous = "key-ambiguous"
    /// Two facts name different keys.
    case keyDisagrees = "key-disagrees"
    /// Several answers earn all points, and one is enough.
    case keySeveral = "key-several"
    /// It is not known which outcome is the score.
    case outcomeUnknown = "outcome-unknown"
    /// A text has characters that could not be decoded.
    case damaged
    /// A text has a mark of another program.
    case leftover
    /// Something that the file names is not in it.
    case missing
    /// A picture or clip is of a kind that is not taken over.
    case mediaRefused = "media-refused"
    /// The question has no domain of the bank.
    case domain
    /// The question breaks another rule for questions.
    case invalid
    /// The import has the question already.
    case repeated
    /// The bank has the question as it is.
    case unchanged
    /// The bank has another state of the question.
    case differs

    // MARK: Decisions

    /// A decision about how keys are read.
    case keys
    /// Several lists or sheets were read.
    case lists
    /// A decision about what the columns hold.
    case columns
    /// A decision whether texts are HTML.
    case textForm = "text-form"
    /// Values were decoded.
    case valuesDecoded = "values-decoded"
    /// Numbers were read with a decimal comma.
    case decimalComma = "decimal-comma"
    /// Letters before options were removed.
    case lettersRemoved = "letters-removed"
    /// Numbers before questions were removed.
    case numbersRemoved = "numbers-removed"
    /// Options stay in their order.
    case orderKept = "order-kept"
    /// Single lines are in another encoding than the others.
    case strayBytes = "stray-bytes"
    /// True and False became the options of a question that had none.
    case trueFalse = "true-false"
    /// The wrong answers of a card are the backs of others.
    case cards
    /// A matching became a question for each of its rows.
    case matchingSplit = "matching-split"
    /// A short answer became a number to enter.
    case numberEntry = "number-entry"
    /// The spreadsheet has dates, which may have been typed as something else.
    case dates
    /// Each row of a merged area got its text.
    case merged
    /// Hidden sheets or rows were read.
    case hidden
    /// The document has changes that nobody accepted.
    case revisions
    /// A domain, a difficulty or an id became another.
    case changed

    // MARK: Losses

    /// A list or a sheet holds no questions and was not read.
    case listUnread = "list-unread"
    /// A field or a column was not read.
    case fieldUnread = "field-unread"
    /// A file or a part of a package was not read.
    case entryUnread = "entry-unread"
    /// Text of the file is in no question.
    case unreadText = "unread-text"
    /// Points for a part of the answer are not kept.
    case partialCredit = "partial-credit"
    /// A feedback, a hint or another text is not kept.
    case textLost = "text-lost"
    /// A picture, a sound or a clip is not kept.
    case mediaLost = "media-lost"
}
