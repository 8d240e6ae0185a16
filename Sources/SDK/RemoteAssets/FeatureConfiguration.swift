import Foundation

/// The small settings of an app, as a struct of properties with defaults.
///
/// ```swift
/// struct Features: FeatureConfiguration {
///     var dailyGoal = 20
///     var showsStreak = true
/// }
/// let materializer = Materializer<Features>.features()
/// print(try materializer(Data(#"{"dailyGoal": 30}"#.utf8)).dailyGoal)  // 30
/// ```
///
/// Each property gets the asset's value if its type fits. A value of another type, or an unknown name, is noted and
/// ignored, and the default is used.
public protocol FeatureConfiguration: Codable, Sendable {
    /// Creates a value with all defaults.
    init()
}

extension Materializer where Value: FeatureConfiguration {
    /// Returns a materializer of settings from a JSON object of at most 256 KiB.
    public static func features(_ type: Value.Type = Value.self) -> Materializer {
        Materializer(bytesMax: 256 << 10) { data, note in
            guard let found = try? JSONDecoder().decode([String: JSONFragment].self, from: data)
            else { throw AssetError(.refused, "It is not a JSON object. Correct the file.") }
            return try FeatureReader(Value()).value(of: found, note)
        }
    }
}

/// The overlay of an object's members on the defaults of a type.
private struct FeatureReader<Value: FeatureConfiguration> {
    private let encoded: [String: JSONFragment]
    private let names: Set<String>

    init(_ defaults: Value) throws {
        encoded = try JSONDecoder().decode(
            [String: JSONFragment].self, from: try JSONEncoder().encode(defaults))
        // A property without a value is not written, but it is one.
        names = Set(encoded.keys).union(Mirror(reflecting: defaults).children.compactMap(\.label))
    }

    func value(of found: [String: JSONFragment], _ note: (String) -> Void) throws -> Value {
        for name in found.keys.sorted() where !names.contains(name) {
            note("\"\(name)\" is no setting of this version; it was left out.")
        }
        let known = found.filter { names.contains($0.key) }
        if let all = try? decode(encoded.merging(known) { $1 }) { return all }
        var accepted = encoded
        for name in known.keys.sorted() {
            var next = accepted
            next[name] = known[name]
            if (try? decode(next)) == nil {
                note("\"\(name)\" has a value of another kind; its default stays.")
            } else {
                accepted = next
            }
        }
        return try decode(accepted)
    }

    private func decode(_ members: [String: JSONFragment]) throws -> Value {
        try JSONDecoder().decode(Value.self, from: try JSONEncoder().encode(members))
    }
}

/// Any JSON value, passed through.
private enum JSONFragment: Codable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONFragment])
    case object([String: JSONFragment])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONFragment].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONFragment].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
