/// The properties of Moodle's questions that ours lack, each noted once for the file.
enum MoodleLosses {
    /// The usual penalties for another try, in Moodle's spelling.
    private static let usualPenalties: Set = [
        "", "0", "0.0000000", "0.1", "0.1000000", "0.3333333", "1", "1.0000000",
    ]

    /// Returns a note for each kind of loss, with the number of questions that have it.
    ///
    /// - Parameters:
    ///   - root: The document.
    ///   - file: The file.
    ///   - types: The types that are imported.
    /// - Returns: The notes.
    static func notes(
        _ root: XMLElement, file: String, types: Set<String>
    ) -> [ImportResult.Note] {
        let questions = root.children.filter {
            $0.name == "question" && types.contains($0.attributes["type"] ?? "")
        }
        let kinds: [(name: String, isIn: (XMLElement) -> Bool)] = [
            ("marks other than 1", { !isOne(text($0, "defaultgrade")) }),
            ("penalties for another try", { !usualPenalties.contains(text($0, "penalty")) }),
            ("names", { hasName($0) }),
            ("emphasis", { texts($0).contains { $0.contains(Pattern.emphasis) } }),
            ("descriptions of images", { texts($0).contains { $0.contains(Pattern.imageText) } }),
        ]
        return kinds.compactMap { kind in
            let count = questions.count(where: kind.isIn)
            guard count > 0 else { return nil }
            let of = count == 1 ? "1 question" : "\(count) questions"
            return .init(
                place: file, code: .textLost, message: "\(kind.name) of \(of) are not kept")
        }
    }

    private static func text(_ question: XMLElement, _ child: String) -> String {
        question.child(child)?.trimmedText ?? ""
    }

    private static func isOne(_ grade: String) -> Bool { grade.isEmpty || Double(grade) == 1 }

    /// Returns whether a name says more than the beginning of the question.
    private static func hasName(_ question: XMLElement) -> Bool {
        func words(_ child: String) -> String {
            let element = question.child(child)
            return MarkupText.plain((element?.child("text") ?? element)?.text ?? "").lowercased()
                .filter { $0.isLetter || $0.isNumber }
        }
        let name = words("name")
        return !name.isEmpty && !words("questiontext").hasPrefix(name)
            && !words("questiontext").isEmpty
    }

    private static func texts(_ question: XMLElement) -> [String] {
        (question.children.filter { $0.name == "answer" || $0.name == "generalfeedback" }
            + [question.child("questiontext")].compactMap(\.self))
            .map { ($0.child("text") ?? $0).text }
    }
}
