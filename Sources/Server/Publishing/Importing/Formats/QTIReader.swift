import ContentModel
import Foundation

/// Reads IMS QTI 1.2, 2.x and 3.0: single items, tests, and packages in a zip archive.
enum QTIReader {
    static func read(_ bytes: [UInt8], file: String) throws(ImportError) -> ImportedDrafts {
        var result = ImportedDrafts()
        guard bytes.starts(with: [0x50, 0x4B]) else {
            let (root, encoding) = try XMLTree.parse(bytes, file: file)
            guard read(root, folder: "", place: "", into: &result) else {
                throw ImportError(file, "is no QTI: its root is <\(root.name)>")
            }
            result.encoding = encoding
            return result
        }
        let archive = try ZipArchive(bytes, file: file)
        for entry in archive.refused {
            result.notes.append(.init(place: entry.name, message: "left out: \(entry.reason)"))
        }
        var hasAny = false
        for name in archive.names {
            guard name.hasSuffix(".xml"), let content = archive.files[name] else {
                result.media[name] = archive.files[name]
                continue
            }
            do throws(ImportError) {
                let root = try XMLTree.parse(content, file: name).root
                let folder = name.split(separator: "/").dropLast().joined(separator: "/")
                if read(root, folder: folder, place: name + ", ", into: &result) { hasAny = true }
            } catch {
                result.skip(name, error.reason)
            }
        }
        guard hasAny else { throw ImportError(file, "holds no QTI") }
        return result
    }

    /// Reads a document; false when it is no QTI.
    private static func read(
        _ root: XMLElement, folder: String, place: String, into result: inout ImportedDrafts
    ) -> Bool {
        switch root.qtiName {
        case "questestinterop":
            for item in root.all("item") {
                QTI1Item(item, folder: folder, place: place).read(into: &result)
            }
        case "assessmentitem":
            QTIItem(root, folder: folder, place: place).read(into: &result)
        case "assessmenttest":
            result.notes.append(
                .init(
                    place: place + "line \(root.line)",
                    message: "the order and the rules of the test are not kept, only its items"))
        case "manifest": break
        default: return false
        }
        return true
    }
}

extension XMLElement {
    /// The name in one spelling for 2.x (`choiceInteraction`) and 3.0 (`qti-choice-interaction`).
    var qtiName: String { Self.qtiSpelling(name) }

    private static func qtiSpelling(_ name: String) -> String {
        let bare = name.hasPrefix("qti-") ? String(name.dropFirst(4)) : name
        return bare.replacing("-", with: "").lowercased()
    }

    /// An attribute in either spelling.
    func qtiAttribute(_ name: String) -> String? {
        attributes.first { Self.qtiSpelling($0.key) == name }?.value
    }

    /// All elements of that name below, in either spelling.
    func qtiAll(_ name: String) -> [XMLElement] {
        children.flatMap { ($0.qtiName == name ? [$0] : []) + $0.qtiAll(name) }
    }

    /// The first element of that name right below, in either spelling.
    func qtiChild(_ name: String) -> XMLElement? { children.first { $0.qtiName == name } }
}

/// Joins a reference to the folder of the item that makes it.
func mediaName(_ reference: String, folder: String) -> String {
    var parts = folder.split(separator: "/").map(String.init)
    for part in reference.split(separator: "/") {
        switch part {
        case ".": continue
        case "..": _ = parts.popLast()
        default: parts.append(String(part))
        }
    }
    let joined = parts.joined(separator: "/")
    return joined.removingPercentEncoding ?? joined
}

/// An item of QTI 2.x or 3.0.
private struct QTIItem {
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
        guard ["choiceinteraction", "orderinteraction"].contains(interaction.qtiName) else {
            return result.skip(place, "<\(interaction.name)> is not supported")
        }
        result.drafts.append(draft(body, interaction))
    }

    private static func interactions(in element: XMLElement) -> [XMLElement] {
        element.children.flatMap { child in
            child.qtiName.hasSuffix("interaction") ? [child] : interactions(in: child)
        }
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
        let feedback = Dictionary(
            item.qtiAll("modalfeedback").compactMap { element in
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
            feedback.filter { !optionIDs.contains($0.key) }
            .sorted { $0.key < $1.key }.first?.value
        draft.shufflesOptions = interaction.qtiAttribute("shuffle") == "true"
        setType(&draft, interaction, key)
        draft.take(marks: marks)
        return draft
    }

    /// Marks that an export of ours wrote as the item's label.
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

    /// The right identifiers: the correct response, else what the mapping gives most for.
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

/// An item of QTI 1.2, as Canvas and others write it.
private struct QTI1Item {
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

    /// The options that a condition names, without those that it excludes.
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
    /// True for a condition of QTI 1.2 that earns marks.
    fileprivate var isRewarding: Bool {
        children.contains {
            $0.name == "setvar" && (Double($0.trimmedText) ?? 0) > 0
                && ["Set", "Add", nil].contains($0.attributes["action"])
        }
    }
}
