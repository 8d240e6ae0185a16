import ContentModel
import PageRendering

/// A form for a part of a document, in groups of fields.
struct EditForm: Sendable {
    /// Fields under a heading.
    struct Group: Sendable {
        /// The heading; `nil` for the fields that have none.
        var title: String?
        /// The path that all fields of the group share, for messages about the group itself.
        var path: [String]
        /// A word beside the heading, such as "missing".
        var mark: String?
        var fields: [EditField]
    }

    /// The most characters of a value that a page of two versions shows.
    private static let shownMax = 2_000

    var groups: [Group]

    var fields: [EditField] { groups.flatMap(\.fields) }

    /// Returns what was typed, by the names of fields; without those that were not sent.
    func typed(_ form: FormFields) -> [String: String] {
        let toggles = Set(form.all("toggle"))
        return fields.reduce(into: [:]) { typed, field in
            if case .toggle = field.kind {
                // A box that is off is not sent; its name beside it says that it was shown.
                guard toggles.contains(field.name) else { return }
                typed[field.name] = String(form[field.name] != nil)
            } else if let text = form[field.name] {
                typed[field.name] = EditField.unified(text)
            }
        }
    }

    /// Returns the document with what was typed; a field that was not sent changes nothing.
    ///
    /// - Throws: `EditProblem` for text that cannot be saved.
    func value(_ typed: [String: String], in value: JSONValue) throws(EditProblem) -> JSONValue {
        var value = value
        for field in fields {
            guard let text = typed[field.name] else { continue }
            let old = value.member(at: field.path[...])
            let new = try field.value(text, old: old)
            if new != old { value.set(new, at: field.path[...]) }
        }
        return value
    }

    /// Returns the fields that have two differing versions.
    ///
    /// - Parameters:
    ///   - typed: The entered values.
    ///   - value: The document that another user has saved since.
    /// - Returns: The two versions; `nil` if the document has all entered values.
    func conflict(_ typed: [String: String], _ value: JSONValue) -> EditConflict? {
        let rows = groups.flatMap { group in
            group.fields.compactMap { field -> EditConflict.Row? in
                let theirs = EditField.unified(field.shown(value.member(at: field.path[...])))
                guard let mine = typed[field.name], mine != theirs else { return nil }
                let title = [group.title, field.title].compactMap(\.self).joined(separator: ": ")
                return .init(
                    title: title, mine: .init(value: Self.short(mine)),
                    server: .init(value: Self.short(theirs)))
            }
        }
        return rows.isEmpty ? nil : EditConflict(fields: rows)
    }

    private static func short(_ text: String) -> String {
        text.isEmpty ? "nothing" : text.count > shownMax ? text.prefix(shownMax) + "…" : text
    }
}

/// Two versions of a file by field, as the shared part shows them.
struct EditConflict: Sendable {
    struct Side: Sendable {
        var title: String
        var who: String
    }

    struct Value: Sendable {
        var value: String
    }

    struct Row: Sendable {
        var title: String
        var differs = true
        var mine: Value
        var server: Value
    }

    struct Button: Sendable {
        var title: String
        var name: String
    }

    var caption = "What you typed, and what somebody saved meanwhile"
    var thing = "Field"
    var differsWord = "differs"
    var mine = Side(title: "Yours", who: "not saved")
    var server = Side(title: "Theirs", who: "saved meanwhile")
    var fields: [Row]
    var keepMine = Button(title: "Save mine", name: "Save mine: replaces what they saved")
    var useServer = Button(title: "Use theirs", name: "Use theirs: drops what I typed")
}

extension JSONValue {
    /// Returns the value at the end of a path of names; `nil` where there is none.
    func member(at path: ArraySlice<String>) -> JSONValue? {
        guard let name = path.first else { return self }
        guard case .object(let members) = self else { return nil }
        return members[name]?.member(at: path.dropFirst())
    }

    /// Sets the value at the end of a path of names, or removes it; maps on the way are made, and removed once they
    /// are empty.
    mutating func set(_ value: JSONValue?, at path: ArraySlice<String>) {
        guard let name = path.first else {
            if let value { self = value }
            return
        }
        var members: [String: JSONValue] = [:]
        if case .object(let present) = self { members = present }
        if path.count == 1 {
            members[name] = value
        } else {
            var inner = members[name] ?? .object([:])
            inner.set(value, at: path.dropFirst())
            members[name] = value == nil && inner == .object([:]) ? nil : inner
        }
        self = .object(members)
    }
}
