package import ContentModel

/// The question banks of a content folder, as of one scan.
package struct BankFolder: Sendable {
    /// The content folder.
    private let root: String
    /// The banks, sorted by name.
    package let banks: [BankSources]

    /// Scans a content folder without reading its files.
    ///
    /// - Throws: `PublishingError` `noSuchContent` if the folder has no `underway.yaml`, `unreadable`.
    package init(_ root: String) throws {
        self.root = root
        let units = try ContentFolder(root: root).units
        let audio = Dictionary(
            units.filter { $0.step == .audio }.map { ($0.name, $0.sources) },
            uniquingKeysWith: { first, _ in first })
        banks = units.filter { $0.step == .exams || $0.step == .blueprints }.map { unit in
            let clips = unit.step == .blueprints ? audio[unit.name] ?? [] : []
            return BankSources(step: unit.step, name: unit.name, files: unit.sources + clips)
        }.sorted { $0.name < $1.name }
    }

    /// Reads a bank, with the checker's problems of its questions.
    ///
    /// It does not read media.
    /// - Throws: `PublishingError` `unreadable`.
    package func read(_ bank: BankSources) throws -> BankContent {
        let builder = UnitBuilder(root: root, settings: .fallback)
        return try BankLoader(bank, builder).content()
    }
}

/// The sources of a question bank; equal sources have the same content.
package struct BankSources: Sendable, Hashable {
    let step: PublishStep
    /// The language of a placement test, or `region/exam`.
    package let name: String
    let files: [SourceFile]

    /// The files with questions.
    var documents: [SourceFile] {
        files.filter { file in
            !file.path.contains("/media/") && !file.path.hasPrefix(audioFolder)
                && !file.path.hasSuffix("/exam.yaml")
                && [".yaml", ".yml", ".json"].contains { file.path.hasSuffix($0) }
        }
    }

    /// Reads a file of the bank's media.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - root: The content folder.
    /// - Returns: The bytes; `nil` if the bank had no such file at the scan.
    /// - Throws: `PublishingError` `unreadable`.
    package func media(_ name: String, root: String) throws -> [UInt8]? {
        guard mediaNames.contains(name) else { return nil }
        return try Files.read("\(root)/exams/\(self.name)/media/\(name)")
    }

    /// The names of its media.
    var mediaNames: Set<String> { names(in: "exams/\(name)/media/") }

    /// The names of the files that its questions may play.
    var clipNames: Set<String> {
        step == .exams ? mediaNames : names(in: audioFolder)
    }

    private var audioFolder: String { "languages/\(name)/audio/" }

    private func names(in folder: String) -> Set<String> {
        Set(
            files.filter { $0.path.hasPrefix(folder) }.map {
                String($0.path.dropFirst(folder.count))
            })
    }
}

/// A question bank of a content folder.
package struct BankContent: Sendable {
    /// The bank without its questions; `nil` while it has errors.
    package var head: Blueprint?
    /// The questions, in the order of files and lines.
    package var questions: [BankQuestion]
    /// The problems of the bank as a whole, and of questions without an id.
    package var problems: [Problem]
    /// The checksum of the bank in a release.
    package var checksum: Checksum
    /// The names of its media; `nil` for a bank that cannot have media.
    package var mediaNames: Set<String>?
    /// The names of the files that its questions may play: of its media, or of its language's audio.
    package var clipNames: Set<String> = []
}

/// A question in a content folder.
package struct BankQuestion: Sendable {
    /// The id.
    package var id: String
    /// The file, relative to the content folder.
    package var file: String
    /// The line where it begins.
    package var line: Int
    /// The value in the file.
    package var value: JSONValue
    /// The question; `nil` while it has errors.
    package var question: Question?
    /// The problems of the question.
    package var problems: [Problem]
}
