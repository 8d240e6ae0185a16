import Foundation
import TestSupport

/// A reader of the files of vectors in Tests/Fixtures.
enum VectorFile {
    static func decode<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value {
        let url = fixture("QuestionEngine/" + name)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: Data(contentsOf: url))
    }
}

/// Returns whether two numbers agree to a fraction of the expected one.
func isNear(_ value: Double, _ expected: Double, relative: Double) -> Bool {
    abs(value - expected) <= relative * abs(expected)
}

/// Returns whether two numbers agree to a fixed amount.
func isNear(_ value: Double, _ expected: Double, absolute: Double) -> Bool {
    abs(value - expected) <= absolute
}
