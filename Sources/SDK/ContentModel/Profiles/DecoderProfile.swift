/// The capabilities of the reader in one version of an app: the names, fields and limits by which it refuses a document
/// or omits a part of it.
///
/// An app's test writes the profile of each shipped version into a file, and authors check content against these files
/// before they publish it (`underway check --supports`).
///
/// ```swift
/// let profile = DecoderProfile.current(appVersion: "2.1")
/// print(profile.names["questionTypes"]?.contains("ordering") ?? true)  // true
/// let read = try DecoderProfile(Array(profile.text.utf8))
/// print(read == profile)  // true
/// ```
///
/// A profile restricts only what it mentions: a list in it is complete, and a missing list restricts nothing. So a
/// profile can be written by hand for a version that shipped without one, and names of a later version of Underway have
/// no effect.
public struct DecoderProfile: Hashable, Sendable {
    /// The format of profiles that this version reads and writes.
    public static let formatVersion = 1

    /// The version of the app, such as `2.1`.
    public var appVersion: String
    /// The names that the reader knows, by the kind of name, such as `questionTypes`.
    public var names: [String: Set<String>]
    /// The fields that the reader knows, by the kind of object, such as `question`; it ignores others.
    public var fields: [String: Set<String>]
    /// The maximum of each kind that the reader accepts, such as `documentBytes`.
    public var limits: [String: Int]

    /// Creates a profile.
    ///
    /// - Parameters:
    ///   - appVersion: The version of the app.
    ///   - names: The known names by kind; a missing kind is not restricted.
    ///   - fields: The known fields by kind of object; a missing kind is not restricted.
    ///   - limits: The limits by kind; a missing one is that of this version.
    public init(
        appVersion: String, names: [String: Set<String>] = [:],
        fields: [String: Set<String>] = [:], limits: [String: Int] = [:]
    ) {
        self.appVersion = appVersion
        self.names = names
        self.fields = fields
        self.limits = limits
    }

    /// Returns the profile of the reader in this version of Underway.
    ///
    /// - Parameter appVersion: The version of the app that contains it.
    /// - Returns: All its capabilities.
    public static func current(appVersion: String) -> DecoderProfile {
        DecoderProfile(
            appVersion: appVersion,
            names: Dictionary(
                uniqueKeysWithValues: Vocabulary.allCases.map { ($0.rawValue, Set($0.names)) }),
            fields: Dictionary(
                uniqueKeysWithValues: DocumentShape.allCases.map { ($0.rawValue, Set($0.fields)) }),
            limits: Dictionary(
                uniqueKeysWithValues: ReaderLimit.allCases.map { ($0.rawValue, $0.value) }))
    }

    /// The canonical JSON form.
    public var json: JSONValue {
        .compact([
            "format": .integer(Self.formatVersion), "app": .string(appVersion),
            "names": Self.lists(names), "fields": Self.lists(fields),
            "limits": limits.isEmpty ? nil : .object(limits.mapValues { .integer($0) }),
        ])
    }

    /// The JSON form on several lines, for a file in a repository; the same on every platform.
    public var text: String { json.prettyText }

    private static func lists(_ lists: [String: Set<String>]) -> JSONValue? {
        lists.isEmpty
            ? nil
            : .object(lists.mapValues { list in .array(list.sorted().map { .string($0) }) })
    }
}

extension DecoderProfile {
    /// True when the reader knows less than that of this version, so that content of this version can be too new.
    package var isRestricting: Bool {
        Vocabulary.allCases.contains { vocabulary in
            vocabulary.names.contains { !knows($0, in: vocabulary) }
        }
            || DocumentShape.allCases.contains { shape in
                shape.fields.contains { !knows($0, of: shape) }
            }
            || ReaderLimit.allCases.contains { limit($0) < $0.value }
    }

    /// Returns true if the reader knows a name.
    package func knows(_ name: String, in vocabulary: Vocabulary) -> Bool {
        names[vocabulary.rawValue]?.contains(name) ?? true
    }

    /// Returns true if the reader knows a field.
    package func knows(_ field: String, of shape: DocumentShape) -> Bool {
        fields[shape.rawValue]?.contains(field) ?? true
    }

    /// Returns a limit of the reader, at most that of this version.
    package func limit(_ limit: ReaderLimit) -> Int {
        min(limits[limit.rawValue] ?? limit.value, limit.value)
    }

    /// Returns the differences of another profile, one sentence each, sorted.
    package func differences(from other: DecoderProfile) -> [String] {
        var found: [String] = []
        if appVersion != other.appVersion {
            found.append("the app is \(appVersion), not \(other.appVersion)")
        }
        for (lists, others) in [(names, other.names), (fields, other.fields)] {
            for key in Set(lists.keys).union(others.keys).sorted() {
                let (own, their) = (lists[key] ?? [], others[key] ?? [])
                found += own.subtracting(their).sorted().map { "\(key) has \($0) now" }
                found += their.subtracting(own).sorted().map { "\(key) had \($0)" }
            }
        }
        for key in Set(limits.keys).union(other.limits.keys).sorted()
        where limits[key] != other.limits[key] {
            let (own, their) = (limits[key], other.limits[key])
            found.append(
                "\(key) is \(own.map(String.init) ?? "missing"), and was"
                    + " \(their.map(String.init) ?? "missing")")
        }
        return found
    }
}
