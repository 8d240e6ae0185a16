/// The severity of a problem: an error prevents a publish, a warning does not.
public enum Severity: String, Sendable, Hashable {
    case error
    case warning
}

/// A rule that checks apply to content, with the name that reports use.
///
/// Each rule has a page `docs/rules/<name>.md` whose examples are tested.
public enum Rule: String, CaseIterable, Sendable, Hashable {
    // Form of a file
    case syntax
    case duplicateField = "duplicate-field"
    case unknownField = "unknown-field"
    case missingField = "missing-field"
    case wrongType = "wrong-type"
    case invalidValue = "invalid-value"
    case unsafePath = "unsafe-path"
    case limitExceeded = "limit-exceeded"
    case missingFile = "missing-file"
    case nameClash = "name-clash"

    // Questions
    case keyMissing = "key-missing"
    case keyOutOfRange = "key-out-of-range"
    case keyDuplicate = "key-duplicate"
    case keyCount = "key-count"
    case numericKey = "numeric-key"
    case optionCount = "option-count"
    case optionBlank = "option-blank"
    case optionDuplicate = "option-duplicate"
    case stemBlank = "stem-blank"
    case difficultyRange = "difficulty-range"
    case duplicateIdentifier = "duplicate-identifier"
    case hierarchy
    case scoring
    case missingMedia = "missing-media"

    // Texts
    case formula
    case textDollar = "text-dollar"
    case textDialect = "text-dialect"
    case textHTML = "text-html"
    case textTable = "text-table"
    case textLink = "text-link"
    case textImage = "text-image"
    case textEmphasis = "text-emphasis"
    case optionBlock = "option-block"

    // Announcements
    case announcementUntranslated = "announcement-untranslated"
    case announcementOverlap = "announcement-overlap"
    case announcementImageLabel = "announcement-image-label"
    case announcementAction = "announcement-action"

    // Assets
    case schemaInvalid = "schema-invalid"
    case schemaMismatch = "schema-mismatch"

    // Versions of the app
    case unsupported
    case partlySupported = "partly-supported"

    // Lints
    case selectCount = "select-count"
    case allOfTheAbove = "all-of-the-above"
    case longestOption = "longest-option"
    case letterReference = "letter-reference"
    case duplicateStem = "duplicate-stem"
    case optionCase = "option-case"
    case optionLetters = "option-letters"
    case audioTitle = "audio-title"
    case cutByChance = "cut-by-chance"
    case unreachableLevel = "unreachable-level"
    case unusedMedia = "unused-media"
    case staleCorrection = "stale-correction"
    case unexpectedFile = "unexpected-file"
    case unportableName = "unportable-name"

    /// The severity of the rule's problems.
    public var severity: Severity {
        switch self {
        case .selectCount, .allOfTheAbove, .longestOption, .letterReference, .duplicateStem,
            .optionCase, .cutByChance, .unreachableLevel, .unusedMedia, .unexpectedFile,
            .unportableName, .staleCorrection, .partlySupported, .textDollar, .textDialect,
            .textHTML, .textEmphasis, .optionLetters, .audioTitle:
            .warning
        default: .error
        }
    }

    /// The remedy for the author, if the problem names no better one.
    public var hint: String {
        switch self {
        case .syntax: "Mend the text at this place; nothing after it could be read."
        case .duplicateField: "Keep one of the two."
        case .unknownField: "Remove it or correct its spelling."
        case .missingField: "Add the field."
        case .wrongType: "Write a value of the kind that the field takes."
        case .invalidValue: "Choose one of the values that the field takes."
        case .unsafePath: "Use a plain relative name without `..`, links or special characters."
        case .limitExceeded: "Split the content or make it smaller."
        case .missingFile: "Add the file or remove what names it."
        case .nameClash: "Rename one of the two."
        case .keyMissing: "List the indices of the correct options under `correct`, from 0."
        case .keyOutOfRange: "The first option has index 0, the last one less than their number."
        case .keyDuplicate: "Name each correct option once."
        case .keyCount: "Change the key or the type of the question."
        case .numericKey: "Give a value with its tolerance, or a range from the lesser number up."
        case .optionCount: "Give at least two options."
        case .optionBlank: "Write the option's text, or give it an image."
        case .optionDuplicate: "Make the options differ in id and in text."
        case .stemBlank: "Write the question."
        case .difficultyRange: "Use a whole number from 1 (easiest) to 5."
        case .duplicateIdentifier: "Give each its own id; an id that was published stays for ever."
        case .hierarchy: "Declare the domain, or name one that is declared."
        case .scoring: "Let the first cut start at 0 and each later one at a higher score."
        case .missingMedia: "Add the file to the folder, or correct its name."
        case .formula: "Correct the formula, or write it as code between backticks."
        case .textDollar: "Write `\\$` for an amount, or close the formula with `$`."
        case .textDialect: "Declare `text: markdown`, and write formulas between dollars."
        case .textHTML: "Use marks such as `*`, type the character, or put it into code."
        case .textTable: "Give the table a head, and each row at most as many cells."
        case .textLink: "Link to an address of `https:`, `http:` or `mailto:`."
        case .textImage: "Name a file of the media folder, and say what the picture shows."
        case .textEmphasis: "Write `\\*` for the sign, or a space beside the emphasis."
        case .optionBlock: "Put it into the question, or write lines."
        case .announcementUntranslated: "Add the text for each language of the announcement."
        case .announcementOverlap: "Let one end before the other starts, or part their audiences."
        case .announcementImageLabel: "Say what the image shows, as `imageLabel`."
        case .announcementAction: "Give the type the link and the button title that it needs."
        case .schemaInvalid: "Write a schema of the keywords that docs/authors.md lists."
        case .schemaMismatch: "Correct the value, or the schema that it is held against."
        case .unsupported: "Write it so that each declared version of the app can read it."
        case .partlySupported: "Learners with that version do without it until they update."
        case .selectCount: "Let the number in the question and the key agree."
        case .allOfTheAbove: "Pin the option to its place with `pinned: true`."
        case .longestOption: "Write distractors as long and as precise as the right option."
        case .letterReference: "Refer to the option's text: options are shown in any order."
        case .duplicateStem: "Tell the questions apart, or remove one."
        case .optionCase: "Check that the difference is meant, as in code."
        case .audioTitle: "Say what is heard, as `title`, without giving the answer away."
        case .optionLetters: "Remove the letters: options are shown in any order."
        case .cutByChance: "Raise the cut above what guessing gives, or ask more questions."
        case .unreachableLevel: "Set the cuts anew for the questions that are left, with `outOf`."
        case .unusedMedia: "Remove the file, or use it in a question."
        case .staleCorrection: "Correct the entry in corrections.yaml, or remove it."
        case .unexpectedFile: "Correct its name, or keep it outside the content folder."
        case .unportableName: "Choose a name that every system can hold."
        }
    }
}

/// A problem that a check found: its place, its description and its remedy.
public struct Problem: Hashable, Sendable, Error {
    /// The violated rule.
    public var rule: Rule
    /// The file, relative to the content folder, with `/` between its components.
    public var file: String
    /// The position in the file.
    public var position: SourcePosition
    /// The description, in one sentence.
    public var message: String
    /// The remedy.
    public var hint: String

    /// Creates a problem; without a hint it has the rule's.
    public init(
        _ rule: Rule, file: String, position: SourcePosition = .start, message: String,
        hint: String? = nil
    ) {
        self.rule = rule
        self.file = file
        self.position = position
        self.message = message
        self.hint = hint ?? rule.hint
    }

    /// The problem as compilers print it: `file:line:column: severity: message [rule]`.
    public var summary: String {
        "\(file):\(position.line):\(position.column): \(rule.severity.rawValue): \(message)"
            + " [\(rule.rawValue)]"
    }
}

extension Problem: Comparable {
    /// Orders by file, then position, then rule, so that reports are deterministic.
    public static func < (left: Problem, right: Problem) -> Bool {
        (left.file, left.position, left.rule.rawValue, left.message)
            < (right.file, right.position, right.rule.rawValue, right.message)
    }
}
