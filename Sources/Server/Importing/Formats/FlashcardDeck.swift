import ContentModel

/// The notes of a flashcard program, and their conversion to questions.
///
/// A card with a front and a back has no wrong answers. They are taken from the backs of other
/// notes of the same kind, always the same ones, so that a second import finds the same question.
struct FlashcardDeck {
    /// A note with its fields by name.
    struct Note {
        var place: String
        var guid: String
        /// The name of the kind of note.
        var model: String
        var isCloze: Bool
        var fields: [(name: String, value: String)]
        var tags: [String]
    }

    /// The number of wrong answers of a question made from a flashcard.
    static let distractorCount = 3

    private let notes: [Note]
    private let media: [String: [UInt8]]
    /// The first draft of each note, for the history of its cards.
    private(set) var draftOfNote: [Int: Int] = [:]
    private(set) var result = ImportedDrafts()
    /// The distinct answers of each kind of note.
    private var answers: [String: [String]] = [:]

    init(_ notes: [Note], media: [String: [UInt8]]) {
        self.notes = notes
        self.media = media
        for note in notes {
            for answer in Self.answers(note) { answers[note.model, default: []].append(answer) }
        }
        for model in answers.keys {
            var seen: Set<String> = []
            answers[model]?.removeAll { !seen.insert($0).inserted }
        }
        result.media = media
        for index in notes.indices { read(index) }
    }

    private static func answers(_ note: Note) -> [String] {
        if note.isCloze { return clozes(note).map(\.answer) }
        return note.fields.count > 1 ? [MarkupText.plain(note.fields[1].value)] : []
    }

    private mutating func read(_ index: Int) {
        let note = notes[index]
        let count = result.drafts.count
        if let quiz = quizDraft(note) {
            result.drafts.append(quiz)
        } else if note.isCloze {
            readClozes(note)
        } else {
            readCard(note)
        }
        if result.drafts.count > count { draftOfNote[index] = count }
    }

    // MARK: Kinds of notes

    /// Returns the draft of a note with options of its own: fields Question, Q_1, Q_2 … and Answers
    /// as `0 1 0`.
    private func quizDraft(_ note: Note) -> QuestionDraft? {
        let fields = Dictionary(
            note.fields.map { ($0.name.lowercased(), $0.value) },
            uniquingKeysWith: { first, _ in first })
        guard let stem = fields["question"], let key = fields["answers"] else { return nil }
        let marks = key.split { $0 == " " || $0 == "," }.map { $0 == "1" }
        var draft = base(note, stem: stem)
        for (number, isRight) in marks.enumerated() {
            guard let text = fields["q_\(number + 1)"], !text.isEmpty else { continue }
            draft.options.append(.init(text: MarkupText.plain(text), isRight: isRight))
        }
        guard draft.options.count >= 2 else { return nil }
        draft.chooseTypeByKey()
        draft.explanation = fields["extra 1"].map(MarkupText.plain)
        return draft
    }

    private mutating func readCard(_ note: Note) {
        guard note.fields.count > 1 else {
            return result.skip(note.place, "the note has no back")
        }
        let back = MarkupText(note.fields[1].value)
        var draft = base(note, stem: note.fields[0].value)
        if draft.stem.isEmpty, draft.image != nil { draft.stem = "?" }
        guard !back.text.isEmpty else {
            return result.skip(note.place, "the back has no text")
        }
        let extra = note.fields.dropFirst(2).map { MarkupText.plain($0.value) }
        draft.explanation = extra.filter { !$0.isEmpty }.joined(separator: "\n")
        addMedia(back, &draft)
        add(answer: back.text, of: note, to: draft)
    }

    private mutating func readClozes(_ note: Note) {
        let clozes = Self.clozes(note)
        guard !clozes.isEmpty else {
            return result.skip(note.place, "the note has no gap")
        }
        for (number, cloze) in clozes.enumerated() {
            var draft = base(note, stem: cloze.stem)
            if number > 0 { draft.name = nil }
            add(answer: cloze.answer, of: note, to: draft)
        }
    }

    private struct Cloze {
        var stem: String
        var answer: String
    }

    /// Returns one question for each number of a gap `{{c1::answer::hint}}`.
    private static func clozes(_ note: Note) -> [Cloze] {
        guard let text = note.fields.first?.value else { return [] }
        let gap = /\{\{c(\d+)::((?:(?!\}\}|::).)*)(?:::((?:(?!\}\}).)*))?\}\}/.dotMatchesNewlines()
        let matches = text.matches(of: gap)
        let numbers = Set(matches.compactMap { Int($0.1) }).sorted()
        return numbers.map { number in
            var answer: [String] = []
            let stem = text.replacing(gap) { match in
                guard Int(match.1) == number else { return String(match.2) }
                answer.append(MarkupText.plain(String(match.2)))
                return match.3.map { "[\($0)]" } ?? "[…]"
            }
            return Cloze(stem: stem, answer: answer.joined(separator: ", "))
        }
    }

    private func base(_ note: Note, stem: String) -> QuestionDraft {
        let content = MarkupText(stem)
        var draft = QuestionDraft(
            place: note.place, type: .singleChoice, stem: Self.withoutSounds(content.text))
        draft.name = "anki-" + Checksum(of: Array(note.guid.utf8)).hex.prefix(12)
        draft.tags = note.tags
        addMedia(content, &draft)
        return draft
    }

    /// Adds the first image that exists; notes other media that is shown or played.
    private func addMedia(_ content: MarkupText, _ draft: inout QuestionDraft) {
        for image in content.images {
            if draft.image == nil, media[image] != nil, ContentPath(image) != nil {
                draft.image = image
            } else {
                draft.notes.append("the image \"\(image)\" is not kept")
            }
        }
        let sounds = content.text.matches(of: /\[sound:([^\]]+)\]/).map { String($0.1) }
        for name in content.otherMedia + sounds { draft.notes.append("\"\(name)\" is not kept") }
    }

    private static func withoutSounds(_ text: String) -> String {
        text.replacing(/\[sound:[^\]]+\]/, with: "").trimmed
    }

    /// Adds wrong answers from other notes, chosen by the question's own checksum.
    private mutating func add(answer: String, of note: Note, to card: QuestionDraft) {
        var draft = card
        let answer = Self.withoutSounds(answer)
        let others = (answers[note.model] ?? []).map(Self.withoutSounds)
            .filter { $0.lowercased() != answer.lowercased() && !$0.isEmpty }
        guard !others.isEmpty, !answer.isEmpty else {
            return result.skip(
                note.place, "there is no other answer in the deck that could be a wrong one")
        }
        let ranked = others.map { other in
            (other, Checksum(of: Array((draft.stem + "\u{0}" + other).utf8)).hex)
        }.sorted { $0.1 < $1.1 }.prefix(Self.distractorCount)
        draft.options =
            [.init(text: answer, isRight: true)] + ranked.map { .init(text: $0.0) }
        draft.notes.append("its wrong answers are the backs of other notes")
        result.drafts.append(draft)
    }
}
