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
        /// The cards of a note that has no gaps.
        var cards: [NoteModel.Card] = [.first]
        var fields: [(name: String, value: String)]
        var tags: [String]
    }

    /// One card of a note: its place among the notes, and the number of its template or gap.
    struct CardKey: Hashable {
        var note: Int
        var ordinal: Int
    }

    /// The most gaps with numbers of their own in a note.
    static let gapsMax = 100

    private let notes: [Note]
    private let media: FlashcardMedia
    /// The draft of each card, for its history.
    private(set) var draftOfCard: [CardKey: Int] = [:]
    private(set) var result = ImportedDrafts()
    /// The answers of each kind of card.
    private var answers: [String: AnswerPool] = [:]

    /// The keys on the backs of cards whose fronts have lettered options.
    private(set) var keys: AnswerReadings

    init(_ notes: [Note], media: [String: [UInt8]], keys: KeyReading? = nil) {
        self.notes = notes
        self.media = FlashcardMedia(files: media)
        self.keys = AnswerReadings(keys)
        collectAnswers()
        self.keys.decide()
        result.media = media
        for index in notes.indices { read(index) }
    }

    private mutating func collectAnswers() {
        var texts: [String: [(front: String, answer: String)]] = [:]
        func keep(_ kind: String, _ front: String, _ answer: String) {
            let size = max(front.utf8.count, answer.utf8.count)
            guard size <= ContentLimits.textBytesMax else { return }
            texts[kind, default: []].append((front, answer))
        }
        for note in notes {
            if note.isCloze {
                let text = note.fields.first?.value ?? ""
                for question in ClozeText.questions(in: text, max: Self.gapsMax + 1) {
                    keep(note.model, Self.plainFront(question.stem), question.answer)
                }
                continue
            }
            for card in note.cards where note.has(card) {
                let front = Self.plainFront(note.front(card))
                let back = MarkupText.plain(note.fields[card.back].value, readsTeX: true)
                if let lettered = LetteredOptions(front) {
                    _ = keys.right(lettered.answer(Self.key(back)))
                    continue
                }
                guard LetteredOptions(back) == nil else { continue }
                keep(Self.kind(note, card), front, FlashcardMedia.withoutSounds(back))
            }
        }
        answers = texts.mapValues { AnswerPool($0) }
    }

    /// Returns the line of a back that names an option.
    private static func key(_ back: String) -> String {
        back.split(separator: "\n").first.map { String($0).trimmed } ?? ""
    }

    private static func plainFront(_ html: String) -> String {
        FlashcardMedia.withoutSounds(MarkupText.plain(html, readsTeX: true))
    }

    /// Returns the cards whose answers can replace each other.
    private static func kind(_ note: Note, _ card: NoteModel.Card) -> String {
        "\(note.model)\u{0}\(card.back)"
    }

    private mutating func read(_ index: Int) {
        let note = notes[index]
        if let quiz = quizDraft(note) {
            append(quiz, CardKey(note: index, ordinal: 0))
        } else if note.isCloze {
            readClozes(note, index)
        } else {
            readCards(note, index)
        }
    }

    private mutating func append(_ draft: QuestionDraft, _ key: CardKey) {
        var draft = draft
        let guid = notes[key.note].guid
        if guid.hasPrefix(CardsWriter.guidStart) {
            draft.name = String(guid.dropFirst(CardsWriter.guidStart.count))
            draft.tags = []
            draft.apply(marks: notes[key.note].tags.map(CardsWriter.unescaped))
        }
        if result.add(draft) { draftOfCard[key] = result.drafts.count - 1 }
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
            let content = MarkupText(text, readsTeX: true)
            let image = media.image(of: content, in: &draft)
            draft.options.append(
                .init(
                    text: FlashcardMedia.withoutSounds(content.text), isRight: isRight, image: image
                ))
        }
        guard draft.options.count >= 2 else { return nil }
        draft.chooseTypeByKey()
        addExplanation(fields["extra 1"].map { [$0] } ?? [], to: &draft)
        return draft
    }

    private mutating func readCards(_ note: Note, _ index: Int) {
        guard note.fields.count > 1 else {
            return result.skip(note.place, .optionsMissing, "the note has no back")
        }
        // A card exists when its front has a text.
        let cards = note.cards.filter { note.has($0) }
        guard !cards.isEmpty else {
            return result.skip(note.place, .stemMissing, "the note has no front")
        }
        for card in cards { readCard(note, card, CardKey(note: index, ordinal: card.ordinal)) }
    }

    private mutating func readCard(_ note: Note, _ card: NoteModel.Card, _ key: CardKey) {
        let place = note.place + (card.ordinal == 0 ? "" : ", card \(card.ordinal + 1)")
        let back = MarkupText(note.fields[card.back].value, readsTeX: true)
        var draft = base(note, stem: note.front(card))
        draft.place = place
        if card.ordinal > 0 { draft.name? += "-\(card.ordinal + 1)" }
        if draft.stem.isEmpty, draft.image != nil { draft.stem = "?" }
        guard !back.text.isEmpty else {
            let picture = back.images.first.map { ", only the image \"\($0)\"" } ?? ""
            return result.skip(place, .optionsMissing, "the back has no text" + picture)
        }
        let extra = note.fields.enumerated().filter {
            $0.offset > 1 && $0.offset != card.front && $0.offset != card.back
        }
        addExplanation(extra.map(\.element.value), to: &draft)
        // A picture of the answer beside the question would give it away.
        media.note(back, in: &draft)
        if let lettered = LetteredOptions(draft.stem) {
            return readOptions(lettered, back.text, draft, key, note, card)
        }
        add(answer: back.text, from: answers[Self.kind(note, card)], to: draft, key)
    }

    /// Reads a card with its options on the front and their letter, with an explanation or not, on
    /// the back.
    private mutating func readOptions(
        _ lettered: LetteredOptions, _ back: String, _ card: QuestionDraft, _ key: CardKey,
        _ note: Note, _ kind: NoteModel.Card
    ) {
        var draft = card
        let lines = back.split(separator: "\n", maxSplits: 1).map { String($0).trimmed }
        let answer = lettered.answer(Self.key(back))
        guard !answer.fit.isEmpty else {
            // A back with words of its own answers a front that only lists something.
            guard back.count <= 3 else {
                return add(answer: back, from: answers[Self.kind(note, kind)], to: draft, key)
            }
            return result.skip(
                draft.place, .keyUnknown,
                "its back \"\(back)\" names none of the options on its front")
        }
        if let line = lettered.swallowed {
            return result.skip(draft.place, LetteredOptions.swallowed(line))
        }
        let right: [Int]
        switch keys.right(answer) {
        case .failure(let reason): return result.skip(draft.place, reason)
        case .success(let found): right = found
        }
        draft.stem = lettered.stem
        draft.options = lettered.options.enumerated().map {
            .init(text: $1, isRight: right.contains($0))
        }
        draft.hadLetters = true
        draft.chooseTypeByKey()
        let reason = lines.count > 1 ? lines[1] : ""
        draft.explanation = [reason, draft.explanation ?? ""].filter { !$0.isEmpty }
            .joined(separator: "\n")
        append(draft, key)
    }

    private mutating func readClozes(_ note: Note, _ index: Int) {
        let clozes = ClozeText.questions(in: note.fields.first?.value ?? "", max: Self.gapsMax + 1)
        guard !clozes.isEmpty else {
            return result.skip(note.place, .optionsMissing, "the note has no gap")
        }
        guard clozes.count <= Self.gapsMax else {
            return result.skip(note.place, .limit, "the note has more than \(Self.gapsMax) gaps")
        }
        for (order, cloze) in clozes.enumerated() {
            var draft = base(note, stem: cloze.stem)
            if order > 0 { draft.name = nil }
            for hidden in cloze.hidden { media.note(hidden, in: &draft) }
            addExplanation(note.fields.dropFirst().map(\.value), to: &draft)
            let key = CardKey(note: index, ordinal: cloze.number - 1)
            add(answer: cloze.answer, from: answers[note.model], to: draft, key)
        }
    }

    /// Makes an explanation of the other fields of a note.
    private func addExplanation(_ fields: [String], to draft: inout QuestionDraft) {
        let contents = fields.map { MarkupText($0, readsTeX: true) }
        for content in contents { media.note(content, in: &draft) }
        draft.explanation = contents.map { FlashcardMedia.withoutSounds($0.text) }
            .filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func base(_ note: Note, stem: String) -> QuestionDraft {
        let content = MarkupText(stem, readsTeX: true)
        var draft = QuestionDraft(
            place: note.place, type: .singleChoice, stem: FlashcardMedia.withoutSounds(content.text)
        )
        draft.name = "anki-" + Checksum(of: Array(note.guid.utf8)).hex.prefix(12)
        draft.tags = note.tags
        media.show(content, in: &draft)
        return draft
    }

    /// Adds wrong answers from other notes, chosen by the question's own checksum.
    private mutating func add(
        answer: String, from pool: AnswerPool?, to card: QuestionDraft, _ key: CardKey
    ) {
        var draft = card
        let answer = FlashcardMedia.withoutSounds(answer)
        let others = pool?.others(than: answer, for: draft.stem) ?? []
        guard !others.isEmpty, !answer.isEmpty else {
            return result.skip(
                draft.place, .optionsMissing,
                "there is no other answer in the deck that could be a wrong one")
        }
        draft.options = [.init(text: answer, isRight: true)] + others.map { .init(text: $0) }
        draft.note(.cards, "its wrong answers are the backs of other notes")
        append(draft, key)
    }
}

extension FlashcardDeck.Note {
    /// Returns the front of a card, in HTML.
    fileprivate func front(_ card: NoteModel.Card) -> String {
        card.template.map { CardTemplate.filled($0, fields) } ?? fields[card.front].value
    }

    /// Returns whether the note has a card: its fields exist, and the front and the fields that it
    /// requires are not empty.
    fileprivate func has(_ card: NoteModel.Card) -> Bool {
        let needed = [card.front] + card.required
        return fields.indices.contains(card.back)
            && needed.allSatisfy { fields.indices.contains($0) && !fields[$0].value.isEmpty }
    }
}
