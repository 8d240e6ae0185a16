import ContentModel

/// A count of the contents of H5P, made of the names of libraries and without its reader.
enum H5PCount {
    /// The names of what holds, shows or accompanies contents.
    private static let others = [
        "QuestionSet", "Column", "RowColumn", "RowColumnColumn", "AdvancedText", "Text", "Image",
        "Video", "Audio", "Link", "Table", "Accordion", "IFrameEmbed", "SingleChoiceSet",
    ]

    /// Refuses a package of which the reader lost a content.
    ///
    /// - Throws: `ImportError` with both numbers.
    static func check(_ bytes: [UInt8], drafts: ImportedDrafts, file: String) throws(ImportError) {
        let files = try ZipArchive(bytes, file: file).files
        let text = String(decoding: files["content/content.json"] ?? [], as: UTF8.self)
        let head = String(decoding: files["h5p.json"] ?? [], as: UTF8.self)
        let count = contents(text) + choices(text, head)
        let isOne = count == 0 && text.contains("\"question\"")
        guard max(count, isOne ? 1 : 0) <= drafts.entryCount else {
            throw ImportError(
                file, .count, "has \(count) contents, of which \(drafts.entryCount) were told apart"
            )
        }
    }

    /// Counts the libraries that may be questions.
    static func contents(_ text: String) -> Int {
        text.matches(of: Pattern.h5pLibrary).count { match in
            !others.contains(String(match.1))
        }
    }

    /// Counts the elements of lists named `choices`, of sets of single choices.
    static func choices(_ text: String, _ head: String) -> Int {
        guard text.contains("SingleChoiceSet") || head.contains("SingleChoiceSet") else { return 0 }
        return ListCount.json(text).filter { $0.key.hasSuffix(".choices") }.values.reduce(0, +)
    }
}
