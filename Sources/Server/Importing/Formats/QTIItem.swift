import ContentModel

/// An item of QTI 2.x or 3.0.
struct QTIItem {
    private let item: XMLElement
    private let package: QTIPackage
    private let place: String

    init(_ item: XMLElement, _ package: QTIPackage, place: String) {
        self.item = item
        self.package = package
        self.place = place + "line \(item.line)"
    }

    func read(into result: inout ImportedDrafts) {
        if let reason = unsupported { return result.skip(place, reason) }
        guard let body = item.qtiChild("itembody") else {
            return result.skip(place, .stemMissing, "the item has no body")
        }
        let interactions = Self.interactions(in: body)
        guard interactions.count == 1, let interaction = interactions.first else {
            return result.skip(
                place, .typeUnsupported,
                interactions.isEmpty
                    ? "the item asks nothing" : "the item has \(interactions.count) interactions")
        }
        switch interaction.qtiName {
        case "choiceinteraction", "orderinteraction":
            if let reason = conflict(interaction) { return result.skip(place, reason) }
            result.add(finished(draft(body, interaction), body))
        case "textentryinteraction":
            let declaration = declaration(of: interaction)
            guard let number = QTINumber(item, declaration) else {
                let right = QTINumber.accepted(declaration).full.joined(separator: ", ")
                let shown = right.isEmpty ? "" : "; right are \(right)"
                return result.skip(
                    place, .typeUnsupported,
                    "a text entry that takes no number is not supported\(shown)")
            }
            switch number.key {
            case .success(let key):
                var draft = finished(draft(body, interaction, key), body)
                for part in number.accepted.part {
                    draft.note(
                        .partialCredit, "the part of the points for \"\(part)\" is not kept")
                }
                result.add(draft)
            case .failure(let reason): result.skip(place, reason)
            }
        default: result.skip(place, .typeUnsupported, "<\(interaction.name)> is not supported")
        }
    }

    /// The features of the item that our questions lack, or that are missing in the package.
    private var unsupported: SkipReason? {
        if !item.qtiAll("templatedeclaration").isEmpty
            || !item.qtiAll("templateprocessing").isEmpty
        {
            return SkipReason(
                .typeUnsupported,
                "its template makes new values for each learner, which is not supported")
        }
        if item.qtiAttribute("adaptive") == "true" {
            return SkipReason(
                .typeUnsupported, "adaptive items, which go on after an answer, are not supported")
        }
        let missing = stimulusReferences.first { package.document($0) == nil }
        return missing.map {
            SkipReason(
                .missing, "its text \"\($0)\" is not in the file; import the whole package")
        }
    }

    private var stimulusReferences: [String] {
        item.qtiAll("assessmentstimulusref").compactMap { $0.qtiAttribute("href") }
    }

    /// Returns the reason that a key cannot be trusted: it names no choice, or the mapping says another.
    private func conflict(_ interaction: XMLElement) -> SkipReason? {
        let choices = Set(
            interaction.qtiAll("simplechoice").compactMap { $0.qtiAttribute("identifier") })
        let key = key(of: interaction)
        if let unknown = key.first(where: { !choices.contains($0) }) {
            return SkipReason(.keyUnknown, "its key \"\(unknown)\" names no option")
        }
        let processing = item.qtiAll("responseprocessing")
        let isMapped =
            processing.contains { $0.qtiAttribute("template")?.contains("map_response") == true }
            || processing.contains { !$0.qtiAll("mapresponse").isEmpty }
        let mapped = mappedKey(of: interaction)
        guard isMapped, !mapped.isEmpty, Set(mapped) != Set(key) else { return nil }
        return SkipReason(
            .keyDisagrees,
            "its correct response and its mapping name different options as right")
    }

    /// Adds the surroundings of the question: stimuli before the stem, and feedback that no option has.
    private func finished(_ draft: QuestionDraft, _ body: XMLElement) -> QuestionDraft {
        var draft = draft
        for reference in stimulusReferences.reversed() {
            guard let (root, package) = package.document(reference) else { continue }
            let text = MarkupText((root.qtiChild("stimulusbody") ?? root).markup())
            draft.stem = text.text + (text.text.isEmpty ? "" : "\n\n") + draft.stem
            draft.image = draft.takeMedia(of: text, shown: draft.image, package)
        }
        var left = feedback(in: body)
        if draft.explanation == nil, !left.isEmpty { draft.explanation = left.removeFirst() }
        let shown = Set(draft.options.compactMap(\.feedback) + [draft.explanation ?? ""])
        let modal = item.qtiAll("modalfeedback").map { MarkupText.plain($0.markup()) }
        for text in left + modal where !shown.contains(text) && !text.isEmpty {
            draft.note(.textLost, "the feedback \"\(text)\" is not kept")
        }
        return draft
    }

    /// Returns the feedback of a body that stands in no option.
    private func feedback(in element: XMLElement) -> [String] {
        element.children.flatMap { child -> [String] in
            switch child.qtiName {
            case "feedbackblock", "feedbackinline": [MarkupText.plain(child.markup())]
            case "simplechoice": []
            default: feedback(in: child)
            }
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
        draft.image = draft.takeMedia(of: stem, shown: nil, package)
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
        draft.image = draft.takeMedia(of: stem, shown: nil, package)
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
            option.image = draft.takeMedia(of: content, shown: nil, package)
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
        return mappedKey(of: interaction)
    }

    /// Returns the identifiers with credit in the mapping; of a single choice those with the most.
    private func mappedKey(of interaction: XMLElement) -> [String] {
        let declaration = declaration(of: interaction)
        let entries = (declaration?.qtiAll("mapentry") ?? []).compactMap { entry in
            entry.qtiAttribute("mapkey").map {
                (key: $0, credit: Double(entry.qtiAttribute("mappedvalue") ?? "") ?? 0)
            }
        }.filter { $0.credit > 0 }
        let isSingle = declaration?.qtiAttribute("cardinality") == "single"
        let best = entries.map(\.credit).max() ?? 0
        return entries.filter { !isSingle || $0.credit == best }.map(\.key)
    }

    private func omits(_ element: XMLElement) -> Bool {
        switch element.qtiName {
        case "feedbackblock", "feedbackinline", "pre": true
        // What learners are to read first is a part of the question; what scorers are, is not.
        case "rubricblock":
            element.qtiAttribute("view").map { !$0.contains("candidate") } ?? false
        default:
            element.qtiName.hasSuffix("interaction")
                || element.attributes["class"] == QTIWriter.unitClass
        }
    }

    private func code(_ body: XMLElement) -> CodeSnippet? {
        guard let pre = body.all("pre").first else { return nil }
        let language =
            pre.child("code")?.attributes["class"]?
            .replacing("language-", with: "") ?? "text"
        return CodeSnippet(language: language, text: pre.text)
    }
}

extension QuestionDraft {
    /// Returns the image that is shown, by its path in a package, and notes the other media of a text.
    fileprivate mutating func takeMedia(
        of content: MarkupText, shown: String?, _ package: QTIPackage
    ) -> String? {
        takeMedia(of: content, shown: shown, naming: package.name)
    }
}
