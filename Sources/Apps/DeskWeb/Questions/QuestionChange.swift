import ContentModel
import HTTPTypes
import PageRendering
import Publishing

/// The change of several chosen questions at once.
enum QuestionChange: Sendable, Hashable {
    case retire
    case askAgain
    case level(Int)
    case tag(String)

    /// Reads the form.
    ///
    /// - Throws: `DeskProblem` 422 when it does not say what to do.
    init(_ form: FormFields) throws {
        let tag = (form["tag"] ?? "").trimmed
        switch form["do"] {
        case "retire": self = .retire
        case "ask": self = .askAgain
        case "level":
            guard let level = form["level"].flatMap({ Int($0) }), (1...5).contains(level) else {
                throw Self.problem("Choose a level from 1 to 5.")
            }
            self = .level(level)
        case "tag":
            guard !tag.isEmpty, tag.utf8.count <= 100, !tag.contains(",") else {
                throw Self.problem("Write one tag of at most 100 characters, without a comma.")
            }
            self = .tag(tag)
        default: throw Self.problem("Choose what to do.")
        }
    }

    private static func problem(_ text: String) -> DeskProblem {
        DeskProblem(status: .unprocessableContent, text: text + " Nothing was changed.")
    }

    /// Returns the value of a question with the change.
    func applied(to value: JSONValue) -> JSONValue {
        guard case .object(var members) = value else { return value }
        switch self {
        case .retire: members["retired"] = true
        case .askAgain: members["retired"] = nil
        case .level(let level): members["difficulty"] = .integer(level)
        case .tag(let tag):
            let tags = value["tags"]?.elements ?? []
            if !tags.contains(.string(tag)) { members["tags"] = .array(tags + [.string(tag)]) }
        }
        return .object(members)
    }

    /// The subject of the commit.
    private var subject: String {
        switch self {
        case .retire: "Retire questions"
        case .askAgain: "Ask retired questions again"
        case .level(let level): "Set level \(level)"
        case .tag(let tag): "Add the tag \(tag.prefix(40))"
        }
    }

    /// Changes questions, file by file.
    ///
    /// - Returns: What was done, as a sentence.
    /// - Throws: `PublishingError`; files that were saved before stay saved.
    func save(_ names: [QuestionName], _ saving: QuestionSaving) throws -> String {
        let editor = try ContentEditor(folder: saving.folder)
        var changed = 0
        var found = 0
        var notes: [String] = []
        for (bank, names) in Dictionary(grouping: names, by: \.bank).sorted(by: { $0.key < $1.key })
        {
            let ids = Set(names.map(\.id))
            var count = 0
            let changes = try editor.changes(in: bank) { id, value in
                guard ids.contains(id) else { return nil }
                found += 1
                let new = applied(to: value)
                if new != value { count += 1 }
                return new
            }
            for change in changes {
                try editor.save(change)
                if let note = saving.commit(change.file, "\(subject) of \(bank)") {
                    notes.append(note)
                }
            }
            changed += count
        }
        if let note = notes.first { return note }
        let gone = Set(names).count - found
        let missing =
            gone == 0
            ? ""
            : " \(gone) of the chosen questions \(gone == 1 ? "is" : "are") not there any more."
        switch changed {
        case 0: return "Nothing was changed: the chosen questions are like this already." + missing
        case 1: return "1 question is changed. It is not published yet." + missing
        default: return "\(changed) questions are changed. They are not published yet." + missing
        }
    }
}
