public import ContentModel

/// An importer of questions from other programs.
public struct QuestionImporter: Sendable {
    /// The maximum size of a file, in bytes.
    public static let fileBytesMax = ContentLimits.fileBytesMax
    /// The maximum number of questions in the rows or lines of a file.
    static let questionsMax = 100_000

    /// The questions of the bank and of earlier files, so that ids stay unique.
    private var known: KnownQuestions
    /// The domains of the bank; `nil` if any is allowed.
    private let declaredDomains: [String]?
    /// The user's settings for the files.
    public var settings: ImportSettings
    /// The folder of pictures that a file names and does not contain; `nil` for none.
    public var pictures: PictureFolder?
    /// The pictures that were fetched by their addresses; `nil` where none were asked for.
    public var fetched: FetchedPictures?

    /// Creates an importer.
    ///
    /// - Parameters:
    ///   - present: The questions of the target bank.
    ///   - declaredDomains: The domains of the bank; `nil` to allow any.
    ///   - settings: The user's settings for the files.
    public init(
        present: [Question] = [], declaredDomains: [String]? = nil,
        settings: ImportSettings = ImportSettings()
    ) {
        known = KnownQuestions(bank: present)
        self.declaredDomains = declaredDomains
        self.settings = settings
    }

    /// Reads one file.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - file: Its name, for messages and the detection of the format.
    ///   - format: The format; `nil` to detect it.
    /// - Returns: The questions, and every skipped one with its reason.
    /// - Throws: `ImportError` if the whole file is unreadable.
    public mutating func read(
        _ bytes: [UInt8], file: String, format: ImportFormat? = nil
    ) throws(ImportError) -> ImportResult {
        var bytes = bytes
        if format == nil, let advice = ImportFormat.advice(file: file, bytes: bytes) {
            throw ImportError(file, .format, advice)
        }
        if let encoding = settings.encoding { bytes = try utf8(bytes, file, encoding) }
        guard let format = format ?? ImportFormat.detect(file: file, bytes: bytes) else {
            // Bytes that are no text have no format either, and their encoding is the better hint.
            _ = try DecodedText(bytes, file: file)
            throw ImportError(
                file, .format, "is of no known format; name it, as in --format gift")
        }
        var drafts = try drafts(bytes, file, format)
        if let encoding = settings.encoding { drafts.encoding = encoding.name }
        if let note = Self.encodingNote(drafts.encoding, bytes, file) { drafts.notes.append(note) }
        drafts.placeAll(in: file)
        // A package reads only itself.
        let isPackage =
            [.qti, .h5p, .anki].contains(format) && bytes.starts(with: [0x50, 0x4B])
        drafts.addPictures(from: isPackage ? nil : pictures)
        drafts.addFetched(fetched)
        var finisher = DraftFinisher(
            known: known, domain: settings.domain, declared: declaredDomains,
            updatesBank: settings.updatesBank)
        var result = finisher.finish(drafts, file: file, format: format)
        if format == .qti, let note = Self.unusedNote(drafts, result) { result.notes.append(note) }
        result.foundCount = drafts.begun ?? drafts.entryCount
        try checkSum(result)
        try checkCounts(bytes, drafts, result, format)
        try checkUnread(bytes, drafts, &result, format)
        known = finisher.known
        return result
    }

    /// Refuses a file of which a question was lost.
    private func checkSum(_ result: ImportResult) throws(ImportError) {
        let (imported, skipped) = (result.importedCount, result.skipped.count)
        guard result.foundCount != imported + skipped else { return }
        throw ImportError(
            result.file, .count,
            "has \(result.foundCount) beginnings of questions, but \(imported + skipped) were told apart"
                + " (\(imported) read, \(skipped) refused); blank lines, braces or headings between"
                + " the questions are missing"
        )
    }

    /// Refuses a file of which the reader lost what its bytes show.
    private func checkCounts(
        _ bytes: [UInt8], _ drafts: ImportedDrafts, _ result: ImportResult, _ format: ImportFormat
    ) throws(ImportError) {
        if let lists = drafts.lists {
            let counts =
                try format == .json
                ? ListCount.json(DecodedText(bytes, file: result.file).text)
                : drafts.objectCounts ?? [:]
            try ListCount.check(
                counts, against: lists, found: result.foundCount, file: result.file)
        }
        if format == .h5p { try H5PCount.check(bytes, drafts: drafts, file: result.file) }
        if let sheets = drafts.sheets {
            try RowCount.check(bytes, against: sheets, found: result.foundCount, file: result.file)
        }
        if format == .moodleXML || format == .qti, !bytes.starts(with: [0x50, 0x4B]) {
            let text = try DecodedText(xml: bytes, file: result.file).text
            try ElementCount.check(
                ElementCount.questions(text), found: result.foundCount, file: result.file)
        }
    }

    /// Notes text that stands in no question; refuses a file with so much of it that questions must have been lost.
    private func checkUnread(
        _ bytes: [UInt8], _ drafts: ImportedDrafts, _ result: inout ImportResult,
        _ format: ImportFormat
    ) throws(ImportError) {
        let isText = [.aiken, .markdown, .csv, .json, .jsonLines].contains(format)
        var drafts = drafts
        // With those that were read and refused afterwards, such as for a missing picture.
        drafts.skipped = result.skipped
        guard isText, !result.questions.isEmpty, drafts.profile?.values == nil,
            let units = UnreadText.units(
                try DecodedText(bytes, file: result.file).text, format, drafts)
        else { return }
        let unread = UnreadText(units, in: result)
        guard let shown = unread.shown else { return }
        guard !unread.isFailure || settings.acceptsUnread else {
            throw ImportError(
                result.file, .unread,
                "has text that was not read: \(shown); --accept unread imports the rest")
        }
        result.note(.unreadText, shown)
    }

    /// Returns a text in UTF-8.
    private func utf8(
        _ bytes: [UInt8], _ file: String, _ encoding: TextEncoding
    ) throws(ImportError) -> [UInt8] {
        guard !bytes.starts(with: [0x50, 0x4B]) else {
            throw ImportError(file, .setting, "is an archive; --encoding is for texts")
        }
        return Array(try DecodedText(bytes, file: file, encoding: encoding).text.utf8)
    }

    /// Names the files of a package that no imported question shows.
    private static func unusedNote(
        _ drafts: ImportedDrafts, _ result: ImportResult
    ) -> ImportResult.Note? {
        let unused = drafts.packaged.filter { result.media[$0] == nil }.sorted()
        guard !unused.isEmpty else { return nil }
        let files = unused.count == 1 ? "1 file" : "\(unused.count) files"
        let names = unused.prefix(3).map { String($0.prefix(60)) }.joined(separator: ", ")
        return .init(
            place: result.file, code: .entryUnread,
            message: "\(files) of the package stand in no imported question: \(names)"
                + (unused.count > 3 ? ", …" : ""))
    }

    /// Names the lines that a guessed encoding decides.
    private static func encodingNote(
        _ encoding: String?, _ bytes: [UInt8], _ file: String
    ) -> ImportResult.Note? {
        if encoding == "UTF-8" {
            let lines = MixedText.strayLines(bytes)
            guard let first = lines.first else { return nil }
            let shown = lines.prefix(20).map(String.init).joined(separator: ", ")
            return .init(
                place: "line \(first)", code: .strayBytes,
                message: (lines.count == 1 ? "1 line is" : "\(lines.count) lines are")
                    + " not UTF-8 and read as Windows-1252 (\(shown)); --encoding names another")
        }
        guard encoding == "Windows-1252", let place = bytes.firstIndex(where: { $0 >= 0x80 })
        else { return nil }
        let line = bytes[..<place].count { $0 == UInt8(ascii: "\n") } + 1
        return .init(
            place: "line \(line)", code: .encoding,
            message: "the text is not UTF-8 and was read as Windows-1252; --encoding names another")
    }

    private func drafts(
        _ bytes: [UInt8], _ file: String, _ format: ImportFormat
    ) throws(ImportError) -> ImportedDrafts {
        switch format {
        case .gift:
            try text(
                bytes, file, { GIFTReader.read($0, form: settings.textForm) },
                QuestionBeginnings.gift)
        case .aiken: try text(bytes, file, AikenReader.read, QuestionBeginnings.aiken)
        case .markdown:
            try text(
                bytes, file,
                { text throws(ImportError) in
                    try MarkdownReader.read(text, file: file, keys: settings.keys)
                },
                { max(QuestionBeginnings.markdown($0), OutlineCount.lists($0)) })
        case .html:
            try text(
                bytes, file,
                { text throws(ImportError) in
                    try PageReader.read(text, file: file, keys: settings.keys)
                }, OutlineCount.page)
        case .h5p: try H5PReader.read(bytes, file: file)
        case .docx: try WordReader.read(bytes, file: file, settings: settings)
        case .blackboard:
            try text(
                bytes, file, { BlackboardReader.read($0, form: settings.textForm) },
                QuestionBeginnings.lineCount)
        case .brightspace:
            try text(
                bytes, file,
                { text throws(ImportError) in
                    try BrightspaceReader.read(text, file: file)
                }, QuestionBeginnings.brightspace)
        case .respondus: try text(bytes, file, RespondusReader.read, QuestionBeginnings.respondus)
        case .csv: try CSVQuestionReader.read(bytes, file: file, settings: settings)
        case .xlsx: try WorkbookReader.read(bytes, file: file, settings: settings)
        case .moodleXML: try MoodleReader.read(bytes, file: file)
        case .qti: try QTIReader.read(bytes, file: file, outcome: settings.outcome)
        case .json, .yaml:
            try StructuredReader.read(
                bytes, file: file, isJSON: format == .json, settings: settings)
        case .jsonLines: try JSONLinesReader.read(bytes, file: file, settings: settings)
        case .cards: try CardsReader.read(bytes, file: file, settings: settings)
        case .anki: try AnkiReader.read(bytes, file: file)
        case .crowdAnki: try CrowdAnkiReader.read(bytes, file: file, pictures: pictures)
        }
    }

    private func text(
        _ bytes: [UInt8], _ file: String, _ read: (String) throws(ImportError) -> ImportedDrafts,
        _ begun: (String) -> Int
    ) throws(ImportError) -> ImportedDrafts {
        let decoded = try DecodedText(bytes, file: file)
        var drafts = try read(decoded.text)
        drafts.begun = max(begun(decoded.text), drafts.entryCount)
        drafts.encoding = decoded.encoding
        return drafts
    }
}
