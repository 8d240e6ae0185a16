import Foundation
import Publishing

/// A file in `assets` as the list shows it.
struct AssetRow: Sendable {
    var name: String
    var href: String
    var type: String
    var size: String
    var schema: String?
    var fetch: String

    init(_ file: ContentFile, _ rules: AssetRules) {
        name = String(file.path.dropFirst(AssetRules.folder.count))
        href = AssetPages.path(of: name)
        type = Self.type(name)
        size = Self.size(file.size)
        schema = rules.schemaPath(of: name)
        fetch = Self.words(rules.fetch(of: name))
    }

    static func type(_ name: String) -> String {
        let end = name.split(separator: "/").last?.split(separator: ".").dropFirst().last
        return end.map { $0.uppercased() } ?? "File"
    }

    /// Returns a number of bytes for people, in units of 1,000.
    static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_000: "\(bytes) bytes"
        case ..<1_000_000: "\((Double(bytes) / 100).rounded() / 10) kB"
        default: "\((Double(bytes) / 100_000).rounded() / 10) MB"
        }
    }

    static func words(_ fetch: String) -> String {
        switch fetch {
        case "eager": "at once"
        case "prefetch": "in the background"
        case "onDemand": "when it is needed"
        default: fetch
        }
    }
}
