import ContentModel
import PageRendering

/// The fields of one announcement: when, for whom, what its button does, and the texts of each language.
struct AnnouncementForm: Sendable {
    /// The most languages of a form, so that all its fields are read.
    static let languagesMax = 60

    var languages: [String]
    var buttons: [String]
    var form: EditForm

    /// Makes the form.
    ///
    /// - Parameters:
    ///   - value: The announcement.
    ///   - wanted: The languages in which each announcement must be written.
    ///   - typed: A sent form, whose languages and buttons must not be lost; `nil` for none.
    init(_ value: JSONValue, wanted: [String], typed: FormFields? = nil) {
        let present = Self.names(value.member(at: ["texts"]))
        let sent = (typed?.all("language") ?? []).filter { Identifier.isValid($0) }
        languages = Array(
            Self.once(wanted + present + sent).prefix(Self.languagesMax))
        var names = present.flatMap { Self.names(value.member(at: ["texts", $0, "buttons"])) }
        names += (typed?.all("button") ?? []).filter { Identifier.isValid($0) }
        if let action = Self.type(value)?.action { names.insert(action, at: 0) }
        buttons = Self.once(names)
        let hasImage = value.member(at: ["image"]) != nil || typed?["/image"]?.isEmpty == false
        let groups = languages.map { [buttons] language in
            Self.group(
                language, buttons, hasImage: hasImage, isMissing: !present.contains(language))
        }
        form = EditForm(groups: [Self.head] + groups)
    }

    static func type(_ value: JSONValue) -> AnnouncementType? {
        guard case .string(let name)? = value.member(at: ["type"]) else { return nil }
        return AnnouncementType(rawValue: name)
    }

    static func names(_ value: JSONValue?) -> [String] {
        guard case .object(let members)? = value else { return [] }
        return members.keys.sorted()
    }

    private static func once(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }

    /// Returns the announcement with what was typed, and with a language that was added.
    ///
    /// - Throws: `EditProblem`.
    func value(
        _ typed: [String: String], adding language: String?, in value: JSONValue
    ) throws(EditProblem) -> JSONValue {
        var value = try form.value(typed, in: value)
        if let language, Identifier.isValid(language),
            value.member(at: ["texts", language]) == nil
        {
            value.set(["title": "", "content": ""], at: ["texts", language])
        }
        return value
    }

    // MARK: Fields

    private static let head = EditForm.Group(
        title: nil, path: [],
        fields: [
            EditField(
                path: ["type"], title: "Type", hint: "It decides what the button does.",
                kind: .choice(AnnouncementType.allCases.map { .string($0.rawValue) }),
                isRequired: true),
            EditField(
                path: ["start"], title: "From",
                hint: "In UTC, as 2026-11-21T10:00:00Z. Blank: at once.", kind: .time),
            EditField(
                path: ["end"], title: "Until", hint: "In UTC. Blank: without an end.",
                kind: .time),
            EditField(
                path: ["link"], title: "Target of the button",
                hint: "An address, or a mail address for the type email.", kind: .text),
            EditField(
                path: ["image"], title: "Picture", hint: "The name of an asset, as icon.png.",
                kind: .text),
            EditField(
                path: ["languages"], title: "Only for users of these languages",
                hint: "As de, fr. Blank: for everybody.", kind: .words),
            EditField(
                path: ["minimumAppVersion"], title: "From app version", kind: .text),
            EditField(
                path: ["maximumAppVersion"], title: "Up to app version", kind: .text),
        ])

    private static func group(
        _ language: String, _ buttons: [String], hasImage: Bool, isMissing: Bool
    ) -> EditForm.Group {
        let path = ["texts", language]
        var fields = [
            EditField(
                path: path + ["title"], title: "Title", kind: .text, isRequired: !isMissing,
                isProse: true),
            EditField(
                path: path + ["content"], title: "Text", kind: .lines, isRequired: !isMissing,
                isProse: true),
        ]
        if hasImage {
            fields.append(
                EditField(
                    path: path + ["imageLabel"], title: "What the picture shows", kind: .text,
                    isProse: true))
        }
        fields += buttons.map { name in
            EditField(
                path: path + ["buttons", name], title: "Button \(name)", kind: .text,
                isProse: true)
        }
        return EditForm.Group(
            title: language, path: path, mark: isMissing ? "missing" : nil, fields: fields)
    }
}
