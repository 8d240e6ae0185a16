public import ContentModel
import Publishing

/// The formats of an export.
public enum ExportFormat: String, Sendable, Hashable, CaseIterable {
    /// Moodle's text format; without images.
    case gift
    /// IMS QTI 3.0 as a package in a zip archive, with images.
    case qti3
    /// A table, which names images.
    case csv
    /// The table of `csv` as a workbook.
    case xlsx
    /// Moodle's XML, with images.
    case moodleXML = "moodle-xml"
    /// Cards as text, with options on the front; without images and codes.
    case cards

    /// Selects the format by the extension of a file: `gift`, `zip`, `csv`, `xlsx`, `xml` or `txt`; `nil` for others.
    public init?(file: String) {
        switch file.split(separator: ".").last {
        case "gift": self = .gift
        case "zip": self = .qti3
        case "csv": self = .csv
        case "xlsx": self = .xlsx
        case "xml": self = .moodleXML
        case "txt": self = .cards
        default: return nil
        }
    }
}

/// The outcome of an export: the number of written questions, and the skipped ones.
public struct ExportResult: Sendable {
    /// The number of written questions.
    public var writtenCount: Int
    /// The ids of questions that the format cannot represent, with the reason.
    public var skipped: [(id: String, reason: String)]
}

/// An exporter of questions to other programs.
///
/// Properties without a field in the format (domain, difficulty, ids of options) become marks that other programs
/// ignore and an import reads, so that a round trip is lossless.
public enum QuestionExporter {
    /// Writes questions to a file.
    ///
    /// - Parameters:
    ///   - questions: The questions.
    ///   - format: The format.
    ///   - path: The file, which is replaced; a pipe or a device is written to.
    ///   - media: A function that reads an image of the bank by its name; `nil` for a missing image.
    /// - Returns: The written and the skipped questions.
    /// - Throws: `PublishingError` `unwritable`.
    public static func write(
        _ questions: [Question], as format: ExportFormat, to path: String,
        media: (String) -> [UInt8]?
    ) throws -> ExportResult {
        switch format {
        case .gift:
            let result = written(questions, giftProblem)
            try write(result.0.map(GIFTWriter.text).joined(separator: "\n"), to: path)
            return result.1
        case .csv:
            let result = written(questions, csvProblem)
            try write(CSVQuestionWriter.text(result.0), to: path)
            return result.1
        case .xlsx:
            let differences = try WorkbookWriter.differences(
                questions.filter { WorkbookWriter.problem($0) == nil })
            let result = written(questions) {
                WorkbookWriter.problem($0) ?? differences[$0.id]
            }
            try OutputFile.write(try WorkbookWriter.bytes(result.0), to: path)
            return result.1
        case .moodleXML:
            let result = written(questions) { moodleProblem($0, media) }
            try write(MoodleWriter.document(result.0, media: media), to: path)
            return result.1
        case .cards:
            let result = written(questions, cardsProblem)
            try write(CardsWriter.text(result.0), to: path)
            return result.1
        case .qti3: return try QTIWriter.write(questions, to: path, media: media)
        }
    }

    /// Returns the questions that a format can say, and the others with their reasons.
    private static func written(
        _ questions: [Question], _ problem: (Question) -> String?
    ) -> ([Question], ExportResult) {
        var written: [Question] = []
        var result = ExportResult(writtenCount: 0, skipped: [])
        for question in questions {
            if let reason = problem(question) {
                result.skipped.append((question.id, reason))
            } else {
                written.append(question)
            }
        }
        result.writtenCount = written.count
        return (written, result)
    }

    private static func giftProblem(_ question: Question) -> String? {
        guard question.mediaNames.isEmpty else { return "GIFT holds no images and clips" }
        return ExportTrial.problem(question, "GIFT", GIFTWriter.text(question)) {
            bytes throws(ImportError) in
            GIFTReader.read(try DecodedText(bytes, file: "").text)
        }
    }

    private static func csvProblem(_ question: Question) -> String? {
        ExportTrial.problem(question, "CSV", CSVQuestionWriter.text([question])) {
            bytes throws(ImportError) in
            try CSVQuestionReader.read(bytes, file: "", settings: ImportSettings())
        }
    }

    private static func moodleProblem(
        _ question: Question, _ media: (String) -> [UInt8]?
    ) -> String? {
        if question.audio != nil { return "it plays a clip, which no export has" }
        if let missing = question.mediaNames.first(where: { media($0) == nil }) {
            return "its image \(missing) is missing"
        }
        let text = MoodleWriter.document([question]) { _ in nil }
        return ExportTrial.problem(question, "Moodle XML", text) { bytes throws(ImportError) in
            try MoodleReader.read(bytes, file: "")
        }
    }

    private static func cardsProblem(_ question: Question) -> String? {
        CardsWriter.problem(question)
            ?? ExportTrial.problem(question, "a card as text", CardsWriter.text([question])) {
                bytes throws(ImportError) in
                try CardsReader.read(bytes, file: "", settings: ImportSettings())
            }
    }

    private static func write(_ text: String, to path: String) throws {
        try OutputFile.write(Array(text.utf8), to: path)
    }
}
