public import ContentModel
import Publishing

/// The formats that questions can leave in.
public enum ExportFormat: String, Sendable, Hashable, CaseIterable {
    /// Moodle's text format; without images.
    case gift
    /// IMS QTI 3.0 as a package in a zip archive, with images.
    case qti3
    /// A table; images by name.
    case csv
}

/// What an export wrote, and what it could not.
public struct ExportResult: Sendable {
    /// How many questions were written.
    public var writtenCount: Int
    /// The ids of questions that the format cannot hold, with the reason.
    public var skipped: [(id: String, reason: String)]
}

/// Writes questions for other programs.
///
/// What a format has no field for (domain, difficulty, ids of options) stands in marks that other
/// programs ignore and our import reads, so that nothing is lost on the way back.
public enum QuestionExporter {
    /// Writes questions to a file.
    ///
    /// - Parameters:
    ///   - questions: The questions.
    ///   - format: The format.
    ///   - path: The file, which is replaced; a pipe or a device is written through.
    ///   - media: Reads an image of the bank by its name; `nil` when it is missing.
    /// - Returns: What was written and what was not.
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
