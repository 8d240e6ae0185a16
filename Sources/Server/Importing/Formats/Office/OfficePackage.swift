import ContentModel

/// A document of an office program: parts in a zip archive, and the relationships between them (ECMA-376, part 2).
struct OfficePackage {
    /// A reference from one part to another.
    struct Relationship {
        /// The last word of its type, such as `worksheet`.
        var kind: String
        /// The path of the part in the archive.
        var target: String
    }

    private let archive: ZipArchive
    let file: String

    /// Opens a document.
    ///
    /// - Throws: `ImportError` when it is not an archive or exceeds the limits.
    init(_ bytes: [UInt8], file: String) throws(ImportError) {
        archive = try ZipArchive(bytes, file: file, allowsAnyName: true)
        self.file = file
    }

    /// Returns the bytes of a part; `nil` if there is none.
    func bytes(_ path: String) -> [UInt8]? { archive.bytes(path) }

    /// Returns the root of a part; `nil` if there is none.
    ///
    /// - Throws: `ImportError` for a part that was left out or is no XML.
    func part(_ path: String) throws(ImportError) -> XMLElement? {
        if let refused = archive.refused.first(where: { $0.name == path }) {
            throw ImportError(
                file, .unreadable, "has a part \(path) that cannot be read: \(refused.reason)")
        }
        guard let bytes = archive.files[path] else { return nil }
        do throws(ImportError) {
            return try XMLTree.parse(bytes, file: file).root
        } catch {
            throw ImportError(file, .unreadable, "has a part \(path) that \(error.reason)")
        }
    }

    /// Returns the relationships of a part, or of the whole package for an empty path, by their ids.
    ///
    /// Targets outside of the package are left out.
    func relationships(of path: String) throws(ImportError) -> [String: Relationship] {
        let parts = path.split(separator: "/").map(String.init)
        let folder = parts.dropLast()
        let rels = (folder + ["_rels", (parts.last ?? "") + ".rels"]).joined(separator: "/")
        var found: [String: Relationship] = [:]
        for element in try part(rels)?.children ?? [] where element.name == "Relationship" {
            guard let id = element.attributes["Id"], let target = element.attributes["Target"],
                element.attributes["TargetMode"] != "External",
                let place = Self.resolved(target, in: Array(folder))
            else { continue }
            let kind = element.attributes["Type"]?.split(separator: "/").last.map(String.init)
            found[id] = Relationship(kind: kind ?? "", target: place)
        }
        return found
    }

    /// Returns a target as a path from the root; `nil` if it leads out.
    private static func resolved(_ target: String, in folder: [String]) -> String? {
        var parts = target.hasPrefix("/") ? [] : folder
        for part in target.split(separator: "/") where part != "." {
            guard part == ".." else {
                parts.append(String(part))
                continue
            }
            guard parts.popLast() != nil else { return nil }
        }
        return parts.joined(separator: "/")
    }

    /// Returns the path of the main part.
    func mainPart(else usual: String) throws(ImportError) -> String {
        try relationships(of: "").values.first { $0.kind == "officeDocument" }?.target ?? usual
    }

    /// Returns a name for a picture, which documents may call alike.
    static func mediaName(_ path: String, _ bytes: [UInt8]) -> String {
        let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        let isPlain =
            (1...5).contains(ending.count) && ending.allSatisfy { $0.isASCII && $0.isLetter }
        return "image-" + Checksum(of: bytes).hex.prefix(12) + "." + (isPlain ? ending : "png")
    }

    /// Returns the characters that a text holds as `_x0007_`, because XML cannot.
    static func unescaped(_ text: String) -> String {
        guard text.contains("_x") else { return text }
        return text.replacing(Pattern.officeEscape) { match in
            UInt32(match.1, radix: 16).flatMap(Unicode.Scalar.init).map { String($0) }
                ?? String(match.0)
        }
    }
}
