import ContentModel
import Foundation

/// A reader of decks as CrowdAnki writes them, with subdecks, and pictures in the folder `media` beside the file.
enum CrowdAnkiReader {
    /// The deepest nesting of decks.
    private static let depthMax = 50

    static func read(
        _ bytes: [UInt8], file: String, pictures: PictureFolder?
    ) throws(ImportError) -> ImportedDrafts {
        let decoded = try DecodedText(bytes, file: file)
        let root: DocumentNode
        do throws(DocumentSyntaxError) {
            root = try JSONParser.parse(Array(decoded.text.utf8))
        } catch {
            throw ImportError(
                file, .syntax, "is not JSON at line \(error.position.line): \(error.message)")
        }
        guard root.member("notes") != nil else {
            throw ImportError(file, .format, "is no CrowdAnki deck: it has no notes")
        }
        var models: [String: NoteModel] = [:]
        collectModels(root, depth: 0, into: &models)
        var notes: [FlashcardDeck.Note] = []
        collectNotes(root, models, depth: 0, into: &notes)
        let media = pictures?.files(pictureNames(notes), under: ["media/", ""]) ?? [:]
        var result = FlashcardDeck(notes, media: media).result
        result.encoding = decoded.encoding
        return result
    }

    /// Returns the pictures that notes show, each once.
    private static func pictureNames(_ notes: [FlashcardDeck.Note]) -> [String] {
        var seen: Set<String> = []
        return notes.lazy.flatMap(\.fields).map(\.value).filter { $0.contains("<") }
            .flatMap { MarkupText($0).images }
            .map { $0.removingPercentEncoding ?? $0 }.filter { seen.insert($0).inserted }
    }

    private static func elements(_ node: DocumentNode, _ name: String) -> [DocumentNode] {
        guard case .array(let values) = node.member(name)?.value.content else { return [] }
        return values
    }

    private static func text(_ node: DocumentNode, _ name: String) -> String {
        guard case .string(let text) = node.member(name)?.value.content else { return "" }
        return text
    }

    private static func collectModels(
        _ deck: DocumentNode, depth: Int, into models: inout [String: NoteModel]
    ) {
        guard depth < depthMax else { return }
        for model in elements(deck, "note_models") {
            models[text(model, "crowdanki_uuid")] = NoteModel(model.value)
        }
        for child in elements(deck, "children") {
            collectModels(child, depth: depth + 1, into: &models)
        }
    }

    private static func collectNotes(
        _ deck: DocumentNode, _ models: [String: NoteModel], depth: Int,
        into notes: inout [FlashcardDeck.Note]
    ) {
        guard depth < depthMax else { return }
        for note in elements(deck, "notes") {
            let model = models[text(note, "note_model_uuid")]
            let values = elements(note, "fields").map { field in
                if case .string(let value) = field.content { value } else { "" }
            }
            let tags = elements(note, "tags").compactMap { tag in
                if case .string(let value) = tag.content { value } else { nil }
            }
            notes.append(
                FlashcardDeck.Note(
                    place: "line \(note.position.line)", guid: text(note, "guid"),
                    model: model?.name ?? "", isCloze: model?.isCloze ?? false,
                    cards: model?.cards ?? [.first],
                    fields: values.enumerated().map { index, value in
                        let names = model?.fields ?? []
                        return (names.indices.contains(index) ? names[index] : "", value)
                    }, tags: tags))
        }
        for child in elements(deck, "children") {
            collectNotes(child, models, depth: depth + 1, into: &notes)
        }
    }
}
