/// The summary of an ``ExamImport``, with the JSON form of `import --json`.
public struct ImportSummary: Sendable, Hashable, Codable {
    /// A note, with the places that it concerns.
    public struct Note: Sendable, Hashable, Codable {
        /// The kind of the note.
        public var code: ImportCode
        /// The first place in the file.
        public var place: String
        /// The number of places.
        public var count: Int
        /// The lost or changed property.
        public var message: String
        /// The first places, at most ``placesMax``.
        public var places: [String]

        /// The maximum number of ``places``.
        public static let placesMax = 3

        /// Returns each note once, in the order of their first places.
        static func grouped(_ notes: [ImportResult.Note]) -> [Note] {
            var indices: [String: Int] = [:]
            var grouped: [Note] = []
            for note in notes {
                let key = "\(note.code.rawValue) \(note.message)"
                guard let index = indices[key] else {
                    indices[key] = grouped.count
                    grouped.append(
                        Note(
                            code: note.code, place: note.place, count: 1, message: note.message,
                            places: [note.place]))
                    continue
                }
                grouped[index].count += 1
                if grouped[index].places.count < placesMax {
                    grouped[index].places.append(note.place)
                }
            }
            return grouped
        }
    }

    /// One file, whose imported and skipped questions add up to the found ones.
    public struct File: Sendable, Hashable, Codable {
        /// The file.
        public var file: String
        /// The format.
        public var format: String
        /// The encoding of its text; `nil` for archives.
        public var encoding: String?
        /// What was decided about the whole file; `nil` for formats that leave nothing open.
        public var profile: FileProfile?
        /// The number of questions in the file.
        public var found: Int
        /// The number of imported questions.
        public var imported: Int
        /// The number of questions that were made of them; a question with rows becomes several.
        public var questions: Int
        /// The number of imported questions that replace one of the bank.
        public var replaced: Int
        /// The questions that differ from the bank's, replaced or not.
        public var differences: [QuestionDifference]
        /// The questions that were not imported.
        public var skipped: [ImportResult.Skipped]
        /// The losses in imported questions and the decisions, each once.
        public var notes: [Note]
        /// The number of media files.
        public var media: Int
        /// The number of past answers.
        public var reviews: Int

        /// Summarizes a file.
        public init(_ result: ImportResult) {
            file = result.file
            format = result.format.rawValue
            encoding = result.encoding
            profile = result.profile
            found = result.foundCount
            imported = result.importedCount
            questions = result.questions.count
            replaced = result.replacedIDs.count
            differences = result.differences
            skipped = result.skipped
            notes = Note.grouped(result.notes)
            media = result.media.count
            reviews = result.reviews.count
        }
    }

    /// The files that were read.
    public var files: [File]
    /// The unreadable files.
    public var failures: [ImportError]
    /// The written files.
    public var written: [String]
    /// The id by which the import is taken back; `nil` if nothing was written.
    public var undo: String?
    /// The number of stored past answers.
    public var reviewsKept: Int
    /// True for an import that should write nothing.
    public var dry: Bool
    /// The pictures by address; `nil` if no question shows one.
    public var addresses: ImportedAddresses?
}
