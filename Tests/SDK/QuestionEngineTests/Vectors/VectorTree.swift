import ContentModel
import Foundation
import TestSupport

/// A tree of vectors that is read by names.
struct VectorTree {
    let value: JSONValue

    init(_ value: JSONValue) {
        self.value = value
    }

    static func load(_ name: String) throws -> VectorTree {
        let url = fixture("QuestionEngine/" + name)
        return VectorTree(try JSONParser.parse([UInt8](Data(contentsOf: url))).value)
    }

    /// Returns the member of that name; a missing one is `null`.
    subscript(_ key: String) -> VectorTree {
        guard case .object(let members) = value else { return VectorTree(.null) }
        return VectorTree(members[key] ?? .null)
    }

    var isNull: Bool { value == .null }

    var list: [VectorTree] {
        guard case .array(let values) = value else { return [] }
        return values.map(VectorTree.init)
    }

    var names: [String] {
        guard case .object(let members) = value else { return [] }
        return members.keys.sorted()
    }

    /// The number; NaN, which equals nothing, for anything else.
    var number: Double {
        switch value {
        case .integer(let value): Double(value)
        case .decimal(let value): value
        default: .nan
        }
    }

    var integer: Int { Int(number) }
    var numbers: [Double] { list.map(\.number) }

    var text: String {
        if case .string(let text) = value { text } else { "" }
    }
}

/// Returns whether two lists agree element by element.
func areNear(_ values: [Double], _ expected: [Double], absolute: Double) -> Bool {
    values.count == expected.count && !expected.isEmpty
        && zip(values, expected).allSatisfy { isNear($0, $1, absolute: absolute) }
}

/// Returns whether no number is infinite or NaN.
func areFinite(_ values: [Double]) -> Bool { values.allSatisfy { $0.isFinite } }
