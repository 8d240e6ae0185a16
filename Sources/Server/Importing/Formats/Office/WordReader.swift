import ContentModel

/// A reader of documents of Word (`.docx`): lists of options below questions, and tables of questions.
enum WordReader {
    static func read(
        _ bytes: [UInt8], file: String, settings: ImportSettings
    ) throws(ImportError) -> ImportedDrafts {
        let document = try WordDocument(bytes, file: file, settings: settings)
        var result = ImportedDrafts()
        result.media = document.media
        result.notes += document.notes
        try OutlineReader(
            document.lines, unit: "paragraph", keys: settings.keys, cells: document.cells
        ).read(
            into: &result, file: file, isAlone: document.tables.isEmpty)
        var records: [RawRecord] = []
        for sheet in document.tables {
            guard let table = WorkbookTable(sheet, settings) else { continue }
            records += table.rows.map { row in
                CSVQuestionReader.record(
                    "\(sheet.name), row \(row.number)", row.fields, isExport: table.isExport)
            }
        }
        if !records.isEmpty { try RecordLoader(file, settings).read(records, into: &result) }
        result.begun = max(OutlineCount.word(document.text), result.entryCount)
        let (deleted, inserted) = document.revisions
        if deleted + inserted > 0 {
            result.note(
                file, .revisions,
                "the document has changes that nobody accepted: \(deleted) deleted parts were left out, \(inserted) inserted ones were read"
            )
        }
        return result
    }
}
