extension Question {
    /// The question without what learners do not see before they answer: topics, level, explanation, feedback.
    ///
    /// The options are in the order of their ids, since answers do not depend on the author's order. Two versions that
    /// are equal in this form have the same content and key, so the answers to one are evidence for the other.
    package var asked: Question {
        let sorted = options.map { QuestionOption(id: $0.id, text: $0.text, image: $0.image) }
            .sorted { $0.id < $1.id }
        var asked = Question(
            id: id, type: type, difficulty: 1, stem: stem, code: code, image: image,
            audio: audio.map { QuestionAudio(file: $0.file, title: $0.title) }, options: sorted,
            key: key)
        if correctNumber == nil {
            let places = correctOptionIDs.compactMap { id in sorted.firstIndex { $0.id == id } }
            asked.correct = type.isOrder ? places : places.sorted()
        }
        return asked
    }

    /// The texts of the options that a key names, with their pictures; empty for a number.
    package func optionTexts(of label: String) -> [String: String] {
        let ids = Set(label.split(separator: " ").map(String.init))
        return Dictionary(
            options.filter { ids.contains($0.id) }.map {
                ($0.id, $0.text + "\0" + ($0.image ?? ""))
            },
            uniquingKeysWith: { first, _ in first })
    }
}
