public import ContentModel
import Publishing

/// The formats of an export.
public enum ExportFormat: String, Sendable, Hashable, CaseIterable {
    /// Moodle's text format; without images.
    case gift
    /// IMS QTI 3.0 as a package in a zip archive, with images.
    case qti3
    /// A table; images by name.
    case csv

    /// Chooses the format by the extension of a file: `gift`, `zip` or `csv`; `nil` for others.
    public init?(file: String) {
        switch file.split(separator: ".").last {
        case "gift": self = .gift
        case "zip": self = .qti3
        case "csv": self = .csv
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
/// Properties without a field in the format (domain, difficulty, ids of options) are written as
/// marks that other programs ignore and an import reads, so that a round trip is lossless.
public enum QuestionExporter {
    /// Writes questions to a file.
    ///
    /// - Parameters:
    ///   - questions: The questions.
    ///   - format: The format.
    ///   - path: The file, which is replaced; a pipe or a device is written to.
    ///   - media: A function that reads an image of the bank by its name; `nil` when it is missing.
    /// - Returns: The written and the skipped questions.
    /// - Throws: `PublishingError` `unwritable` when the file cannot be written.
    public static func write(
        _ questions: [Question], as format: ExportFormat, to path: String,
        media: (String) -> [UInt8]?
    ) throws -> ExportResult {
        switch format {
        case .gift:
            let plain = questions.filter(\.mediaNames.isEmpty)
            try write(GIFTWriter.text(plain), to: path)
            let skipped = questions.filter { !$0.mediaNames.isEmpty }
                .map { (id: $0.id, reason: "GIFT holds no images") }
            return ExportResult(writtenCount: plain.count, skipped: skipped)
        case .csv:
            try write(CSVQuestionWriter.text(questions), to: path)
            return ExportResult(writtenCount: questions.count, skipped: [])
        case .qti3: return try QTIWriter.write(questions, to: path, media: media)
        }
    }

    private static func write(_ text: String, to path: String) throws {
        try OutputFile.write(Array(text.utf8), to: path)
    }
}
