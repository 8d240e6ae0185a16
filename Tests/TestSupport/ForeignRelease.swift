import ContentModel
import Foundation

/// Releases as a later or another publisher may write them: what ours refuses to publish.
extension TemporaryFolder {
    /// The text of a language's released blueprint.
    public func releasedBlueprint(_ language: String = "es") throws -> String {
        try text("release/blueprints/\(language).json")
    }

    /// Makes a release of the one before it in `release/`.
    ///
    /// - Parameters:
    ///   - number: The number of the release.
    ///   - blueprints: The texts of blueprints by language, whatever they are.
    ///   - edit: Changes the text of the manifest.
    public func releaseForeign(
        _ number: Int, blueprints: [String: String] = [:], edit: (String) -> String = { $0 }
    ) throws {
        var manifest = try Manifest(read("release/manifest.json"))
        manifest.release = number
        for (language, text) in blueprints {
            let bytes = Array(text.utf8)
            let checksum = Checksum(of: bytes)
            try write(bytes, to: "release/objects/\(checksum.hex.prefix(2))/\(checksum.hex)")
            manifest.languages[language, default: LanguageEntry()].blueprint = ContentReference(
                checksum: checksum, size: bytes.count)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: path + "/release")
        for name in names where name.hasPrefix("manifest.json.") { try remove("release/" + name) }
        try write(
            edit(String(decoding: manifest.canonicalBytes, as: UTF8.self)),
            to: "release/manifest.json")
    }
}
