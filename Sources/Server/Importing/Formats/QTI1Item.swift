import ContentModel

/// An item of QTI 1.2, as Canvas, Blackboard and others write it.
struct QTI1Item {
    private let item: XMLElement
    private let package: QTIPackage
    private let place: String
    /// The name of the score, where the user said it.
    private let outcome: String?

    init(_ item: XMLElement, _ package: QTIPackage, place: String, outcome: String?) {
        self.item = item
        self.package = package
        self.place = place + "line \(item.line)"
        self.outcome = outcome
    }

    func read(into result: inout ImportedDrafts) {
        let responses = [
            "response_lid", "response_str", "response_num", "response_grp", "response_xy",
        ]
        .flatMap(item.all)
        guard responses.count == 1, let response = responses.first else {
            return result.skip(
                place, .typeUnsupported,
                responses.isEmpty
                    ? "the item asks nothing\(kind)"
                    : "the item has \(responses.count) answers; only one is supported\(kind)")
        }
        do throws(SkipReason) {
            let draft = try response.name == "response_lid" ? choice(response) : entry(response)
            result.add(draft)
        } catch {
            result.skip(place, error.code, error.text + kind)
        }
    }

    private func entry(_ response: XMLElement) throws(SkipReason) -> QuestionDraft {
        // An essay sets no outcome: a person grades it.
        guard !item.all("setvar").isEmpty,
            let key = numericKey(try QTI1Outcome(item, chosen: outcome))
        else {
            throw SkipReason(
                .typeUnsupported, "<\(response.name)> that takes no number is not supported")
        }
        var draft = draft()
        draft.type = .numericEntry
        draft.number = key
        return draft
    }

    /// The kind of the question as Canvas or Blackboard names it, for messages.
    private var kind: String {
        let field = item.all("qtimetadatafield").first {
            $0.child("fieldlabel")?.trimmedText == "question_type"
        }
        let name =
            field?.child("fieldentry")?.trimmedText
            ?? item.all("bbmd_questiontype").first?.trimmedText ?? ""
        return name.isEmpty ? "" : " (\(name))"
    }

    // MARK: Parts of a question

    /// Returns a draft with everything but its answers.
    private func draft() -> QuestionDraft {
        var draft = QuestionDraft(place: place, type: .singleChoice, stem: "")
        let stem = material(item.child("presentation"), leavingOut: "response_label")
        draft.stem = stem.text
        draft.image = draft.takeMedia(of: stem, shown: nil, naming: package.name)
        draft.name = item.attributes["ident"]
        let general = ["general_fb", "solution", "correct_fb", "correct"].compactMap(feedback)
        draft.explanation = general.first
        let wrong = ["general_incorrect_fb", "incorrect"].compactMap(feedback)
        for text in Array(general.dropFirst()) + wrong where text != draft.explanation {
            draft.note(.textLost, "the feedback \"\(text)\" is not kept")
        }
        return draft
    }

    private func choice(_ list: XMLElement) throws(SkipReason) -> QuestionDraft {
        let linked = linkedFeedback(item.all("respcondition"))
        var draft = draft()
        for label in list.all("response_label") {
            let content = material(label)
            let id = label.attributes["ident"] ?? ""
            var option = QuestionDraft.Option(text: content.text)
            option.id = id
            option.image = draft.takeMedia(of: content, shown: nil, naming: package.name)
            option.feedback = feedback("\(id)_fb") ?? linked[id]
            draft.options.append(option)
        }
        draft.shufflesOptions =
            list.child("render_choice")?.attributes["shuffle"]?.lowercased() == "yes"
        try setKey(&draft, list)
        return draft
    }

    private func setKey(
        _ draft: inout QuestionDraft, _ list: XMLElement
    ) throws(SkipReason) {
        let score = try QTI1Outcome(item, chosen: outcome)
        let ids = draft.options.compactMap(\.id)
        let key: QTI1Scoring.Key
        switch list.attributes["rcardinality"]?.lowercased() {
        case "ordered":
            draft.type = .ordering
            let condition = item.all("respcondition").first(where: score.isRaised)
            let order = Self.named(condition?.child("conditionvar"))
            draft.order = order.compactMap { id in draft.options.firstIndex { $0.id == id } }
            return
        case "multiple":
            draft.type = .multiChoice
            key = try QTI1Scoring(item, outcome: score).multiple(ids)
        default:
            draft.type = .singleChoice
            key = try QTI1Scoring(item, outcome: score).single(ids)
        }
        for index in draft.options.indices {
            draft.options[index].isRight = key.options.contains(ids[index])
        }
        if key.hasPartialCredit {
            draft.note(
                .partialCredit,
                "the points for a part of the answer, or off for a wrong one, are not kept")
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

    /// Returns the key of an entry: one number, or one range.
    private func numericKey(_ score: QTI1Outcome) -> NumericKey? {
        let rewarding = item.all("respcondition").filter(score.isRaised)
        guard rewarding.count == 1, let condition = rewarding.first?.child("conditionvar") else {
            return nil
        }
        func numbers(_ name: String) -> [DecimalNumber?] {
            condition.all(name).map { DecimalNumber($0.trimmedText) }
        }
        switch (numbers("vargte"), numbers("varlte"), numbers("varequal")) {
        case (let from, let to, let exact)
        where from.count == 1 && to.count == 1 && exact.count < 2:
            guard let from = from[0], let to = to[0], from <= to else { return nil }
            // A value beside the range would be a second right answer.
            guard exact.allSatisfy({ $0.map { from <= $0 && $0 <= to } ?? false }) else {
                return nil
            }
            return NumericKey(from == to ? .value(from, .absolute(0)) : .range(from: from, to: to))
        case ([], [], let exact) where exact.count == 1:
            return exact[0].map { NumericKey(.value($0, .absolute(0))) }
        default: return nil
        }
    }

    // MARK: Text

    /// Returns the text and images below an element, except in those of a name.
    private func material(_ element: XMLElement?, leavingOut other: String? = nil) -> MarkupText {
        var html = ""
        func collect(_ element: XMLElement) {
            for child in element.children where child.name != other {
                switch child.name {
                case "mattext", "mat_formattedtext": html += "<p>" + Self.markup(child) + "</p>"
                case "matimage":
                    let source = XMLElement.escaped(child.attributes["uri"] ?? "")
                    html += "<img src=\"\(source)\">"
                case "matapplication", "matvideo", "mataudio":
                    html += "<object data=\"\(XMLElement.escaped(child.attributes["uri"] ?? ""))\">"
                default: collect(child)
                }
            }
        }
        element.map(collect)
        return MarkupText(html)
    }

    private static func markup(_ text: XMLElement) -> String {
        let type = (text.attributes["texttype"] ?? text.attributes["type"])?.lowercased()
        let isHTML = ["text/html", "html", "smart_text"].contains(type)
        return isHTML ? text.text : XMLElement.escaped(text.text)
    }

    private func feedback(_ id: String) -> String? {
        item.all("itemfeedback").first { $0.attributes["ident"] == id }
            .map { material($0).text }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the feedback that conditions of one option link to.
    private func linkedFeedback(_ conditions: [XMLElement]) -> [String: String] {
        let general: Set = [
            "general_fb", "solution", "correct_fb", "correct", "general_incorrect_fb", "incorrect",
        ]
        var linked: [String: String] = [:]
        for condition in conditions {
            let named = Self.named(condition.child("conditionvar"))
            guard named.count == 1, let option = named.first,
                let link = condition.child("displayfeedback")?.attributes["linkrefid"],
                !general.contains(link), let text = feedback(link)
            else { continue }
            linked[option] = linked[option] ?? text
        }
        return linked
    }
}
