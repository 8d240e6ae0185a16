/// Two versions of a question, by field: the entered one, and the one that another user has saved since.
struct QuestionConflict {
    struct Field {
        var title: String
        var differs: Bool
        var mine: String
        var other: String
    }

    /// The fields, differing ones first.
    var fields: [Field]
    /// The address of the other version.
    var href: String

    init(mine: QuestionForm, other: QuestionForm, href: String) {
        self.href = href
        let (mine, other) = (Self.texts(mine), Self.texts(other))
        var titles = mine.map(\.title)
        for title in other.map(\.title) where !titles.contains(title) { titles.append(title) }
        let fields = titles.map { title -> Field in
            let (one, two) = (
                mine.first { $0.title == title }?.text ?? "",
                other.first { $0.title == title }?.text ?? ""
            )
            return Field(title: title, differs: one != two, mine: one, other: two)
        }
        self.fields =
            fields.filter(\.differs)
            + fields.filter { !$0.differs && !($0.mine.isEmpty && $0.other.isEmpty) }
    }

    private static func texts(_ form: QuestionForm) -> [(title: String, text: String)] {
        var texts = [("Question", form.stem), ("Code", form.codeText)]
        texts.append(("Language of the code", form.codeLanguage))
        texts.append(("Picture", form.picture))
        texts.append(("Clip", form.clip.file))
        texts.append(("Title of the clip", form.clip.title))
        texts.append(("What is heard", form.clip.transcript))
        for option in form.options ?? [] {
            texts.append(("Option \(option.id)", option.text))
            texts.append(("Picture of \(option.id)", option.picture))
            texts.append(("Feedback to \(option.id)", option.feedback))
        }
        if let options = form.options {
            texts.append(
                ("Right answer", form.keyIndices.map { options[$0].id }.joined(separator: " ")))
            texts.append(("Order of the options", options.map(\.id).joined(separator: " ")))
            texts.append(
                ("Pinned", options.filter(\.isPinned).map(\.id).joined(separator: " ")))
            texts.append(("Shuffled", form.shuffles ? "yes" : "no"))
        }
        for name in QuestionForm.numberFields {
            if let number = form.number { texts.append(("Number, \(name)", number[name] ?? "")) }
        }
        texts += [
            ("Why", form.explanation), ("Domain", form.domain), ("Level", form.level),
            ("Tags", form.tags), ("Retired", form.isRetired ? "yes" : "no"),
        ]
        return texts
    }
}
