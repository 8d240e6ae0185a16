import ContentModel

/// A reader of JSON Lines: one question in JSON on each line; blank lines are allowed.
enum JSONLinesReader {
    static func read(
        _ bytes: [UInt8], file: String, settings: ImportSettings
    ) throws(ImportError) -> ImportedDrafts {
        let decoded = try DecodedText(bytes, file: file)
        var result = ImportedDrafts()
        result.encoding = decoded.encoding
        var records: [RawRecord] = []
        var count = 0
        for (index, line) in decoded.text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated() where line.contains(where: { !$0.isWhitespace })
        {
            count += 1
            guard count <= QuestionImporter.questionsMax else {
                throw ImportError(
                    file, .limit, "has more than \(QuestionImporter.questionsMax) questions")
            }
            let place = "line \(index + 1)"
            do throws(DocumentSyntaxError) {
                let node = try JSONParser.parse(Array(line.utf8))
                StructuredReader.read(
                    node, settings.mapping, NumberSpelling(String(line)), place: place,
                    into: &result, &records)
            } catch {
                result.skip(place, .syntax, "the line is not JSON: \(error.message)")
            }
        }
        result.begun = count
        try RecordLoader(file, settings).read(records, into: &result)
        return result
    }
}
