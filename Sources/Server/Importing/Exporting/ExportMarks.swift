import ContentModel

/// What other formats have no field for, as `name=value`.
enum ExportMarks {
    /// The marks of a question; `optionIDs` false where the format keeps them itself.
    static func marks(_ question: Question, optionIDs: Bool = true) -> [String] {
        var marks = ["difficulty=\(question.difficulty)"]
        if let domain = question.domain { marks.append("domain=\(domain)") }
        switch question.type {
        // Looks like a single choice.
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

    /// Several marks in one text.
    static func joined(_ marks: [String]) -> String {
        marks.map { $0.replacing("%", with: "%25").replacing(";", with: "%3B") }
            .joined(separator: ";")
    }

    /// The marks of one text.
    static func split(_ text: String) -> [String] {
        text.split(separator: ";").map {
            String($0).replacing("%3B", with: ";").replacing("%25", with: "%")
        }
    }
}
