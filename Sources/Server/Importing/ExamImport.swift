import ContentModel
public import Foundation
public import QuestionEngine

/// An import of several files into the folder of one exam; it writes all of them or none.
///
/// ```swift
/// var run = ExamImport(into: try ExamFolder(path: "content/exams/int/swift"))
/// run.read(bytes, file: "bank.gift")
/// let written = try run.write()
/// ```
public struct ExamImport: Sendable {
    /// The target.
    public let folder: ExamFolder
    /// The files that were read.
    public private(set) var results: [ImportResult] = []
    /// The files that are unreadable.
    public private(set) var failures: [ImportError] = []
    private var importer: QuestionImporter
    private let fetched: FetchedPictures?

    /// Creates an import.
    ///
    /// - Parameters:
    ///   - folder: The target.
    ///   - settings: The user's settings for the files.
    ///   - fetched: The pictures that were fetched by their ``addresses``; `nil` where none were asked for.
    public init(
        into folder: ExamFolder, settings: ImportSettings = ImportSettings(),
        fetched: FetchedPictures? = nil
    ) {
        self.folder = folder
        self.fetched = fetched
        importer = QuestionImporter(
            present: folder.blueprint.questions, declaredDomains: folder.declaredDomains,
            settings: settings)
        importer.fetched = fetched
    }

    /// Reads one file, skipping questions that repeat those of the bank or of earlier files.
    ///
    /// An unreadable file, or one without questions, is added to ``failures``.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - file: Its name, for messages and the detection of the format.
    ///   - format: The format; `nil` to detect it.
    ///   - pictures: The folder of pictures that the file names and does not contain; `nil` for none.
    public mutating func read(
        _ bytes: [UInt8], file: String, format: ImportFormat? = nil, pictures: PictureFolder? = nil
    ) {
        importer.pictures = pictures
        do throws(ImportError) {
            let result = try importer.read(bytes, file: file, format: format)
            guard result.foundCount > 0 else {
                throw ImportError(
                    file, .noQuestion,
                    "has no question, read as \(result.format.rawValue); name the format by --format, or its fields by --map"
                )
            }
            results.append(result)
        } catch {
            failures.append(error)
        }
    }

    /// Writes the imported questions to the folder, unless a file was unreadable.
    ///
    /// - Parameters:
    ///   - title: The title for a new `exam.yaml`.
    ///   - date: The time, for the id by which ``ImportUndo`` takes the import back.
    /// - Returns: The written files; none if a file was unreadable.
    /// - Throws: `PublishingError` `unwritable`; `invalidRequest` for a question that cannot be replaced separately.
    public func write(title: String? = nil, date: Date = Date()) throws -> ImportedFiles {
        guard failures.isEmpty else { return ImportedFiles() }
        return try folder.write(results, title: title, date: date)
    }

    /// The past reviews of the imported flashcards as answers to the exam; none if a file was unreadable.
    public var pastAnswers: [AnswerRecord] {
        guard failures.isEmpty else { return [] }
        return results.flatMap { result in
            result.reviews.map { review in
                AnswerRecord(
                    sessionID: "import-\(Checksum(of: Array(result.file.utf8)).hex.prefix(12))",
                    questionID: review.questionID, contentVersion: result.format.rawValue,
                    response: [], isCorrect: review.rating > 1,
                    credit: review.rating > 1 ? 1 : 0, rating: Rating(rawValue: review.rating),
                    timeTaken: review.timeTaken, exposuresBefore: 0, mode: .study,
                    isRandomlySelected: false, date: Date(timeIntervalSince1970: review.seconds))
            }
        }
    }

    /// The addresses of the pictures that questions of all files show, each once.
    public var addresses: [String] {
        var seen: Set<String> = []
        return results.flatMap(\.addresses).filter { seen.insert($0).inserted }
    }

    /// Summarizes the import.
    ///
    /// - Parameters:
    ///   - written: The files that were written.
    ///   - reviewsKept: The number of past answers that were stored.
    ///   - isDry: True for an import that should write nothing.
    /// - Returns: The summary.
    public func summary(written: ImportedFiles, reviewsKept: Int, isDry: Bool) -> ImportSummary {
        ImportSummary(
            files: results.map(ImportSummary.File.init), failures: failures, written: written.paths,
            undo: written.undoID, reviewsKept: reviewsKept, dry: isDry,
            addresses: ImportedAddresses(addresses, fetched, shown: results))
    }
}
