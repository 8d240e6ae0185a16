import ContentModel

/// Properties without a field in another format, as `name=value`.
enum ExportMarks {
    /// Returns the marks of a question; `optionIDs` is false where the format has a field for them.
    static func marks(_ question: Question, optionIDs: Bool = true) -> [String] {
        var marks = ["difficulty=\(question.difficulty)"]
        if let domain = question.domain { marks.append("domain=\(domain)") }
        switch question.type {
        // Otherwise the same as a single choice.
        case .codeSnippet: marks.append("type=\(question.type.rawValue)")
        case .singleChoice, .multiChoice, .ordering, .numericEntry: break
        }
        if !question.shufflesOptions { marks.append("shuffle=false") }
        if question.isRetired { marks.append("retired=true") }
        if let unit = question.correctNumber?.unit { marks.append("unit=\(unit)") }
        let ids = question.options.map(\.id)
        if optionIDs, ids != ids.indices.map(DraftFinisher.optionID) {
            marks.append("options=" + ids.joined(separator: " "))
        }
        let pinned = question.options.indices.filter { question.options[$0].isPinned }
        if optionIDs, !pinned.isEmpty {
            marks.append("pinned=" + pinned.map(String.init).joined(separator: " "))
        }
        return marks
    }

    /// Joins several marks to one text.
    ///
    /// Scalars count and not characters: a mark may begin with a combining one.
    static func joined(_ marks: [String]) -> String {
        marks.map { mark in
            mark.unicodeScalars.map { scalar in
                switch scalar {
                case "%": "%25"
                case ";": "%3B"
                default: String(scalar)
                }
            }.joined()
        }.joined(separator: ";")
    }

    /// Splits one text into its marks.
    static func split(_ text: String) -> [String] {
        text.unicodeScalars.split(separator: ";").map { mark in
            let decoded = mark.replacing("%3B".unicodeScalars, with: ";".unicodeScalars)
                .replacing("%25".unicodeScalars, with: "%".unicodeScalars)
            return String(String.UnicodeScalarView(decoded))
        }
    }
}
