import Importing

/// The menus about how a file is read: the format first, then what its format leaves open.
struct ImportMenus {
    /// A menu for something that the file decides, unless the author does.
    struct Menu {
        var id: String
        var title: String
        var choices: [EditView.Choice]
    }

    /// A column that the author can name.
    struct Column {
        var id: String
        var title: String
        var value: String
    }

    /// A list of the document that the author can choose.
    struct List {
        var id: String
        var path: String
        /// The count of its entries, and whether it is read.
        var words: String
        var isChosen: Bool
    }

    var menus: [Menu]
    var columns: [Column]
    var lists: [List]
    var hasLists: Bool
    /// True when the format is unknown, so that the menus for it are still missing.
    var isFormatOpen: Bool

    /// Makes the menus.
    ///
    /// - Parameters:
    ///   - request: What the author chose.
    ///   - format: The format; `nil` for an unknown one.
    ///   - profile: What the file decided, for the names of its lists.
    init(_ request: DeskImport.Request, format: ImportFormat?, profile: FileProfile?) {
        func isUsed(_ setting: ImportSetting) -> Bool {
            format != nil && setting.matters(for: format, isFile: request.file != nil)
        }
        let all = Self.settings(request).filter { isUsed($0.setting) }.map(\.menu)
        menus = [Self.format(request)] + all
        columns = isUsed(.columns) ? Self.columns(request) : []
        lists = isUsed(.lists) ? Self.lists(request, profile) : []
        hasLists = !lists.isEmpty
        isFormatOpen = format == nil
    }

    private static func format(_ request: DeskImport.Request) -> Menu {
        menu(
            "format", "Format", ImportFormat.allCases.map { ($0.rawValue, $0.title) },
            request.format?.rawValue)
    }

    private static func settings(
        _ request: DeskImport.Request
    ) -> [(setting: ImportSetting, menu: Menu)] {
        let separators = ["comma", "semicolon", "tab", "bar"].map { ($0, $0) }
        let values = ValueForm.allCases.map { ($0.rawValue, $0.title) }
        return [
            (
                .keys,
                menu(
                    "keys", "Keys are", KeyReading.allCases.map { ($0.rawValue, $0.words) },
                    request.keys?.rawValue)
            ),
            (
                .header,
                menu(
                    "header", "First row", [("yes", "names the columns"), ("no", "is a question")],
                    request.hasHeader.map { $0 ? "yes" : "no" })
            ),
            (.separator, menu("separator", "Separator", separators, request.separator)),
            (
                .letters,
                menu(
                    "letters", "Letters before options",
                    LetterRule.allCases.map { ($0.rawValue, $0.rawValue) },
                    request.letters?.rawValue)
            ),
            (
                .textForm,
                menu(
                    "text-form", "Texts are",
                    SourceTextForm.allCases.map { ($0.rawValue, $0.title) },
                    request.textForm?.rawValue)
            ),
            (.values, menu("values", "Values are", values, request.values?.rawValue)),
            (
                .decimal,
                menu(
                    "decimal", "Decimal sign",
                    DecimalSign.allCases.map { ($0.rawValue, $0.rawValue) },
                    request.decimal?.rawValue)
            ),
            (
                .encoding,
                menu(
                    "encoding", "Encoding", encodings.map { ($0, $0) }, request.encoding?.name)
            ),
        ]
    }

    /// The names of encodings, without second names.
    private static let encodings = TextEncoding.names.filter {
        !["ascii", "us-ascii", "utf8", "latin1"].contains($0)
    }

    private static func columns(_ request: DeskImport.Request) -> [Column] {
        let titles = ["stem": "question", "correct": "key", "explanation": "explanation"]
        return DeskImport.Request.columns.map { name in
            Column(
                id: "column-" + name, title: "Column of the \(titles[name] ?? name)",
                value: request.mapping[name] ?? "")
        }
    }

    /// Returns the lists of a document that has several, and those that the author chose.
    private static func lists(_ request: DeskImport.Request, _ profile: FileProfile?) -> [List] {
        let read = profile?.lists ?? []
        let known = read + (profile?.unreadLists ?? [])
        let missing = request.lists.filter { path in !known.contains { $0.path == path } }
        guard known.count > 1 || !request.lists.isEmpty else { return [] }
        let entries =
            known.map { list in
                let isRead = read.contains { $0.path == list.path }
                return (list.path, "\(list.records), \(isRead ? "read" : "not read")")
            } + missing.map { ($0, "not in the file") }
        return entries.prefix(100).enumerated().map { number, entry in
            List(
                id: "list-\(number)", path: entry.0, words: entry.1,
                isChosen: request.lists.contains(entry.0))
        }
    }

    private static func menu(
        _ id: String, _ title: String, _ values: [(String, String)], _ chosen: String?
    ) -> Menu {
        let open = EditView.Choice(value: "", title: "Find out", isChosen: chosen == nil)
        return Menu(
            id: id, title: title,
            choices: [open]
                + values.map { .init(value: $0.0, title: $0.1, isChosen: $0.0 == chosen) })
    }
}

extension ValueForm {
    /// The coding as people call it.
    var title: String {
        switch self {
        case .asTyped: "as typed"
        case .base64: "base64"
        case .percent: "with percent signs"
        }
    }
}

extension SourceTextForm {
    /// The form as people call it.
    var title: String {
        switch self {
        case .plain: "plain"
        case .html: "HTML"
        }
    }
}
