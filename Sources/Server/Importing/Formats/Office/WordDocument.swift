/// The lines of a document of Word (ECMA-376, part 1, 17).
struct WordDocument {
    /// A paragraph under construction: its characters, and how each is shown.
    private struct Characters {
        var characters: [(character: Character, marks: Set<OutlineLine.Mark>, script: String?)] = []
        var images: [String] = []
        var problem: SkipReason?
    }

    private(set) var lines: [OutlineLine] = []
    private(set) var media: [String: [UInt8]] = [:]
    /// The tables that a header names as questions.
    private(set) var tables: [Workbook.Sheet] = []
    /// The texts of the cells of all other tables, which also are lines.
    private(set) var cells: [String] = []
    /// The images that no line shows, with their places.
    private(set) var notes: [ImportResult.Note] = []
    /// The number of deleted and of inserted parts.
    private(set) var revisions = (deleted: 0, inserted: 0)
    /// The bytes of the text.
    let text: [UInt8]
    private let package: OfficePackage
    private var relations: [String: OfficePackage.Relationship] = [:]
    private var numbering: WordNumbering
    private var paragraphCount = 0

    /// Reads a document.
    ///
    /// - Throws: `ImportError` for a part that is missing or broken, and for one beyond the limits.
    init(_ bytes: [UInt8], file: String, settings: ImportSettings) throws(ImportError) {
        package = try OfficePackage(bytes, file: file)
        let main = try package.mainPart(else: "word/document.xml")
        guard let root = try package.part(main), let body = root.child("body") else {
            throw ImportError(file, .format, "is no document of Word: it has no text")
        }
        text = package.bytes(main) ?? []
        relations = try package.relationships(of: main)
        numbering = try WordNumbering(package, relations, main: main)
        readBlocks(body, settings)
    }

    private mutating func readBlocks(_ element: XMLElement, _ settings: ImportSettings) {
        for child in element.children {
            switch child.name {
            case "p": readParagraph(child)
            case "tbl": readTable(child, settings)
            case "sdt": if let content = child.child("sdtContent") { readBlocks(content, settings) }
            case "ins", "moveTo", "customXml", "smartTag": readBlocks(child, settings)
            default: break
            }
        }
    }

    // MARK: Tables

    private mutating func readTable(_ table: XMLElement, _ settings: ImportSettings) {
        let rows = table.children.filter { $0.name == "tr" }
        let cells = rows.map { $0.children.filter { $0.name == "tc" } }
        var sheet = Workbook.Sheet(name: "", path: "")
        sheet.name = "table at paragraph \(paragraphCount + 1)"
        let noteCount = notes.count
        for (index, row) in cells.enumerated() {
            let place = "\(sheet.name), row \(index + 1)"
            var added = Workbook.Row(number: index + 1)
            for (column, cell) in row.prefix(CellReference.columnsMax).enumerated() {
                let text = cell.all("p").map { plain($0, at: place) }.joined(separator: "\n")
                    .trimmed
                if !text.isEmpty { added.cells[column] = text }
            }
            if !added.cells.isEmpty { sheet.rows.append(added) }
        }
        if WorkbookTable(sheet, settings) != nil {
            paragraphCount += table.all("p").count
            tables.append(sheet)
        } else {
            // Its paragraphs are read as lines, with what they show.
            notes.removeSubrange(noteCount...)
            self.cells += sheet.rows.flatMap { row in
                row.cells.sorted { $0.key < $1.key }.map(\.value)
            }
            for cell in cells.joined() { readBlocks(cell, settings) }
        }
    }

    private mutating func note(_ problem: SkipReason?, _ place: String) {
        guard let problem else { return }
        notes.append(.init(place: place, code: problem.code, message: problem.text))
    }

    private mutating func plain(_ paragraph: XMLElement, at place: String) -> String {
        var characters = Characters()
        read(paragraph, into: &characters)
        note(characters.problem, place)
        if !characters.images.isEmpty {
            note(SkipReason(.mediaLost, "the image in a table is not kept"), place)
        }
        return Self.text(characters.characters[...])
    }

    // MARK: Paragraphs

    private mutating func readParagraph(_ paragraph: XMLElement) {
        paragraphCount += 1
        var characters = Characters()
        read(paragraph, into: &characters)
        let whole = characters.characters
        var line = OutlineLine(String(whole.map(\.character)), number: paragraphCount)
        line.isHeading = numbering.isHeading(paragraph)
        line.item = line.isHeading ? nil : numbering.item(paragraph)
        line.images = characters.images
        line.problem = characters.problem
        let taken = line.takeTypedBullet(readsStars: true)
        guard !line.text.isEmpty || !line.images.isEmpty else {
            note(line.problem, "paragraph \(paragraphCount)")
            return
        }
        let rest = whole.dropFirst(taken)
        let seen = rest.filter { !$0.character.isWhitespace && $0.character != "*" }
        let marks = seen.reduce(seen.first?.marks ?? []) { $0.intersection($1.marks) }
        line.marks.formUnion(marks)
        if line.isHeading { line.marks = [] }
        if line.starred != nil {
            line.starred = Self.text(whole.first?.character == "*" ? whole[...] : rest)
        }
        line.text = Self.text(rest)
        if line.marks.contains(.star), line.text.last == "*" {
            line.text = String(line.text.dropLast()).trimmed
        }
        lines.append(line)
    }

    /// Returns characters as text, raised and lowered ones as other readers give them.
    private static func text(
        _ characters: ArraySlice<
            (character: Character, marks: Set<OutlineLine.Mark>, script: String?)
        >
    ) -> String {
        guard characters.contains(where: { $0.script != nil }) else {
            return String(characters.map(\.character)).trimmed
        }
        var html = ""
        var open: String?
        for (character, _, script) in characters {
            if script != open {
                html += (open.map { "</\($0)>" } ?? "") + (script.map { "<\($0)>" } ?? "")
                open = script
            }
            html += character == "\n" ? "<br>" : XMLElement.escaped(String(character))
        }
        return MarkupText(html + (open.map { "</\($0)>" } ?? "")).text.trimmed
    }

    private mutating func read(_ element: XMLElement, into result: inout Characters) {
        for child in element.children {
            switch child.name {
            case "r": readRun(child, into: &result)
            case "del", "moveFrom": revisions.deleted += 1
            case "ins", "moveTo":
                revisions.inserted += 1
                read(child, into: &result)
            case "hyperlink", "smartTag", "fldSimple", "customXml", "sdtContent":
                read(child, into: &result)
            case "sdt": if let content = child.child("sdtContent") { read(content, into: &result) }
            case "oMath", "oMathPara":
                result.problem = SkipReason(
                    .unreadable, "it has a formula of Word, which is not read")
            default: break
            }
        }
    }

    private mutating func readRun(_ run: XMLElement, into result: inout Characters) {
        let format = run.child("rPr")
        guard !Self.isOn(format?.child("vanish")) else { return }
        var marks: Set<OutlineLine.Mark> = []
        if Self.isOn(format?.child("b")) { marks.insert(.bold) }
        if let colour = format?.child("highlight")?.attributes["val"], colour != "none" {
            marks.insert(.highlight)
        }
        if let colour = format?.child("color")?.attributes["val"]?.lowercased(),
            !["auto", "000000"].contains(colour)
        {
            marks.insert(.colour)
        }
        let script = format?.child("vertAlign")?.attributes["val"].flatMap {
            ["superscript": "sup", "subscript": "sub"][$0]
        }
        for part in run.children {
            let text: String
            switch part.name {
            case "t": text = part.text
            case "tab": text = " "
            case "br", "cr": text = "\n"
            case "noBreakHyphen": text = "-"
            case "drawing", "pict":
                readImages(part, into: &result)
                continue
            default: continue
            }
            result.characters += text.map { ($0, marks, script) }
        }
    }

    private static func isOn(_ element: XMLElement?) -> Bool {
        element.map { !["0", "false", "off"].contains($0.attributes["val"] ?? "1") } ?? false
    }

    private mutating func readImages(_ drawing: XMLElement, into result: inout Characters) {
        let ids =
            drawing.all("blip").compactMap { $0.attributes["embed"] }
            + drawing.all("imagedata").compactMap { $0.attributes["id"] }
        for id in ids {
            guard let path = relations[id]?.target, let bytes = package.bytes(path) else {
                result.problem = SkipReason(
                    .missing, "it shows an image that is not in the file")
                continue
            }
            let name = OfficePackage.mediaName(path, bytes)
            media[name] = bytes
            result.images.append(name)
        }
    }
}

/// The numbers and headings of the paragraphs of a document of Word.
struct WordNumbering {
    /// The formats of the levels of each list, by its id.
    private var levels: [String: [Int: String]] = [:]
    /// The list and the level that styles give.
    private var styles: [String: (list: String, level: Int)] = [:]
    private var headings: Set<String> = []

    init(
        _ package: OfficePackage, _ relations: [String: OfficePackage.Relationship], main: String
    ) throws(ImportError) {
        let folder = main.split(separator: "/").dropLast().joined(separator: "/")
        func path(_ kind: String) -> String {
            relations.values.first { $0.kind == kind }?.target ?? "\(folder)/\(kind).xml"
        }
        if let root = try package.part(path("numbering")) { readLists(root) }
        for style in try package.part(path("styles"))?.children ?? [] where style.name == "style" {
            guard let id = style.attributes["styleId"], let format = style.child("pPr") else {
                continue
            }
            if format.child("outlineLvl") != nil { headings.insert(id) }
            if let list = format.child("numPr")?.child("numId")?.attributes["val"] {
                let level = format.child("numPr")?.child("ilvl")?.attributes["val"].flatMap {
                    Int($0)
                }
                styles[id] = (list, level ?? 0)
            }
        }
    }

    private mutating func readLists(_ root: XMLElement) {
        var formats: [String: [Int: String]] = [:]
        func read(_ level: XMLElement, into levels: inout [Int: String]) {
            guard let number = level.attributes["ilvl"].flatMap({ Int($0) }) else { return }
            levels[number] = level.child("numFmt")?.attributes["val"]
        }
        for list in root.children where list.name == "abstractNum" {
            guard let id = list.attributes["abstractNumId"] else { continue }
            for level in list.children where level.name == "lvl" {
                read(level, into: &formats[id, default: [:]])
            }
        }
        for list in root.children where list.name == "num" {
            guard let id = list.attributes["numId"],
                let base = list.child("abstractNumId")?.attributes["val"]
            else { continue }
            var own = formats[base] ?? [:]
            for change in list.children where change.name == "lvlOverride" {
                if let level = change.child("lvl") { read(level, into: &own) }
            }
            levels[id] = own
        }
    }

    /// Returns whether a paragraph is a heading.
    func isHeading(_ paragraph: XMLElement) -> Bool {
        let format = paragraph.child("pPr")
        if format?.child("outlineLvl") != nil { return true }
        guard let style = format?.child("pStyle")?.attributes["val"] else { return false }
        return headings.contains(style) || style.lowercased().hasPrefix("heading")
            || style == "Title"
    }

    /// Returns the bullet and the level of a paragraph; `nil` for one outside of lists.
    func item(_ paragraph: XMLElement) -> (bullet: OutlineLine.Bullet, level: Int)? {
        let format = paragraph.child("pPr")
        let own = format?.child("numPr")
        let style = format?.child("pStyle")?.attributes["val"].flatMap { styles[$0] }
        guard let list = own?.child("numId")?.attributes["val"] ?? style?.list, list != "0" else {
            return nil
        }
        let level = own?.child("ilvl")?.attributes["val"].flatMap { Int($0) } ?? style?.level ?? 0
        switch levels[list]?[level] ?? "bullet" {
        case "bullet", "none": return (.dot, level)
        case let name where name.hasSuffix("Letter"): return (.letter(nil), level)
        default: return (.number(nil), level)
        }
    }
}
