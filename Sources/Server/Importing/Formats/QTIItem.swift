import ContentModel

/// An item of QTI 2.x or 3.0.
struct QTIItem {
    private let item: XMLElement
    private let folder: String
    private let place: String

    init(_ item: XMLElement, folder: String, place: String) {
        self.item = item
        self.folder = folder
        self.place = place + "line \(item.line)"
    }

    func read(into result: inout ImportedDrafts) {
        guard let body = item.qtiChild("itembody") else {
            return result.skip(place, "the item has no body")
        }
        let interactions = Self.interactions(in: body)
        guard interactions.count == 1, let interaction = interactions.first else {
            return result.skip(
                place,
                interactions.isEmpty
                    ? "the item asks nothing" : "the item has \(interactions.count) interactions")
        }
        switch interaction.qtiName {
        case "choiceinteraction", "orderinteraction":
            result.drafts.append(draft(body, interaction))
        case "textentryinteraction":
            guard let number = QTINumber(item, declaration(of: interaction)) else {
                return result.skip(place, "a text entry that takes no number is not supported")
            }
            switch number.key {
            case .success(let key): result.drafts.append(draft(body, interaction, key))
            case .failure(let reason): result.skip(place, reason.text)
            }
        default: result.skip(place, "<\(interaction.name)> is not supported")
        }
    }

    private static func interactions(in element: XMLElement) -> [XMLElement] {
        element.children.flatMap { child in
            child.qtiName.hasSuffix("interaction") ? [child] : interactions(in: child)
        }
    }

    private func draft(
        _ body: XMLElement, _ entry: XMLElement, _ key: NumericKey
    ) -> QuestionDraft {
        let stem = MarkupText(body.markup(gap: entry) { omits($0) })
        // A field at the end needs no gap in the text.
        var text = stem.text
        if text.hasSuffix(XMLElement.gapText) {
            text.removeLast(XMLElement.gapText.count)
            if text.hasSuffix("\n") { text.removeLast() } else { text = text.trimmed }
        }
        var draft = QuestionDraft(place: place, type: .numericEntry, stem: text)
        draft.number = key
        draft.name = item.qtiAttribute("identifier")
        draft.image = image(stem, &draft)
        draft.code = code(body)
        draft.explanation =
            item.qtiAll("modalfeedback").first.map { MarkupText.plain($0.markup()) }
        draft.apply(marks: marks)
        return draft
    }

    private func draft(_ body: XMLElement, _ interaction: XMLElement) -> QuestionDraft {
        let choices = interaction.qtiAll("simplechoice")
        let key = key(of: interaction)
        let prompt = interaction.qtiChild("prompt")
        let stem = MarkupText(
            body.markup { omits($0) } + "<p>" + (prompt?.markup() ?? "") + "</p>")
        var draft = QuestionDraft(place: place, type: .singleChoice, stem: stem.text)
        draft.name = item.qtiAttribute("identifier")
        draft.image = image(stem, &draft)
        draft.code = code(body)
        let modal = item.qtiAll("modalfeedback")
        let own = modal.first { $0.qtiAttribute("outcomeidentifier") == QTIFeedback.explanation }
        let feedback = Dictionary(
            modal.filter { $0 !== own }.compactMap { element in
                element.qtiAttribute("identifier").map { ($0, MarkupText.plain(element.markup())) }
            }, uniquingKeysWith: { first, _ in first })
        for choice in choices {
            let id = choice.qtiAttribute("identifier") ?? ""
            let content = MarkupText(choice.markup { $0.qtiName == "feedbackinline" })
            var option = QuestionDraft.Option(text: content.text, isRight: key.contains(id))
            option.id = id
            option.image = image(content, &draft)
            option.isPinned = choice.qtiAttribute("fixed") == "true"
            option.feedback =
                choice.qtiAll("feedbackinline").first.map { MarkupText.plain($0.markup()) }
                ?? feedback[id]
            draft.options.append(option)
        }
        let optionIDs = Set(draft.options.compactMap(\.id))
        draft.explanation =
            own.map { MarkupText.plain($0.markup()) }
            ?? feedback.filter { !optionIDs.contains($0.key) }
            .sorted { $0.key < $1.key }.first?.value
        draft.shufflesOptions = interaction.qtiAttribute("shuffle") == "true"
        setType(&draft, interaction, key)
        draft.apply(marks: marks)
        return draft
    }

    /// The marks that an export of ours wrote as the item's label.
    private var marks: [String] {
        ExportMarks.split(item.qtiAttribute("label") ?? "")
    }

    private func setType(
        _ draft: inout QuestionDraft, _ interaction: XMLElement, _ key: [String]
    ) {
        if interaction.qtiName == "orderinteraction" {
            draft.type = .ordering
            draft.order = key.compactMap { id in draft.options.firstIndex { $0.id == id } }
        } else {
            let isMultiple = declaration(of: interaction)?.qtiAttribute("cardinality") == "multiple"
            draft.type =
                isMultiple ? .multiChoice : draft.code == nil ? .singleChoice : .codeSnippet
        }
    }

    private func declaration(of interaction: XMLElement) -> XMLElement? {
        let name = interaction.qtiAttribute("responseidentifier")
        return item.qtiAll("responsedeclaration").first { $0.qtiAttribute("identifier") == name }
    }

    /// Returns the right identifiers: the correct response, else those with the most credit in the
    /// mapping.
    private func key(of interaction: XMLElement) -> [String] {
        let declaration = declaration(of: interaction)
        if let correct = declaration?.qtiChild("correctresponse") {
            return correct.qtiAll("value").map(\.trimmedText)
        }
        return (declaration?.qtiAll("mapentry") ?? []).compactMap { entry in
            (Double(entry.qtiAttribute("mappedvalue") ?? "") ?? 0) > 0
                ? entry.qtiAttribute("mapkey") : nil
        }
    }

    private func omits(_ element: XMLElement) -> Bool {
        element.qtiName.hasSuffix("interaction") || element.qtiName == "rubricblock"
            || element.qtiName == "feedbackblock" || element.name == "pre"
            || element.attributes["class"] == QTIWriter.unitClass
    }

    private func code(_ body: XMLElement) -> CodeSnippet? {
        guard let pre = body.all("pre").first else { return nil }
        let language =
            pre.child("code")?.attributes["class"]?
            .replacing("language-", with: "") ?? "text"
        return CodeSnippet(language: language, text: pre.text)
    }

    private func image(_ content: MarkupText, _ draft: inout QuestionDraft) -> String? {
        if content.images.count > 1 {
            draft.notes.append("only the first of \(content.images.count) images is kept")
        }
        for name in content.otherMedia { draft.notes.append("\"\(name)\" is not kept") }
        return content.images.first.map { mediaName($0, folder: folder) }
    }
}
