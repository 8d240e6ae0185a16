import ContentModel
import Foundation

/// A reader of Moodle's XML: choices, true and false, orderings, numbers.
enum MoodleReader {
    static func read(_ bytes: [UInt8], file: String) throws(ImportError) -> ImportedDrafts {
        let (root, encoding) = try XMLTree.parse(bytes, file: file)
        guard root.name == "quiz" else {
            throw ImportError(
                file, .format, "is no Moodle XML: its root is <\(root.name)>, not <quiz>")
        }
        var result = ImportedDrafts()
        result.encoding = encoding
        result.begun = root.all("question").count { $0.attributes["type"] != "category" }
        result.notes += MoodleLosses.notes(root, file: file, types: types)
        var category = ""
        for question in root.children where question.name == "question" {
            let type = question.attributes["type"] ?? ""
            if type == "category" {
                let path = question.child("category")?.trimmedText ?? ""
                let last = path.split(separator: "/").last.map { String($0).trimmed } ?? ""
                category = last == "top" || last.hasPrefix("$") ? "" : last
                continue
            }
            read(question, type: type, category: category, into: &result)
        }
        return result
    }

    private static func read(
        _ question: XMLElement, type: String, category: String, into result: inout ImportedDrafts
    ) {
        let place = "line \(question.line)"
        guard types.contains(type) else {
            return result.skip(
                place, .typeUnsupported, "questions of the type \"\(type)\" are not supported")
        }
        let stem = text(question.child("questiontext"))
        var draft = QuestionDraft(
            place: place, type: .singleChoice,
            stem: stem.text.isEmpty ? text(question.child("name")).text : stem.text)
        draft.name = question.child("idnumber")?.trimmedText
        draft.explanation = text(question.child("generalfeedback")).text
        draft.tags = question.child("tags")?.children.map { text($0).text } ?? []
        draft.setCategory(category)
        noteFeedback(question, &draft)
        draft.image = image(stem, question.child("questiontext"), &result, &draft)
        draft.isRetired = question.child("hidden")?.trimmedText == "1"
        if type == "matching" || type == "match" {
            switch rows(of: question, draft) {
            case .success(let drafts): for draft in drafts { result.add(draft) }
            case .failure(let reason): result.skip(place, reason)
            }
            return
        }
        let reason: SkipReason? =
            switch type {
            case "numerical": readNumber(question, &draft)
            case "shortanswer": readShortAnswer(question, &draft)
            case "cloze", "multianswer": readGap(question, &draft)
            default: readOptions(question, type, &draft, &result)
            }
        if let reason { return result.skip(place, reason) }
        // Written by our own export.
        if let marks = question.child("underwaymarks")?.text {
            draft.apply(marks: ExportMarks.split(marks))
        }
        result.add(draft)
    }

    /// The types that are imported.
    private static let types: Set = [
        "multichoice", "truefalse", "ordering", "numerical", "shortanswer", "cloze",
        "multianswer", "matching", "match",
    ]

    private static let usualFeedback: Set = [
        "Your answer is correct.", "Your answer is partially correct.",
        "Your answer is incorrect.",
    ]

    /// Notes the feedback on the whole answer, and hints.
    private static func noteFeedback(_ question: XMLElement, _ draft: inout QuestionDraft) {
        let names = [
            "correctfeedback", "partiallycorrectfeedback", "incorrectfeedback", "hint",
        ]
        for element in question.children where names.contains(element.name) {
            let content = text(element).text
            let kind = element.name == "hint" ? "hint" : "feedback"
            // Every question has the words of Moodle itself, unless its author changed them.
            guard !usualFeedback.contains(content) else { continue }
            if !content.isEmpty { draft.note(.textLost, "the \(kind) \"\(content)\" is not kept") }
        }
    }

    /// Reads the one right number, its tolerance and the unit that needs no conversion.
    ///
    /// - Returns: The reason that there is no key.
    private static func readNumber(
        _ question: XMLElement, _ draft: inout QuestionDraft
    ) -> SkipReason? {
        let answers = question.children.filter { $0.name == "answer" }
        let right = answers.filter { fraction($0) >= 99.9 }
        guard let first = right.first else { return SkipReason(.keyNone, "it has no right number") }
        guard right.count == 1 else {
            return SkipReason(.keySeveral, "several right numbers are not supported")
        }
        let written = text(first).text
        guard let value = DecimalNumber(written) else {
            return SkipReason(.keyUnknown, "\"\(written)\" is no number")
        }
        let distance = first.child("tolerance").map(\.trimmedText) ?? ""
        guard let tolerance = DecimalNumber(distance.isEmpty ? "0" : distance) else {
            return SkipReason(.keyUnknown, "its tolerance \"\(distance)\" is no number")
        }
        let units = question.child("units")?.children ?? []
        let unit = units.first { DecimalNumber($0.child("multiplier")?.trimmedText ?? "") == 1 }
        draft.type = .numericEntry
        draft.number = NumericKey(
            .value(value, .absolute(tolerance)), unit: unit?.child("unit_name")?.trimmedText)
        for other in units where other !== unit {
            draft.note(
                .textLost, "the unit \"\(other.child("unit_name")?.trimmedText ?? "")\" is not kept"
            )
        }
        for answer in answers {
            let (part, name) = (fraction(answer), text(answer).text)
            if part > 0, part < 99.9 {
                draft.note(.partialCredit, "the part of \(part) % for \"\(name)\" is not kept")
            }
            if let feedback = answer.child("feedback").map({ text($0).text }), !feedback.isEmpty {
                draft.note(.textLost, "the feedback \"\(feedback)\" is not kept")
            }
        }
        return nil
    }

    static func fraction(_ answer: XMLElement) -> Double {
        Double(answer.attributes["fraction"] ?? "") ?? 0
    }

    private static func readOptions(
        _ question: XMLElement, _ type: String, _ draft: inout QuestionDraft,
        _ result: inout ImportedDrafts
    ) -> SkipReason? {
        let answers = question.children.filter { $0.name == "answer" }
        let fractions = answers.map(fraction)
        let isSingle = question.child("single")?.trimmedText != "false"
        for (answer, fraction) in zip(answers, fractions) {
            let content = text(answer)
            var option = QuestionDraft.Option(text: content.text)
            option.image = image(content, answer, &result, &draft)
            option.feedback = answer.child("feedback").map { text($0).text }
            option.isRight = isSingle ? fraction >= 99.9 : fraction > 0
            if type != "ordering", fraction > 0,
                isSingle ? fraction < 99.9 : fraction != fractions.max()
            {
                draft.note(
                    .partialCredit, "the part of \(fraction) % for \"\(content.text)\" is not kept")
            }
            draft.options.append(option)
        }
        let shuffle = question.child("shuffleanswers")?.trimmedText
        draft.shufflesOptions = type != "truefalse" && shuffle != "0" && shuffle != "false"
        switch type {
        case "ordering":
            draft.type = .ordering
            draft.order = Array(answers.indices)
            // The file lists the right order, which must not be the displayed one.
            draft.shufflesOptions = true
        case "truefalse":
            for index in draft.options.indices {
                draft.options[index].text = draft.options[index].text.capitalized
            }
        default: draft.type = isSingle ? .singleChoice : .multiChoice
        }
        return nil
    }

    /// Returns the `<text>` of an element by its format.
    static func text(_ element: XMLElement?) -> MarkupText {
        let raw = (element?.child("text") ?? element)?.text ?? ""
        let format = element?.attributes["format"] ?? "html"
        let isPlain = format == "plain_text" || format == "markdown"
        return MarkupText(
            isPlain ? XMLElement.escaped(raw).replacing("\n", with: "<br>") : raw,
            readsTeX: !isPlain && element?.attributes["underway"] == nil)
    }

    /// Returns the one image that a text may show, from the files beside it.
    private static func image(
        _ content: MarkupText, _ element: XMLElement?, _ result: inout ImportedDrafts,
        _ draft: inout QuestionDraft
    ) -> String? {
        var names: [String: String] = [:]
        for file in element?.children ?? [] where file.name == "file" {
            let folder = (file.attributes["path"] ?? "/").drop { $0 == "/" }
            let name = String(folder) + (file.attributes["name"] ?? "")
            guard ContentPath(name) != nil,
                let data = Data(base64Encoded: file.trimmedText, options: .ignoreUnknownCharacters),
                !data.isEmpty
            else {
                draft.note(.mediaLost, "the file \"\(name)\" cannot be read and is not kept")
                continue
            }
            names[name] = keep([UInt8](data), name, &result)
        }
        if content.images.count > 1 {
            draft.note(.mediaLost, "only the first of \(content.images.count) images is kept")
        }
        for name in content.otherMedia { draft.note(.mediaLost, "\"\(name)\" is not kept") }
        guard let source = content.images.first else { return nil }
        guard !PictureAddress.isAddress(source) else { return source }
        let path = source.replacing("@@PLUGINFILE@@/", with: "")
        let name = path.removingPercentEncoding ?? path
        return names[name] ?? name
    }

    /// Keeps a file under its name, or under another where a question before has another file of that name.
    private static func keep(
        _ bytes: [UInt8], _ name: String, _ result: inout ImportedDrafts
    ) -> String {
        var free = name
        if let known = result.media[name], known != bytes {
            let dot = name.lastIndex(of: ".") ?? name.endIndex
            free = name[..<dot] + "-" + Checksum(of: bytes).hex.prefix(12) + name[dot...]
        }
        result.media[free] = bytes
        return free
    }
}
