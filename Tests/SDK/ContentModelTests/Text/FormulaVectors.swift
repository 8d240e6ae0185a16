import Foundation
import TestSupport

/// The formulas, mistakes and commands of the published vectors of texts.
struct FormulaVectors: Decodable {
    struct Formula: Decodable {
        var tex: String
        var plain: String
        var spoken: String
    }
    struct Mistake: Decodable {
        var tex: String
        var kind: String
        var at: Int
    }
    struct CommandClass: Decodable {
        var `class`: String
        var names: [String: Text]
    }
    /// A character, a name or a number: tests compare the names alone.
    struct Text: Decodable {
        init(from decoder: any Decoder) {}
    }

    var formulas: [Formula]
    var mistakes: [Mistake]
    var commands: [CommandClass]

    /// Reads the file of vectors.
    static func read() throws -> FormulaVectors {
        let file = fixture("Text/text.json")
        return try JSONDecoder().decode(FormulaVectors.self, from: Data(contentsOf: file))
    }

    /// Returns the names of a class.
    func names(_ name: String) -> [String] {
        commands.first { $0.class == name }?.names.keys.sorted() ?? []
    }
}
