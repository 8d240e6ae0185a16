import ContentModel

/// A reader of workbooks (`.xlsx`): each sheet is a table with a header of its own.
///
/// Keys and columns are decided as in other tables, the reading of keys for all sheets at once.
enum WorkbookReader {
    static func read(
        _ bytes: [UInt8], file: String, settings: ImportSettings
    ) throws(ImportError) -> ImportedDrafts {
        let book = try Workbook(bytes, file: file)
        let tables = book.sheets.map { (sheet: $0, table: WorkbookTable($0, settings)) }
        guard tables.contains(where: { $0.table != nil }) else { throw noTable(book, file) }
        let count = tables.reduce(0) { $0 + ($1.table?.rows.count ?? 0) }
        guard count <= QuestionImporter.questionsMax else {
            throw ImportError(file, .limit, "has more than \(QuestionImporter.questionsMax) rows")
        }
        var result = ImportedDrafts()
        result.begun = count
        result.sheets = tables.map { sheet, table in
            .init(
                path: sheet.path, header: table?.header,
                rows: table?.rows.count ?? sheet.rows.count)
        }
        var records: [RawRecord] = []
        for case (let sheet, let table?) in tables {
            let place = tables.count > 1 ? "sheet \"\(sheet.name)\", " : ""
            if table.isExport, settings.mapping.isEmpty, settings.joins.isEmpty {
                readExport(table, place, &result)
            } else {
                records += self.records(table, sheet, place, book, &result)
            }
        }
        if !records.isEmpty { try RecordLoader(file, settings).read(records, into: &result) }
        for note in WorkbookNotes(tables).notes { result.note(file, note.code, note.message) }
        return result
    }

    private static func noTable(_ book: Workbook, _ file: String) -> ImportError {
        let rows = book.sheets.flatMap { $0.rows.prefix(1) }
        guard let first = rows.first else {
            return ImportError(file, .noQuestion, "has no cell with a text")
        }
        let texts = first.cells.sorted { $0.key < $1.key }.prefix(20)
            .map { "\"\($0.value.prefix(60))\"" }
        return ImportError(
            file, .noQuestion,
            "has no sheet whose first 20 rows name a question, its options and its key; its first row is \(texts.joined(separator: ", "));"
                + " --map names the columns, as in --map stem=Frage")
    }

    /// Reads the rows of our own export as they are.
    private static func readExport(
        _ table: WorkbookTable, _ place: String, _ result: inout ImportedDrafts
    ) {
        for row in table.rows {
            let place = place + "row \(row.number)"
            if let problem = row.problem {
                result.skip(place, problem)
                continue
            }
            let fields = row.fields.mapValues(CSVFormula.restored)
            switch CSVExportRow(fields, place: place).draft() {
            case .success(let draft): result.add(draft)
            case .failure(let reason): result.skip(place, reason)
            }
        }
    }

    private static func records(
        _ table: WorkbookTable, _ sheet: Workbook.Sheet, _ place: String, _ book: Workbook,
        _ result: inout ImportedDrafts
    ) -> [RawRecord] {
        let pictures = Dictionary(grouping: sheet.pictures, by: \.cell.row)
        var records: [RawRecord] = []
        for row in table.rows {
            let place = place + "row \(row.number)"
            if let problem = row.problem {
                result.skip(place, problem)
                continue
            }
            var fields = row.fields
            var lost: [QuestionDraft.Note] = []
            for (cell, path) in pictures[row.number] ?? [] {
                let option = table.names[cell.column].flatMap(MappedRecord.optionName)
                let field = option.map { "image_\($0)" } ?? "image"
                guard let bytes = book.package.bytes(path) else {
                    lost.append(
                        .init(
                            code: .missing, message: "the image at \(cell.text) is not in the file")
                    )
                    continue
                }
                guard fields[field, default: ""].isEmpty else {
                    lost.append(
                        .init(
                            code: .mediaLost,
                            message: "the image at \(cell.text) is not kept; a question shows one"))
                    continue
                }
                let name = OfficePackage.mediaName(path, bytes)
                result.media[name] = bytes
                fields[field] = name
            }
            let tag = tag(sheet.name)
            var record = CSVQuestionReader.record(place, fields, isExport: table.isExport)
            let finish = record.finish
            record.finish = { draft in
                finish(&draft)
                draft.notes += lost
                draft.addTag(tag)
            }
            records.append(record)
        }
        return records
    }

    /// Returns the name of a sheet as a tag; `nil` for the one that the program gave it.
    private static func tag(_ name: String) -> String? {
        let bare = name.lowercased().filter { !$0.isNumber && !$0.isWhitespace }
        let usual: Set = [
            "", "sheet", "tabelle", "blatt", "feuil", "feuille", "hoja", "foglio", "planilha",
            "blad", "ark", "arkusz", "лист", "工作表", "シート", "ورقة", "sayfa", "questions",
            "responses", "template",
        ]
        return usual.contains(bare) ? nil : name.trimmed
    }
}

/// What an author should know about how a workbook was read.
struct WorkbookNotes {
    private(set) var notes: [QuestionDraft.Note] = []

    init(_ tables: [(sheet: Workbook.Sheet, table: WorkbookTable?)]) {
        let read = tables.compactMap { entry in entry.table.map { (entry.sheet, $0) } }
        if read.count > 1 {
            let counts = read.map { "\"\($0.name)\" (\($1.rows.count))" }
            note(.lists, "questions were read from the sheets " + counts.joined(separator: ", "))
        }
        for (sheet, table) in tables where table == nil && !sheet.rows.isEmpty {
            let rows = sheet.rows.count == 1 ? "1 row" : "\(sheet.rows.count) rows"
            note(
                .listUnread,
                "the sheet \"\(sheet.name)\" has \(rows) and no header of questions; it was not read"
            )
        }
        for (sheet, table) in read { add(sheet, table) }
    }

    private mutating func note(_ code: ImportCode, _ message: String) {
        notes.append(.init(code: code, message: message))
    }

    private mutating func add(_ sheet: Workbook.Sheet, _ table: WorkbookTable) {
        let name = "the sheet \"\(sheet.name)\""
        if sheet.isHidden { note(.hidden, "\(name) is hidden; it was read") }
        let hidden = table.rows.filter(\.isHidden)
        if let first = hidden.first {
            note(
                .hidden,
                "\(hidden.count) hidden rows of \(name) were read, the first is row \(first.number)"
            )
        }
        if let first = table.spread.first {
            note(
                .merged,
                "each row of \(table.spread.count) merged areas of \(name) has their text, the first is \(first)"
            )
        }
        let dates = sheet.dates.filter { table.names[$0.column] != nil && $0.row > table.header }
        if let first = dates.first {
            note(
                .dates,
                "\(dates.count) cells of \(name) are dates, the first is \(first.text); the spreadsheet may have made them of what was typed, as of 2-2"
            )
        }
        if let cell = table.unnamed {
            note(
                .fieldUnread,
                "\(name) has text in columns without a name, the first is \(cell.text); it is not read"
            )
        }
        let numbers = Set(table.rows.map(\.number))
        for (cell, _) in sheet.pictures.prefix(50) where !numbers.contains(cell.row) {
            note(.mediaLost, "the image at \(cell.text) of \(name) stands at no question")
        }
    }
}
