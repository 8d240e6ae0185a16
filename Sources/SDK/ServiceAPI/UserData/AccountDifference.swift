import ContentModel
public import UserData

/// A version of a record that a move of accounts could not merge: a record of `underway-differences`.
///
/// ```swift
/// for record in records where record.key.collection == AccountDifference.collection {
///     if let difference = AccountDifference(record) { print(difference.kind, difference.key.id) }
/// }
/// ```
public struct AccountDifference: Sendable, Hashable {
    /// The purpose of a difference.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A conflict between the version, as the user's side, and the record.
        case ask
        /// A notice that the version lost against a later one.
        case lost
    }

    /// The collection of differences.
    public static let collection = CollectionRules.differences.declaration.name
    /// The maximum size of one text of `version`, in bytes.
    static let partBytesMax = 16 * 1024

    /// The purpose.
    public var kind: Kind
    /// The record that has another version.
    public var key: RecordKey
    /// The version in the moved account.
    public var version: UserRecord

    /// Creates a difference.
    public init(_ kind: Kind, _ version: UserRecord) {
        self.kind = kind
        self.key = version.key
        self.version = version
    }

    /// Decodes a record of the collection; `nil` for a deleted or malformed one.
    public init?(_ record: UserRecord) {
        let values = record.values
        guard record.key.collection == Self.collection,
            case .text(let kind)? = values["kind"], let kind = Kind(rawValue: kind),
            case .list(let parts)? = values["version"]
        else { return nil }
        let text = parts.reduce(into: "") { text, part in
            if case .text(let part) = part { text += part }
        }
        // A damaged version is one that nobody can choose.
        guard let node = try? JSONParser.parse(Array(text.utf8)),
            let version = try? RecordWire.record(node)
        else { return nil }
        self.init(kind, version)
    }

    /// Returns the id of the difference, equal for each repetition of a step of the move.
    ///
    /// - Parameter account: The id of the moved account.
    /// - Returns: `m` and 32 hexadecimal digits of SHA-256 over the account, the collection and the id, each
    ///   followed by the byte FF.
    public func id(movedFrom account: String) -> String {
        "m" + ContentName.digits(account, key.collection, key.id)
    }

    /// The fields of the record.
    public var fields: [String: FieldValue] {
        let text = String(decoding: RecordWire.json(version).canonicalBytes, as: UTF8.self)
        return [
            "kind": .text(kind.rawValue), "collection": .text(key.collection),
            "id": .text(key.id), "version": .list(Self.parts(of: text).map { .text($0) }),
        ]
    }

    /// Splits a text into parts of at most `partBytesMax` bytes, never within a scalar.
    private static func parts(of text: String) -> [String] {
        var (parts, part) = ([String](), String.UnicodeScalarView())
        var bytes = 0
        for scalar in text.unicodeScalars {
            let count = UTF8.width(scalar)
            if bytes + count > partBytesMax {
                parts.append(String(part))
                (part, bytes) = (String.UnicodeScalarView(), 0)
            }
            part.append(scalar)
            bytes += count
        }
        return parts + [String(part)]
    }
}
