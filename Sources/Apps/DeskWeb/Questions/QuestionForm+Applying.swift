import ContentModel

extension QuestionForm {
    /// Returns the value of a file with what was typed.
    ///
    /// A field that says what the file says stays as it is written there, such as a number in quotation marks.
    func applied(to value: JSONValue) -> JSONValue {
        guard case .object(var members) = value else { return value }
        let shown = QuestionForm(value)
        members.set("stem", stem, shown.stem)
        members.set("image", picture, shown.picture)
        applyClip(to: &members, shown)
        members.set("explanation", explanation, shown.explanation)
        members.set("domain", domain, shown.domain)
        if level != shown.level {
            members["difficulty"] = Int(level).map { .integer($0) } ?? Self.text(level)
        }
        applyCode(to: &members, shown)
        if tags != shown.tags {
            let list = tags.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
            members["tags"] = list.isEmpty ? nil : .array(list.map { .string($0) })
        }
        if isRetired != shown.isRetired { members["retired"] = isRetired ? true : nil }
        if shuffles != shown.shuffles { members["shuffle"] = shuffles ? nil : false }
        applyNumber(to: &members, shown)
        if let options, let old = shown.options, options != old {
            applyOptions(options, old, to: &members, value)
        }
        return .object(members)
    }

    private static func text(_ text: String) -> JSONValue? { text.isEmpty ? nil : .string(text) }

    private func applyCode(to members: inout [String: JSONValue], _ shown: QuestionForm) {
        guard codeText != shown.codeText || codeLanguage != shown.codeLanguage else { return }
        var code: [String: JSONValue] =
            if case .object(let old)? = members["code"] { old } else { [:] }
        code.set("language", codeLanguage, shown.codeLanguage)
        code.set("text", codeText, shown.codeText)
        members["code"] = codeText.isEmpty && codeLanguage.isEmpty ? nil : .object(code)
    }

    private func applyClip(to members: inout [String: JSONValue], _ shown: QuestionForm) {
        guard clip != shown.clip else { return }
        var audio: [String: JSONValue] =
            if case .object(let old)? = members["audio"] { old } else { [:] }
        audio.set("file", clip.file, shown.clip.file)
        audio.set("title", clip.title, shown.clip.title)
        audio.set("transcript", clip.transcript, shown.clip.transcript)
        members["audio"] = clip == Clip() ? nil : .object(audio)
    }

    private func applyNumber(to members: inout [String: JSONValue], _ shown: QuestionForm) {
        guard let number, number != shown.number else { return }
        var new: [String: JSONValue] =
            if case .object(let old)? = members["number"] { old } else { [:] }
        for name in Self.numberFields {
            let (typed, old) = (number[name] ?? "", shown.number?[name] ?? "")
            guard typed != old else { continue }
            let isText = if case .string? = new[name] { true } else { name == "unit" }
            new[name] = isText ? Self.text(typed) : Self.plainNumber(typed)
        }
        members["number"] = new.isEmpty ? nil : .object(new)
    }

    /// Returns a number without quotation marks where it keeps its value; what is no number stays text.
    private static func plainNumber(_ text: String) -> JSONValue? {
        let text = text.trimmed
        if let whole = Int(text) { return .integer(whole) }
        if let number = DecimalNumber(text), let plain = Double(text),
            DecimalNumber("\(plain)") == number
        {
            return .decimal(plain)
        }
        return Self.text(text)
    }

    private func applyOptions(
        _ options: [Option], _ old: [Option], to members: inout [String: JSONValue],
        _ value: JSONValue
    ) {
        var left = Array(zip(old, value["options"]?.elements ?? []))
        var isSameOrder = options.count == old.count
        let written = options.enumerated().map { index, option -> JSONValue in
            if isSameOrder, old[index].id != option.id { isSameOrder = false }
            let place = left.firstIndex { $0.0.id == option.id }
            let found = place.map { left.remove(at: $0) }
            var object: [String: JSONValue] =
                if case .object(let object)? = found?.1 { object } else { [:] }
            if found == nil { object["id"] = .string(option.id) }
            if option.text != found?.0.text ?? "" || found == nil {
                object["text"] = .string(option.text)
            }
            object.set("image", option.picture, found?.0.picture ?? "")
            object.set("feedback", option.feedback, found?.0.feedback ?? "")
            if option.isPinned != found?.0.isPinned ?? false {
                object["pinned"] = option.isPinned ? true : nil
            }
            return .object(object)
        }
        members["options"] = written.isEmpty && value["options"] == nil ? nil : .array(written)
        let (key, before) = (keyIndices, value.keyIndices)
        let isSameKey =
            isSameOrder && (type?.isOrder == true ? key == before : Set(key) == Set(before))
        guard !isSameKey else { return }
        members["correct"] = .array(key.map { .integer($0) })
    }
}

extension [String: JSONValue] {
    /// Sets a text that was typed; an empty one removes it.
    fileprivate mutating func set(_ name: String, _ typed: String, _ shown: String) {
        guard typed != shown else { return }
        self[name] = typed.isEmpty ? nil : .string(typed)
    }
}

extension StringProtocol {
    /// The text without white space at its ends.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
