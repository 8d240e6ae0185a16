import OfflineStorage
import UserData

/// A record that holds one text, which names the write that made it.
protocol TextRecord: CollectionRecord {
    var text: String { get }
    init(text: String)
}

/// Only ever added.
struct Note: TextRecord {
    static let collection = CollectionDeclaration("notes", .appendOnly)
    var text: String
}

/// The later write wins.
struct Star: TextRecord {
    static let collection = CollectionDeclaration("stars", .lastWriteWins)
    var text: String
}

/// The user resolves conflicts.
struct Exam: TextRecord {
    static let collection = CollectionDeclaration("exams", .askUser)
    var text: String
}

/// The server's version wins.
struct Preference: TextRecord {
    static let collection = CollectionDeclaration("preferences", .serverWins)
    var text: String
}

/// Each field merges for itself.
struct Profile: CollectionRecord {
    static let collection = CollectionDeclaration("profiles", .fieldMerge)
    var a: String?
    var b: String?
    var c: String?

    subscript(field: String) -> String? {
        get { field == "a" ? a : field == "b" ? b : c }
        set {
            switch field {
            case "a": a = newValue
            case "b": b = newValue
            default: c = newValue
            }
        }
    }

    /// The fields that are present.
    var fields: [String: String] { ["a": a, "b": b, "c": c].compactMapValues(\.self) }
}

/// Steps add up.
struct Points: CollectionRecord {
    static let collection = CollectionDeclaration("points", .counter)
    /// The counter's one field.
    static let field = "total"
    var total: Int64
}

enum DriverCollections {
    static let texts: [any TextRecord.Type] = [
        Note.self, Star.self, Exam.self, Preference.self,
    ]

    static let all =
        texts.map { $0.collection } + [Profile.collection, Points.collection]

    static func text(_ name: String) -> (any TextRecord.Type)? {
        texts.first { $0.collection.name == name }
    }
}
