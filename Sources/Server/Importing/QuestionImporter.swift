public import ContentModel

/// An importer of questions from other programs.
public struct QuestionImporter: Sendable {
    /// The largest file that is read, in bytes.
    public static let fileBytesMax = ContentLimits.fileBytesMax

    /// The questions of the bank and of earlier files, so that ids stay unique.
    private var known: KnownQuestions
    /// The domain of questions that name none, or one that is not declared.
    public var domain: String?
    /// The domains of the bank; `nil` if any is allowed.
    public var declaredDomains: [String]?
    /// The file's field names by ours: `stem`, `options`, `correct` and so on.
    public var mapping: [String: String]
    /// The number of the first option in keys that are numbers, 0 or 1; `nil` to recognise it in each file.
    public var keysFrom: Int?
    /// The form of texts in CSV, JSON and YAML; `nil` to recognise it in each file.
    public var textForm: TextForm?
    /// Whether questions that the bank has in another state replace those; they are skipped without it.
    public var updatesBank = false

    /// Creates an importer.
    ///
    /// - Parameters:
    ///   - present: The questions of the target bank.
    ///   - domain: The domain of questions that name none, or one that is not declared.
    ///   - declaredDomains: The domains of the bank; `nil` if any is allowed.
    ///   - mapping: The file's field names by ours, for CSV, JSON and YAML.
    public init(
        present: [Question] = [], domain: String? = nil, declaredDomains: [String]? = nil,
        mapping: [String: String] = [:]
    ) {
        known = KnownQuestions(bank: present)
        self.domain = domain
        self.declaredDomains = declaredDomains
        self.mapping = mapping
    }

    /// Reads one file.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - file: Its name, for messages and the detection of the format.
    ///   - format: The format; `nil` to detect it.
    /// - Returns: The questions, and every skipped one with its reason.
    /// - Throws: `ImportError` when the file as a whole cannot be read.
    public mutating func read(
        _ bytes: [UInt8], file: String, format: ImportFormat? = nil
    ) throws(ImportError) -> ImportResult {
        guard let format = format ?? ImportFormat.detect(file: file, bytes: bytes) else {
            throw ImportError(
                file, "is of no known format; name it, as in --format gift")
        }
        let drafts = try drafts(bytes, file, format)
        var finisher = DraftFinisher(
            known: known, domain: domain, declared: declaredDomains, updatesBank: updatesBank)
        var result = finisher.finish(drafts, file: file, format: format)
        result.foundCount = drafts.begun ?? drafts.entryCount
        try expectSum(result)
        known = finisher.known
        return result
    }

    /// Refuses a file of which a question was lost.
    private func expectSum(_ result: ImportResult) throws(ImportError) {
        let (imported, skipped) = (result.questions.count, result.skipped.count)
        guard result.foundCount != imported + skipped else { return }
        throw ImportError(
            result.file,
            "has \(result.foundCount) beginnings of questions, but \(imported + skipped) were told apart"
                + " (\(imported) read, \(skipped) refused); blank lines, braces or headings between"
                + " the questions are missing"
        )
    }

    private var settings: RecordSettings {
        RecordSettings(mapping: mapping, keysFrom: keysFrom, form: textForm)
    }

    private func drafts(
        _ bytes: [UInt8], _ file: String, _ format: ImportFormat
    ) throws(ImportError) -> ImportedDrafts {
        switch format {
        case .gift: try text(bytes, file, GIFTReader.read, QuestionBeginnings.gift)
        case .aiken: try text(bytes, file, AikenReader.read, QuestionBeginnings.aiken)
        case .markdown: try text(bytes, file, MarkdownReader.read, QuestionBeginnings.markdown)
        case .csv: try CSVQuestionReader.read(bytes, file: file, settings: settings)
        case .moodleXML: try MoodleReader.read(bytes, file: file)
        case .qti: try QTIReader.read(bytes, file: file)
        case .json, .yaml:
            try StructuredReader.read(
                bytes, file: file, isJSON: format == .json, settings: settings)
        case .jsonLines: try JSONLinesReader.read(bytes, file: file, settings: settings)
        case .anki: try AnkiReader.read(bytes, file: file)
        case .crowdAnki: try CrowdAnkiReader.read(bytes, file: file)
        }
    }

    private func text(
        _ bytes: [UInt8], _ file: String, _ read: (String) -> ImportedDrafts,
        _ begun: (String) -> Int
    ) throws(ImportError) -> ImportedDrafts {
        let decoded = try DecodedText(bytes, file: file)
        var drafts = read(decoded.text)
        drafts.begun = max(begun(decoded.text), drafts.entryCount)
        drafts.encoding = decoded.encoding
        return drafts
    }
}
