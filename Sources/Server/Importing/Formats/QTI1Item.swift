import ContentModel

/// An item of QTI 1.2, as Canvas and others write it.
struct QTI1Item {
    private let item: XMLElement
    private let folder: String
    private let place: String

    init(_ item: XMLElement, folder: String, place: String) {
        self.item = item
        self.folder = folder
        self.place = place + "line \(item.line)"
    }

    func read(into result: inout ImportedDrafts) {
        let lists = item.all("response_lid")
        guard lists.count == 1, let list = lists.first else {
            let kind = lists.isEmpty ? "no choice" : "\(lists.count) choices"
            return result.skip(place, "the item has \(kind); only one is supported")
        }
        let labels = list.all("response_label")
        let conditions = item.all("respcondition").filter { $0.isRewarding }
        let key = Set(conditions.flatMap { Self.named($0.child("conditionvar")) })
        var draft = QuestionDraft(place: place, type: .singleChoice, stem: "")
        let stem = material(item.child("presentation"), leavingOut: "response_lid")
        draft.stem = stem.text
        draft.image = stem.images.first.map { mediaName($0, folder: folder) }
        draft.name = item.attributes["ident"]
        for label in labels {
            let content = material(label, leavingOut: "")
            let id = label.attributes["ident"] ?? ""
            var option = QuestionDraft.Option(text: content.text, isRight: key.contains(id))
            option.id = id
            option.image = content.images.first.map { mediaName($0, folder: folder) }
            option.feedback = feedback("\(id)_fb")
            draft.options.append(option)
        }
        draft.explanation = feedback("general_fb")
        draft.shufflesOptions =
            list.child("render_choice")?.attributes["shuffle"]?.lowercased() == "yes"
        setType(&draft, list, conditions)
        result.drafts.append(draft)
    }

    private func setType(
        _ draft: inout QuestionDraft, _ list: XMLElement, _ conditions: [XMLElement]
    ) {
        switch list.attributes["rcardinality"]?.lowercased() {
        case "ordered":
            draft.type = .ordering
            let order = Self.named(conditions.first?.child("conditionvar"))
            draft.order = order.compactMap { id in draft.options.firstIndex { $0.id == id } }
        case "multiple": draft.type = .multiChoice
        default:
            draft.type = .singleChoice
            if draft.key.count > 1 { draft.notes.append("several options earn marks") }
        }
    }

    /// Returns the options that a condition names, without those that it excludes.
    private static func named(_ condition: XMLElement?) -> [String] {
        (condition?.children ?? []).flatMap { child -> [String] in
            switch child.name {
            case "varequal": [child.trimmedText]
            case "and", "or": named(child)
            default: []
            }
        }
    }

    private func material(_ element: XMLElement?, leavingOut name: String) -> MarkupText {
        let texts = (element?.children ?? []).filter { $0.name != name }.flatMap { child in
            child.name == "mattext" ? [child] : child.all("mattext")
        }
        let images = (element?.children ?? []).filter { $0.name != name }
            .flatMap { $0.all("matimage") }.compactMap { $0.attributes["uri"] }
        let html =
            texts.map { text in
                let isHTML = text.attributes["texttype"]?.lowercased() == "text/html"
                return "<p>" + (isHTML ? text.text : XMLElement.escaped(text.text)) + "</p>"
            } + images.map { "<img src=\"\(XMLElement.escaped($0))\">" }
        return MarkupText(html.joined())
    }

    private func feedback(_ id: String) -> String? {
        item.all("itemfeedback").first { $0.attributes["ident"] == id }
            .map { material($0, leavingOut: "").text }
    }
}

extension XMLElement {
    /// True for a condition of QTI 1.2 that earns credit.
    fileprivate var isRewarding: Bool {
        children.contains {
            $0.name == "setvar" && (Double($0.trimmedText) ?? 0) > 0
                && ["Set", "Add", nil].contains($0.attributes["action"])
        }
    }
}
