/// The kind of an object in a released file, with the fields that this version's reader knows.
///
/// Both the reader and the profile of this version (`DecoderProfile.current`) use these fields, so they cannot differ.
package enum DocumentShape: String, Sendable, CaseIterable {
    case manifest
    case manifestLanguage
    case manifestExam
    case reference
    case fileList
    case file
    case asset
    case rollout
    case rolloutPrevious
    case blueprint
    case domain
    case scoring
    case cut
    case question
    case option
    case code
    case audio
    case number
    case correction
    case announcementList
    case announcement
    case announcementText

    /// The fields that the reader knows.
    package var fields: [String] {
        switch self {
        case .manifest, .manifestLanguage, .manifestExam, .reference, .fileList, .file, .asset,
            .rollout, .rolloutPrevious:
            manifestFields
        case .announcementList, .announcement, .announcementText: announcementFields
        case .blueprint: Self.blueprintFields
        case .domain: Self.domainFields
        case .scoring: Self.scoringFields
        case .cut: Self.cutFields
        case .question: Self.questionFields
        case .option: Self.optionFields
        case .code: Self.codeFields
        case .audio: Self.audioFields
        case .number: Self.numberFields
        case .correction: Self.correctionFields
        }
    }

    private var manifestFields: [String] {
        switch self {
        case .manifestLanguage: Self.languageFields
        case .manifestExam: Self.examFields
        case .reference: Self.referenceFields
        case .fileList: Self.fileListFields
        case .file: Self.fileFields
        case .asset: Self.assetFields
        case .rollout: Self.rolloutFields
        case .rolloutPrevious: Self.rolloutPreviousFields
        default: Self.manifestFields
        }
    }

    private var announcementFields: [String] {
        switch self {
        case .announcementList: Self.announcementListFields
        case .announcementText: Self.announcementTextFields
        default: Self.announcementFields
        }
    }

    /// The fields that an author may write and no release has.
    var authoredFields: [String] { self == .blueprint ? ["text"] : [] }

    /// The object in words for a message.
    package var title: String {
        switch self {
        case .manifest, .manifestLanguage, .manifestExam, .reference, .fileList, .file:
            "the manifest"
        case .asset: "an asset"
        case .rollout, .rolloutPrevious: "the rollout"
        case .blueprint: "the bank"
        case .domain: "a domain"
        case .scoring, .cut: "the scoring"
        case .question: "a question"
        case .option: "an option"
        case .code: "a piece of code"
        case .audio: "a clip"
        case .number: "a right number"
        case .correction: "a correction"
        case .announcementList, .announcement: "an announcement"
        case .announcementText: "the text of an announcement"
        }
    }

    private static let manifestFields = [
        "schemaVersion", "release", "generatedAt", "contentBaseUrl", "languages", "exams", "assets",
        "announcements", "rollout",
    ]
    private static let rolloutFields = [
        "since", "percent", "paused", "minimumAppVersion", "maximumAppVersion", "previous",
    ]
    private static let rolloutPreviousFields = ["release", "sha256", "size"]
    private static let languageFields = ["blueprint", "localization", "audio"]
    private static let examFields = ["contentUpdatedAt", "blueprint", "media"]
    private static let referenceFields = ["version", "checksum", "size"]
    private static let fileListFields = ["version", "files"]
    private static let fileFields = ["name", "checksum", "size"]
    private static let assetFields = ["checksum", "size", "class"]
    private static let blueprintFields = [
        "kind", "id", "title", "version", "domains", "levels", "scoring", "questions",
        "corrections", "language",
    ]
    private static let domainFields = ["id", "title", "weight"]
    private static let scoringFields = ["cuts", "outOf", "pass"]
    private static let cutFields = ["level", "from"]
    private static let questionFields = [
        "id", "type", "domain", "difficulty", "stem", "code", "image", "audio", "options",
        "correct", "number", "explanation", "tags", "shuffle", "retired", "text",
    ]
    private static let optionFields = ["id", "text", "image", "pinned", "feedback"]
    private static let codeFields = ["language", "text"]
    private static let audioFields = ["file", "title", "transcript"]
    private static let numberFields = [
        "value", "tolerance", "relativeTolerance", "from", "to", "unit",
    ]
    private static let correctionFields = ["question", "versions", "was", "is", "day"]
    private static let announcementListFields = ["announcements"]
    private static let announcementFields = [
        "identifier", "version", "type", "texts", "image", "link", "start", "end",
        "minimumAppVersion", "maximumAppVersion", "languages",
    ]
    private static let announcementTextFields = ["title", "content", "imageLabel", "buttons"]
}

/// A set of names of which an older version of the app may know fewer.
package enum Vocabulary: String, Sendable, CaseIterable {
    case blueprintKinds
    case questionTypes
    case announcementTypes
    case assetClasses
    case textForms

    /// The names that this version's reader knows, in their order.
    package var names: [String] {
        switch self {
        case .blueprintKinds: Blueprint.Kind.allCases.map(\.rawValue)
        case .questionTypes: QuestionType.allCases.map(\.rawValue)
        case .announcementTypes: AnnouncementType.allCases.map(\.rawValue)
        case .assetClasses: AssetClass.allCases.map(\.rawValue)
        // A release names no plain text.
        case .textForms: TextForm.allCases.filter { $0 != .plain }.map(\.rawValue)
        }
    }
}

/// A maximum above which the reader refuses a document or omits a part.
package enum ReaderLimit: String, Sendable, CaseIterable {
    case manifestSchema
    case announcementSchema
    case manifestBytes
    case documentBytes
    case fileBytes
    case questions
    case options
    case textBytes
    case corrections
    case correctedVersions

    /// The limit of this version's reader.
    package var value: Int {
        switch self {
        case .manifestSchema: Manifest.schemaVersion
        case .announcementSchema: Announcement.schemaVersion
        case .manifestBytes: ContentLimits.manifestBytesMax
        case .documentBytes: ContentLimits.documentBytesMax
        case .fileBytes: ContentLimits.fileBytesMax
        case .questions: ContentLimits.questionsMax
        case .options: ContentLimits.optionsMax
        case .textBytes: ContentLimits.textBytesMax
        case .corrections: ContentLimits.correctionsMax
        case .correctedVersions: ContentLimits.correctedVersionsMax
        }
    }
}

/// A field, or a value of one, that a reader passed over while it read the rest.
package struct IgnoredField: Hashable, Sendable {
    /// The kind of object that has the field.
    package var shape: DocumentShape
    /// The name of the field.
    package var field: String
    /// The value that the reader does not know, where it knows the field.
    package var value: String?
    /// The position in the document.
    package var position: SourcePosition
}
