import ContentModel
import Foundation
import Importing
import TestSupport
import Testing

/// Published inputs with the expected result of each: `Tests/Fixtures/Importing/Vectors`.
///
/// `open.txt` lists those that are not read as expected yet.
@Suite struct ImportVectorTests {
    static let folder = "Importing/Vectors"

    static func vectors() throws -> [ImportVector] {
        let bytes = try Data(contentsOf: fixture("\(folder)/expected.json"))
        return try JSONDecoder().decode(ImportVectors.self, from: bytes).vectors
    }

    /// The vectors that are texts, with their bytes.
    static func texts() throws -> [(vector: ImportVector, bytes: [UInt8])] {
        try vectors().map { vector in
            (vector, try [UInt8](Data(contentsOf: fixture("\(folder)/\(vector.file)"))))
        }.filter { !$0.1.starts(with: [0x50, 0x4B]) && !$0.1.contains(0) }
    }

    private static func open() throws -> [String] {
        try String(contentsOf: fixture("\(folder)/open.txt"), encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }

    @Test func everyVectorIsReadAsExpectedOrListed() throws {
        let open = try Self.open()
        let vectors = try Self.vectors()
        #expect(Set(open).isSubset(of: vectors.map(\.file)))
        #expect(open == Set(open).sorted())
        for vector in vectors {
            let bytes = try [UInt8](Data(contentsOf: fixture("\(Self.folder)/\(vector.file)")))
            let differences = vector.differences(of: bytes)
            if open.contains(vector.file) {
                #expect(!differences.isEmpty, "\(vector.file) is read now: remove it from open.txt")
            } else {
                #expect(differences.isEmpty, "\(vector.file)")
            }
        }
    }
}

private struct ImportVectors: Decodable {
    var vectors: [ImportVector]
}

/// An input with what an import of it gives; what is absent is not compared.
struct ImportVector: Decodable {
    var file: String
    /// The options of the command.
    var options: [String]?
    var exit: Int
    var found: Int
    /// The number of beginnings that became questions.
    var imported: Int
    /// The number of questions, where a beginning gives several.
    var questions: Int?
    var format: String?
    var keys: [[String]]?
    /// The number of keys whose text begins with each letter.
    var keyCount: [String: Int]?
    var stems: [String]?
    var optionTexts: [[String]]?
    var types: [String]?
    var numbers: [String]?
    var shuffle: [Bool]?
    var explanations: [String?]?
    var tags: [[String]]?
    var domains: [String]?
    var feedback: [[String?]]?
    var profile: Profile?
    /// The code of the reason that the whole file is refused.
    var error: String?
    /// The codes of the skipped questions.
    var skipped: [String]?
    /// Codes of notes, beside which others may stand.
    var notes: [String]?

    /// What was decided about the whole file, in words.
    struct Profile: Decodable {
        var keys: String?
        var header: Bool?
        var separator: String?
        var values: String?
        var decimal: String?
    }

    /// The readings by their words.
    private static let readings: [String: [KeyReading]] = [
        "letters": [.letters], "texts": [.texts], "letters and texts": [.letters, .texts],
        "places from 0": [.fromZero], "places from 1": [.fromOne],
        "names of options": [.names], "numbers of columns": [.names],
        "flags in options": [.flags], "a flag for each option": [.flags],
        "true or false": [.judgements],
    ]

    /// Returns in what an import of the bytes differs.
    func differences(of bytes: [UInt8]) -> [String] {
        do {
            return differences(of: try result(of: bytes))
        } catch {
            guard exit == 6, let refusal = error as? ImportError else {
                return ["error: \(error)"]
            }
            let code = refusal.code.rawValue
            guard let expected = self.error, expected != code else { return [] }
            return ["error: \(code) instead of \(expected)"]
        }
    }

    /// Imports bytes under the name of the vector, with its options.
    func result(of bytes: [UInt8]) throws -> ImportResult {
        let command = try ImportOptions(options ?? [])
        var importer = QuestionImporter(settings: command.settings)
        let name = file.split(separator: "/").last.map(String.init) ?? file
        return try importer.read(bytes, file: name, format: command.format)
    }

    private func differences(of result: ImportResult) -> [String] {
        var found: [String] = []
        func compare<Value: Equatable>(_ name: String, _ value: Value, _ expected: Value?) {
            guard let expected, expected != value else { return }
            found.append("\(name): \(value) instead of \(expected)")
        }
        func compareProfile(_ read: FileProfile?) {
            guard let read else { return }
            compare("header", read.hasHeader ?? true, profile?.header)
            let separator = profile?.separator.map { $0 == "tab" ? "\t" : $0 }
            compare("separator", read.separator ?? "", separator)
            compare("values", read.values?.rawValue ?? "", profile?.values)
            compare("decimal", read.decimal?.rawValue ?? "", profile?.decimal)
            compare("keys read", read.keys, profile?.keys.flatMap { Self.readings[$0] })
        }
        let read = result.questions
        compare("exit", result.isRefusedWhole ? 6 : 0, exit)
        compare("found", result.foundCount, self.found)
        compare("skipped", result.skipped.count, self.found - imported)
        compare("codes", result.skipped.map(\.code.rawValue).sorted(), skipped?.sorted())
        // `ExamImport` refuses such a file.
        compare("error", result.foundCount == 0 ? ImportCode.noQuestion.rawValue : "", error)
        let codes = Set(result.notes.map(\.code) + Self.shown(result)).map(\.rawValue)
        compare("missing notes", (notes ?? []).filter { !codes.contains($0) }, [])
        compare("questions", read.count, questions ?? imported)
        compare("format", result.format.rawValue, format)
        let right = read.filter { $0.correctNumber == nil }.map { question in
            question.correct.map { question.options[$0].text }
        }
        compare("keys", right, keys)
        compare(
            "keyCount",
            Dictionary(right.joined().map { (String($0.prefix(1)), 1) }, uniquingKeysWith: +),
            keyCount)
        compare("stems", read.map(\.stem), stems)
        compare("optionTexts", read.map { $0.options.map(\.text) }, optionTexts)
        compare("types", read.map(\.type.rawValue), types)
        compare("numbers", numbersRead(read), numbers.map { $0.map(Self.withoutZero) })
        compare("shuffle", read.map(\.shufflesOptions), shuffle)
        compare("explanations", read.map(\.explanation), explanations)
        compare("tags", read.map(\.tags), tags)
        compare("domains", read.map { $0.domain ?? "" }, domains)
        compare("feedback", read.map { $0.options.map(\.feedback) }, feedback)
        compareProfile(result.profile)
        if !found.isEmpty { found += result.skipped.map { "skipped \($0.place): \($0.reason)" } }
        return found
    }

    /// Returns the codes that the outcome shows without a note.
    private static func shown(_ result: ImportResult) -> [ImportCode] {
        let isList = [.markdown, .html].contains(result.format)
        let isLettered = result.questions.flatMap(\.options).contains {
            $0.text.contains(/^[A-Z][.)]\s/)
        }
        let isNumbered = result.questions.contains {
            $0.stem.contains(/^(?:Q|Question )?\d+[.:)]\s/)
        }
        let shown: [(code: ImportCode, isShown: Bool)] = [
            // The profile has the readings of the keys.
            (.keys, result.profile?.keys.isEmpty == false),
            // In a list of options letters and numbers are marks, which no note names.
            (.lettersRemoved, isList && !isLettered), (.numbersRemoved, isList && !isNumbered),
        ]
        return shown.filter(\.isShown).map(\.code)
    }

    private func numbersRead(_ questions: [Question]) -> [String] {
        questions.compactMap { $0.correctNumber?.text }
    }

    /// A tolerance of 0 is none.
    private static func withoutZero(_ number: String) -> String {
        number.hasSuffix(" ± 0") ? String(number.dropLast(4)) : number
    }
}

/// The options of the command as settings of an importer.
private struct ImportOptions {
    var settings = ImportSettings()
    var format: ImportFormat?

    private struct Unknown: Error {
        var option: String
    }

    init(_ options: [String]) throws {
        for index in stride(from: 0, to: options.count, by: 2) {
            let (name, value) = (options[index], options[index + 1])
            switch name {
            case "--keys": settings.keys = KeyReading(rawValue: value)
            case "--text": settings.textForm = SourceTextForm(rawValue: value)
            case "--encoding": settings.encoding = TextEncoding(value)
            case "--field-separator": settings.fieldSeparator = value
            case "--row-separator": settings.rowSeparator = value
            case "--outcome": settings.outcome = value
            case "--domain": settings.domain = value
            case "--join":
                let parts = value.split(separator: "=", maxSplits: 1).map(String.init)
                settings.joins[parts[0], default: []].append(parts[1])
            case "--format":
                format = ImportFormat(rawValue: value)
                if format == nil { throw Unknown(option: "\(name) \(value)") }
            default: throw Unknown(option: name)
            }
        }
    }
}
