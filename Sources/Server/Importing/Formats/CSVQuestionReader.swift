import ContentModel

/// A reader of a table of questions: `stem`, `option_a`, `option_b` … and `correct` (letters), or
/// other column names by a mapping.
enum CSVQuestionReader {
    static func read(
        _ bytes: [UInt8], file: String, mapping: [String: String]
    ) throws(ImportError) -> ImportedDrafts {
        let decoded = try DecodedText(bytes, file: file)
        let table = try CSVTable(decoded.text, file: file, rowsMax: ContentLimits.questionsMax)
        var result = ImportedDrafts()
        result.encoding = decoded.encoding
        let header = KahootHeader.names(table.header)
        let marks = header.firstIndex(of: "marks")
        for row in table.rows {
            let place = "line \(row.line)"
            guard row.fields.count <= table.header.count else {
                result.skip(
                    place,
                    "the row has \(row.fields.count) fields, the header \(table.header.count)")
                continue
            }
            let fields = Dictionary(
                zip(header, row.fields.map(JSONValue.string)), uniquingKeysWith: { $1 })
            let record = MappedRecord(
                fields, mapping: mapping, place: place, isPlain: marks != nil)
            switch record.draft() {
            case .success(var draft):
                KahootHeader.note(fields, in: &draft)
                if let marks, marks < row.fields.count {
                    draft.apply(marks: ExportMarks.split(row.fields[marks]))
                }
                result.drafts.append(draft)
            case .failure(let reason): result.skip(place, reason.text)
            }
        }
        return result
    }
}
