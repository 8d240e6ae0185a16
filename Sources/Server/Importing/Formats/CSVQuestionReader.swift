import ContentModel

/// A reader of a table of questions: `stem`, `option_a`, `option_b` … and `correct` (letters), or
/// other column names by a mapping.
enum CSVQuestionReader {
    static func read(
        _ bytes: [UInt8], file: String, settings: ImportSettings
    ) throws(ImportError) -> ImportedDrafts {
        let decoded = try DecodedText(bytes, file: file)
        let table = try CSVTable(decoded.text, file: file, rowsMax: ContentLimits.questionsMax)
        guard !table.rows.isEmpty else {
            let names = table.header.prefix(20).map { "\"\($0.prefix(60))\"" }
            throw ImportError(
                file,
                "has no row below its first line, which names the columns: \(names.joined(separator: ", "));"
                    + " --format names another format"
            )
        }
        var result = ImportedDrafts()
        result.encoding = decoded.encoding
        result.begun = table.rows.count
        let header = KahootHeader.names(table.header)
        let marks = header.firstIndex(of: "marks")
        var records: [RawRecord] = []
        for row in table.rows {
            let place = "line \(row.line)"
            guard row.fields.count <= table.header.count else {
                result.skip(
                    place,
                    "the row has \(row.fields.count) fields, the header \(table.header.count);"
                        + " a text that holds the separator stands in quotes")
                continue
            }
            let fields = Dictionary(
                zip(header, row.fields.map(JSONValue.string)), uniquingKeysWith: { $1 })
            let words =
                marks.flatMap { $0 < row.fields.count ? row.fields[$0] : nil }
                .map(ExportMarks.split) ?? []
            var record = RawRecord(place: place, fields: fields)
            record.fields[KahootHeader.timeLimit] = nil
            record.finish = { draft in
                KahootHeader.note(fields, in: &draft)
                draft.apply(marks: words)
            }
            records.append(record)
        }
        // A file of our own export has marks, and its texts are never HTML.
        try RecordReading(file, settings).read(
            records, form: marks == nil ? nil : .plain, into: &result)
        return result
    }
}
