import ContentModel
import Foundation
import GRDB

/// A reader of Anki's deck packages: `collection.anki2`, `collection.anki21` and
/// `collection.anki21b`.
enum AnkiReader {
    static func read(_ bytes: [UInt8], file: String) throws(ImportError) -> ImportedDrafts {
        let archive = try ZipArchive(bytes, file: file)
        let collection = try collection(archive, file: file)
        let media = AnkiMedia.files(archive)
        var deck: FlashcardDeck
        let history: [AnkiCollection.Review]
        do {
            let opened = try AnkiCollection(collection)
            deck = FlashcardDeck(try opened.notes(), media: media)
            history = try opened.reviews()
        } catch let error as ImportError {
            throw error
        } catch {
            throw ImportError(file, .unreadable, "has a collection that cannot be read (\(error))")
        }
        var result = deck.result
        for entry in archive.refused {
            result.note(entry.name, .entryUnread, "left out: \(entry.reason)")
        }
        result.reviews = history.compactMap { review in
            let key = FlashcardDeck.CardKey(note: review.note, ordinal: review.card)
            return deck.draftOfCard[key].map {
                ($0, review.rating, review.seconds, review.timeTaken)
            }
        }
        return result
    }

    /// Returns the newest collection; in new packages the old one only says that Anki is too old.
    private static func collection(
        _ archive: ZipArchive, file: String
    ) throws(ImportError) -> [UInt8] {
        if let packed = archive.files["collection.anki21b"] {
            guard let bytes = Zstandard.decompressed(packed) else {
                throw ImportError(file, .unreadable, "has a damaged collection.anki21b")
            }
            return bytes
        }
        guard let bytes = archive.files["collection.anki21"] ?? archive.files["collection.anki2"]
        else {
            throw ImportError(
                file, .format, "is no Anki package: it has no collection\(archive.whyMissing)")
        }
        return bytes
    }
}

/// The SQLite database of a collection, a copy that is treated as untrusted.
private struct AnkiCollection {
    /// A past answer to a card.
    struct Review {
        var note: Int
        /// The number of the card's template or gap, from 0.
        var card: Int
        var rating: Int
        var seconds: Double
        var timeTaken: Double
    }

    /// The end of the year 9999, in milliseconds since 1970.
    private static let lastMilliseconds = 253_402_300_799_999.0

    private let database: DatabaseQueue
    private let noteIDs: [Int64]

    init(_ bytes: [UInt8]) throws {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "underway-import-\(UUID().uuidString).sqlite")
        try Data(bytes).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            // An untrusted database may contain views and triggers that call functions.
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            database.add(collation: DatabaseCollation("unicase") { $0.compare($1) })
        }
        let file = try DatabaseQueue(path: url.path, configuration: configuration)
        // Everything is read into memory, so that the file can be removed at once.
        database = try DatabaseQueue(configuration: configuration)
        try file.backup(to: database)
        try database.read(Self.checkTables)
        noteIDs = try database.read {
            try Int64.fetchAll(
                $0, sql: "SELECT ifnull(CAST(id AS INTEGER), 0) FROM notes ORDER BY id LIMIT 100001"
            )
        }
        guard noteIDs.count <= 100_000 else {
            throw ImportError("the collection", .limit, "has more than 100000 notes")
        }
    }

    /// Refuses a collection whose names are not plain tables: a view can run for ever, and a generated column can be of
    /// any size.
    private static func checkTables(_ database: Database) throws {
        let names = ["notes", "cards", "revlog", "col", "notetypes", "fields", "templates"]
        for name in names {
            let row = try Row.fetchOne(
                database, sql: "SELECT type, sql FROM sqlite_master WHERE lower(name) = ?",
                arguments: [name])
            guard let row else { continue }
            let isTable = text(row["type"]) == "table"
            let isVirtual = text(row["sql"]).uppercased().hasPrefix("CREATE VIRTUAL")
            let generated = try Bool.fetchOne(
                database,
                sql: "SELECT EXISTS (SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden > 1)",
                arguments: [name])
            guard isTable, !isVirtual, generated == false else {
                throw ImportError(
                    "the collection", .unreadable, "has \"\(name)\" as something else than a table")
            }
        }
    }

    func notes() throws -> [FlashcardDeck.Note] {
        try database.read { database in
            let models = try Self.models(database)
            let rows = try Row.fetchCursor(
                database, sql: "SELECT id, guid, mid, tags, flds FROM notes ORDER BY id")
            var notes: [FlashcardDeck.Note] = []
            while let row = try rows.next() {
                notes.append(Self.note(row, models))
            }
            return notes
        }
    }

    private static func note(_ row: Row, _ models: [Int64: NoteModel]) -> FlashcardDeck.Note {
        let id = text(row["id"])
        let model = models[Int64(text(row["mid"])) ?? 0]
        let values = text(row["flds"]).split(separator: "\u{1F}", omittingEmptySubsequences: false)
        return FlashcardDeck.Note(
            place: "note \(id)", guid: text(row["guid"]), model: model?.name ?? "",
            isCloze: model?.isCloze ?? false, cards: model?.cards ?? [.first],
            fields: values.enumerated().map { index, value in
                let names = model?.fields ?? []
                return (names.indices.contains(index) ? names[index] : "", String(value))
            },
            tags: text(row["tags"]).split(separator: " ").map(String.init))
    }

    /// Returns any value as text: columns of an untrusted file may have any type.
    private static func text(_ value: DatabaseValue) -> String {
        switch value.storage {
        case .string(let text): text
        case .int64(let number): String(number)
        case .double(let number): String(number)
        case .blob(let data): String(decoding: data, as: UTF8.self)
        case .null: ""
        }
    }

    /// Returns the kinds of notes, from tables in new collections and from JSON in old ones.
    private static func models(_ database: Database) throws -> [Int64: NoteModel] {
        var models: [Int64: NoteModel] = [:]
        if try database.tableExists("notetypes") {
            for row in try Row.fetchAll(database, sql: "SELECT id, name, config FROM notetypes") {
                guard let id = Int64(text(row["id"])) else { continue }
                let fields = try Row.fetchAll(
                    database, sql: "SELECT name FROM fields WHERE ntid = ? ORDER BY ord",
                    arguments: [id])
                models[id] = NoteModel(
                    name: text(row["name"]), isCloze: isCloze(row["config"]),
                    fields: fields.map { text($0["name"]) },
                    templates: try templates(id, database))
            }
            return models
        }
        guard let row = try Row.fetchOne(database, sql: "SELECT models FROM col") else {
            return [:]
        }
        let root = try JSONParser.parse(Array(text(row["models"]).utf8))
        guard case .object(let members) = root.content else { return [:] }
        for member in members {
            if let id = Int64(member.key) { models[id] = NoteModel(member.value.value) }
        }
        return models
    }

    /// Returns the sides of a kind's templates: fields 1 and 2 of their message.
    private static func templates(
        _ id: Int64, _ database: Database
    ) throws -> [(front: String, back: String)] {
        guard try database.tableExists("templates") else { return [] }
        let rows = try Row.fetchAll(
            database, sql: "SELECT config FROM templates WHERE ntid = ? ORDER BY ord",
            arguments: [id])
        return rows.map { row in
            guard case .blob(let data) = (row["config"] as DatabaseValue).storage else {
                return ("", "")
            }
            let sides = ProtobufReader.fields([UInt8](data)[...])
            let side = { (number: Int) in
                sides.first { $0.number == number }.map {
                    String(decoding: $0.bytes, as: UTF8.self)
                } ?? ""
            }
            return (side(1), side(2))
        }
    }

    /// Returns whether the first field of the message (kind) is 1, for cloze; for others it is
    /// missing.
    private static func isCloze(_ value: DatabaseValue) -> Bool {
        guard case .blob(let data) = value.storage else { return false }
        return data.starts(with: [0x08, 0x01])
    }

    func reviews() throws -> [Review] {
        let numbers = Dictionary(
            noteIDs.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        return try database.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT revlog.id, revlog.ease, revlog.time, cards.nid, cards.ord FROM revlog
                    JOIN cards ON cards.id = revlog.cid
                    WHERE revlog.ease BETWEEN 1 AND 4
                    ORDER BY revlog.id LIMIT 5000000
                    """)
            return rows.compactMap { row in
                guard let note = Int64(Self.text(row["nid"])).flatMap({ numbers[$0] }),
                    let card = Int(Self.text(row["ord"])),
                    let rating = Int(Self.text(row["ease"])),
                    let milliseconds = Double(Self.text(row["id"])),
                    (1...Self.lastMilliseconds).contains(milliseconds)
                else { return nil }
                let time = Double(Self.text(row["time"])) ?? 0
                return Review(
                    note: note, card: card, rating: rating, seconds: milliseconds / 1000,
                    timeTaken: min(max(0, time / 1000), 86_400))
            }
        }
    }
}

/// The media of a package, which have numbers for names in the archive.
private enum AnkiMedia {
    static func files(_ archive: ZipArchive) -> [String: [UInt8]] {
        guard let index = archive.files["media"] else { return [:] }
        var files: [String: [UInt8]] = [:]
        var left = ZipArchive.Limits.bytesMax
        for (number, name) in names(index) {
            guard let raw = archive.files["\(number)"] else { continue }
            // New packages compress each file.
            guard raw.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) else {
                files[name] = raw
                continue
            }
            // One that swells as no picture does, or goes beyond the limit of all, is as if it were not there.
            let limit = min(
                ContentLimits.fileBytesMax, left,
                max(1024 * 1024, raw.count * Int(ZipArchive.Limits.ratioMax)))
            let content = Zstandard.decompressed(raw, limit: limit)
            left -= content?.count ?? limit
            files[name] = content
        }
        return files
    }

    private static func names(_ index: [UInt8]) -> [(Int, String)] {
        if index.first == UInt8(ascii: "{") {
            guard let root = try? JSONParser.parse(index), case .object(let members) = root.content
            else { return [] }
            return members.compactMap { member in
                guard case .string(let name) = member.value.content, let number = Int(member.key)
                else { return nil }
                return (number, name)
            }
        }
        guard let message = Zstandard.decompressed(index) else { return [] }
        return protobufNames(message).enumerated().map { ($0.offset, $0.element) }
    }

    /// Returns the names in `MediaEntries`: field 1 is an entry, whose field 1 is the name.
    private static func protobufNames(_ message: [UInt8]) -> [String] {
        ProtobufReader.fields(message[...]).compactMap { field in
            guard field.number == 1 else { return nil }
            let name = ProtobufReader.fields(field.bytes).first { $0.number == 1 }
            return name.map { String(decoding: $0.bytes, as: UTF8.self) }
        }
    }
}

/// A reader of the length-delimited fields of a Protocol Buffers message; others are skipped.
private enum ProtobufReader {
    static func fields(_ message: ArraySlice<UInt8>) -> [(number: Int, bytes: ArraySlice<UInt8>)] {
        var rest = message
        var fields: [(number: Int, bytes: ArraySlice<UInt8>)] = []
        while let tag = number(&rest) {
            switch tag & 7 {
            case 0: _ = number(&rest)
            case 1: rest = rest.dropFirst(8)
            case 2:
                guard let length = number(&rest), length >= 0, length <= rest.count else {
                    return fields
                }
                fields.append((tag >> 3, rest.prefix(length)))
                rest = rest.dropFirst(length)
            case 5: rest = rest.dropFirst(4)
            default: return fields
            }
        }
        return fields
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
        var value = 0
        for shift in stride(from: 0, to: 56, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            value |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }
}
