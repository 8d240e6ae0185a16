extension Blueprint {
    /// The released bytes: those of `json.canonicalBytes`, written without an intermediate tree.
    public var canonicalBytes: [UInt8] {
        var writer = CanonicalWriter()
        writer.bytes.reserveCapacity(512 * questions.count + 1024)
        writer.open("{")
        if !corrections.isEmpty { writer.member("corrections", .array(corrections.map(\.json))) }
        if !domains.isEmpty { writer.member("domains", .array(domains.map(\.json))) }
        writer.member("id", id)
        writer.member("kind", kind.rawValue)
        writer.member("language", language)
        if !levels.isEmpty {
            let labels = levels.map { ("\($0)", JSONValue.string($1)) }
            writer.member("levels", .object(Dictionary(uniqueKeysWithValues: labels)))
        }
        writer.member("questions", questions) { $0.write($1) }
        writer.member("scoring", scoring.json)
        writer.member("title", title)
        writer.member("version", version)
        writer.close("}")
        // A new field belongs in both places: every test that publishes compares them.
        assert(writer.bytes == json.canonicalBytes)
        return writer.bytes
    }
}

extension CanonicalWriter {
    fileprivate mutating func write(_ question: Question) {
        open("{")
        if let audio = question.audio { member("audio", audio.json) }
        if let code = question.code {
            name("code")
            open("{")
            member("language", code.language)
            member("text", code.text)
            close("}")
        }
        switch question.key {
        case .options(let correct): member("correct", correct) { $0.write(.integer($1)) }
        case .number: break
        }
        member("difficulty", .integer(question.difficulty))
        member("domain", question.domain)
        member("explanation", question.explanation)
        member("id", question.id)
        member("image", question.image)
        switch question.key {
        case .options: member("options", question.options) { $0.write($1) }
        case .number(let number): member("number", number.json)
        }
        if question.isRetired { member("retired", true) }
        if !question.shufflesOptions { member("shuffle", false) }
        member("stem", question.stem)
        if !question.tags.isEmpty { member("tags", question.tags) { $0.write(string: $1) } }
        if question.textForm != .plain { member("text", question.textForm.rawValue) }
        member("type", question.type.rawValue)
        close("}")
    }

    fileprivate mutating func write(_ option: QuestionOption) {
        open("{")
        member("feedback", option.feedback)
        member("id", option.id)
        member("image", option.image)
        if option.isPinned { member("pinned", true) }
        member("text", option.text)
        close("}")
    }
}
