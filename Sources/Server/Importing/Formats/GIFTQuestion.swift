import ContentModel

/// The parts of one question in GIFT.
struct GIFTQuestion {
    enum Outcome {
        case draft(QuestionDraft)
        case skip(SkipReason)
    }

    let place: String
    private let tags: [String]
    private let id: String?
    /// True when our own export wrote the question; the difficulty is always among its marks.
    private let isExported: Bool
    private var name: String?
    private var stem: GIFTText
    private var answers: Substring?
    private var tail: Substring = ""
    /// True when a brace opens and none closes it.
    private var isOpen = false
    /// The form of texts for which neither a mark of their own nor that of the question says it.
    var form = SourceTextForm.plain

    init(_ body: Substring, tags: [String], id: String?, place: String) {
        self.place = place
        self.tags = tags
        isExported = tags.contains { $0.hasPrefix("difficulty=") }
        self.id = id
        var rest = body.drop { $0.isWhitespace }
        if rest.hasPrefix("::"), let title = GIFTSyntax.split(rest.dropFirst(2), at: "::") {
            name = GIFTSyntax.unescaped(title.before).trimmed
            rest = title.after.drop { $0.isWhitespace }
        }
        stem = GIFTText(rest)
        guard let open = GIFTSyntax.split(rest, at: "{") else { return }
        stem = GIFTText(open.before)
        guard let close = GIFTSyntax.split(open.after, at: "}") else {
            isOpen = true
            return
        }
        answers = close.before
        tail = close.after
    }

    /// The form that the mark of the question says.
    private var markedForm: SourceTextForm? { stem.form(inQuestion: nil) }

    /// The texts whose form no mark says.
    var unmarkedTexts: [String] {
        var texts = [stem]
        var rest = answers ?? ""
        while let (before, _, after) = GIFTSyntax.split(rest, atAny: Array("=~#".utf8)) {
            texts.append(GIFTText(before))
            rest = after
        }
        texts += [GIFTText(rest), GIFTText(tail)]
        return texts.filter { $0.form(inQuestion: markedForm) == nil }
            .map { $0.content(.plain).text }
    }

    /// Reads a text with its media.
    func content(_ text: Substring) -> MarkupText {
        content(GIFTText(text))
    }

    private func content(_ text: GIFTText) -> MarkupText {
        return text.content(text.form(inQuestion: markedForm) ?? form, isExact: isExported)
    }

    /// Returns the question, or the reason to skip it.
    func draft() -> Outcome {
        guard let answers else {
            return .skip(
                SkipReason(
                    isOpen ? .syntax : .typeUnsupported,
                    "it has no answers in braces; descriptions are not questions"))
        }
        if GIFTSyntax.contains("{", in: answers) {
            return .skip(SkipReason(.syntax, "its braces do not match"))
        }
        if GIFTSyntax.contains("{", in: tail) {
            return .skip(
                SkipReason(
                    .typeUnsupported,
                    "it has several pairs of braces; write each gap as a question of its own"))
        }
        let parts = [content(stem), content(tail)]
        var draft = QuestionDraft(
            place: place, type: .singleChoice, stem: Self.joined(parts[0].text, parts[1].text))
        for part in parts { draft.image = draft.takeMedia(of: part, shown: draft.image) }
        let (body, general) = GIFTSyntax.split(answers, at: "####") ?? (answers, "")
        let explanation = content(general)
        draft.noteMedia(of: explanation)
        draft.explanation = explanation.text
        if let reason = GIFTAnswers(question: self, body: body).add(to: &draft) {
            return .skip(reason)
        }
        draft.name = id ?? name
        draft.apply(marks: tags)
        return .draft(draft)
    }

    /// Joins the texts around the answers, with a gap between them.
    private static func joined(_ before: String, _ after: String) -> String {
        guard let first = after.first, after != "." else { return before }
        let gap = first.isPunctuation ? "_____" : "_____ "
        return before + (before.isEmpty ? "" : " ") + gap + after
    }
}
