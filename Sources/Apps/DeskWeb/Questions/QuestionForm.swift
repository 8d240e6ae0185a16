import ContentModel
import PageRendering

/// A question in a form, with every field as text.
///
/// Parts of the file that the form does not show, or that the author did not change, stay unchanged.
struct QuestionForm: Sendable, Hashable {
    /// An option.
    struct Option: Sendable, Hashable {
        var id: String
        var text = ""
        /// The name of a picture among the media of the exam.
        var picture = ""
        var feedback = ""
        var isRight = false
        var isPinned = false
        /// Its place in the right order, from 1; for an ordering.
        var place = ""
    }

    /// The fields of a clip.
    struct Clip: Sendable, Hashable {
        var file = ""
        var title = ""
        var transcript = ""
    }

    /// The fields of a number, in their order.
    static let numberFields = ["value", "tolerance", "relativeTolerance", "from", "to", "unit"]

    var type: QuestionType?
    var stem = ""
    var codeLanguage = ""
    var codeText = ""
    /// The name of a picture among the media of the exam.
    var picture = ""
    /// The clip: the name of its file, its title, and what is heard.
    var clip = Clip()
    /// The options; `nil` for a question without any, or whose options a form cannot show.
    var options: [Option]?
    /// The fields of the number by name; `nil` for a question with options.
    var number: [String: String]?
    var explanation = ""
    var domain = ""
    var level = ""
    var tags = ""
    var isRetired = false
    var shuffles = true
    /// The form of the texts that the question declares; `nil` for that of its bank.
    var textForm: TextForm?

    /// Shows the value in a file, whatever is wrong with it.
    init(_ value: JSONValue) {
        type = (value["type"]?.shownText).flatMap(QuestionType.init(rawValue:))
        stem = Self.text(value["stem"])
        codeLanguage = Self.text(value["code"]?["language"])
        codeText = Self.text(value["code"]?["text"])
        picture = Self.text(value["image"])
        let audio = value["audio"]
        clip = Clip(
            file: Self.text(audio?["file"]), title: Self.text(audio?["title"]),
            transcript: Self.text(audio?["transcript"]))
        explanation = Self.text(value["explanation"])
        domain = Self.text(value["domain"])
        level = Self.text(value["difficulty"])
        tags = (value["tags"]?.elements ?? []).map(\.shownText).joined(separator: ", ")
        isRetired = value["retired"] == true
        shuffles = value["shuffle"] != false
        textForm = TextForm(rawValue: Self.text(value["text"]))
        if type == .numericEntry {
            number = Dictionary(
                uniqueKeysWithValues: Self.numberFields.map {
                    ($0, Self.text(value["number"]?[$0]))
                })
        } else {
            options = Self.options(value)
        }
    }

    private static func options(_ value: JSONValue) -> [Option]? {
        guard let elements = value["options"]?.elements else {
            return value["options"] == nil ? [] : nil
        }
        let key = value.keyIndices
        let isOrder = value["type"] == .string(QuestionType.ordering.rawValue)
        var options: [Option] = []
        for (index, element) in elements.enumerated() {
            guard case .object = element else { return nil }
            options.append(
                Option(
                    id: text(element["id"]), text: text(element["text"]),
                    picture: text(element["image"]), feedback: text(element["feedback"]),
                    isRight: key.contains(index),
                    isPinned: element["pinned"] == true,
                    place: isOrder ? key.firstIndex(of: index).map { String($0 + 1) } ?? "" : ""))
        }
        return options
    }

    /// Returns a text as a browser sends it back: with line feeds alone.
    private static func text(_ value: JSONValue?) -> String {
        (value?.shownText ?? "").withLineFeeds
    }

    // MARK: What was typed

    /// Reads a sent form.
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - shown: The question in the file, which says what fields there are.
    init(_ fields: FormFields, shown: QuestionForm) {
        self = shown
        func text(_ name: String, _ old: String) -> String { fields[name]?.withLineFeeds ?? old }
        stem = text("stem", stem)
        codeLanguage = text("code-language", codeLanguage)
        codeText = text("code-text", codeText)
        picture = text("image", picture).trimmed
        clip.file = text("audio-file", clip.file).trimmed
        clip.title = text("audio-title", clip.title)
        clip.transcript = text("audio-transcript", clip.transcript)
        explanation = text("explanation", explanation)
        domain = text("domain", domain)
        level = text("difficulty", level)
        tags = text("tags", tags)
        isRetired = fields["retired"] != nil
        shuffles = options == nil ? shuffles : fields["shuffle"] != nil
        if let shown = number {
            number = Dictionary(
                uniqueKeysWithValues: Self.numberFields.map {
                    ($0, text("number-\($0)", shown[$0] ?? ""))
                })
        }
        guard options != nil else { return }
        let right = Set(fields.all("right"))
        let isOrder = type?.isOrder == true
        let pictures = Dictionary(
            (shown.options ?? []).map { ($0.id, $0.picture) },
            uniquingKeysWith: { first, _ in first })
        options = fields.all("option").prefix(ContentLimits.optionsMax).enumerated().map {
            index, id in
            let place = text("place-\(index)", "")
            return Option(
                id: id, text: text("text-\(index)", ""),
                // A bank without media has no such fields.
                picture: text("image-\(index)", pictures[id] ?? "").trimmed,
                feedback: text("feedback-\(index)", ""),
                isRight: isOrder ? !place.isEmpty : right.contains(String(index)),
                isPinned: fields["pinned-\(index)"] != nil, place: place)
        }
    }

    /// Does what a button of the form asks for without saving: `add`, `remove:2`, `up:2`.
    ///
    /// - Returns: True when the button was one of these.
    mutating func perform(_ action: String) -> Bool {
        guard var options else { return false }
        let parts = action.split(separator: ":")
        let index = parts.count > 1 ? Int(parts[1]) : nil
        switch (parts.first, index) {
        case ("add", nil) where options.count < ContentLimits.optionsMax:
            options.append(Option(id: Self.newID(options)))
            if type?.isOrder == true { options[options.count - 1].place = String(options.count) }
        case ("remove", let index?) where options.indices.contains(index):
            options.remove(at: index)
        case ("up", let index?) where index > 0 && options.indices.contains(index):
            options.swapAt(index, index - 1)
        default: return false
        }
        self.options = options
        return true
    }

    /// Returns an id that no option has: the next letter, then `o27` and so on.
    private static func newID(_ options: [Option]) -> String {
        let used = Set(options.map(\.id))
        let letters = (UInt8(ascii: "a")...UInt8(ascii: "z")).map { String(UnicodeScalar($0)) }
        return letters.first { !used.contains($0) }
            ?? (27...200).lazy.map { "o\($0)" }.first { !used.contains($0) } ?? "o"
    }

    /// The places of the right options, in their order; of options alone.
    var keyIndices: [Int] {
        let options = options ?? []
        guard type?.isOrder == true else { return options.indices.filter { options[$0].isRight } }
        let places = options.map { Int($0.place.trimmed) ?? 0 }
        // A place that two have, or that there is not, is none: the checker then misses options in the order.
        return options.indices.filter { index in
            (1...options.count).contains(places[index])
                && places.count { $0 == places[index] } == 1
        }.sorted { places[$0] < places[$1] }
    }
}

extension JSONValue {
    /// The whole numbers of `correct`.
    var keyIndices: [Int] {
        (self["correct"]?.elements ?? []).compactMap {
            if case .integer(let index) = $0 { index } else { nil }
        }
    }
}

extension String {
    /// The text with a line feed for each line break of a form.
    fileprivate var withLineFeeds: String {
        guard utf8.contains(0x0D) else { return self }
        return replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }
}
