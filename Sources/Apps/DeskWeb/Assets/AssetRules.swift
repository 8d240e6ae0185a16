import ContentModel
import Publishing

/// The rules of assets in `assets.yaml`: when each is fetched, and the schema of its values.
struct AssetRules: Sendable {
    private var rules: JSONValue?
    private let editor: ContentEditor
    private let files: [ContentFile]

    /// Reads the rules; none where the file cannot be read, which the checker names.
    init(_ editor: ContentEditor) throws {
        self.editor = editor
        files = try editor.files(of: .assets)
        rules = Self.read("assets.yaml", files, editor)
    }

    /// The files in `assets`.
    var assets: [ContentFile] { files.filter { $0.path.hasPrefix(Self.folder) } }

    static let folder = "assets/"

    private static func read(
        _ path: String, _ files: [ContentFile], _ editor: ContentEditor
    ) -> JSONValue? {
        guard let file = files.first(where: { $0.path == path }),
            let bytes = try? editor.bytes(of: file)
        else { return nil }
        return SourceDocument.parse(
            bytes, report: DecodingReport(file: path, strictness: .authored))?.value
    }

    /// Returns the path of the schema of an asset; `nil` for one without.
    func schemaPath(of name: String) -> String? {
        guard case .string(let path)? = rules?.member(at: [name, "schema"]) else { return nil }
        return path
    }

    /// Returns the schema of an asset; `nil` for one without, and for one that cannot be read.
    func schema(of name: String) -> JSONValue? {
        // Only files that the scan found are read: the path is the author's.
        guard let path = schemaPath(of: name), path.hasPrefix("schemas/") else { return nil }
        return Self.read(path, files, editor)
    }

    /// Returns the class of an asset, which determines when devices fetch it.
    func fetch(of name: String) -> String {
        let rule = rules?.member(at: [name])
        let named = rule?.member(at: ["class"]) ?? rule
        guard case .string(let word)? = named else { return "eager" }
        return word
    }
}
