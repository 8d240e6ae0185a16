public import ContentModel

/// A draft of a new announcement: a file with all fields of its type, the texts in one language, and blanks for the
/// others.
public struct AnnouncementDraft: Sendable {
    /// The type of the announcement.
    public var type: AnnouncementType
    /// The headline in the first language; may be blank.
    public var title = ""
    /// The message in the first language.
    public var content = ""
    /// The title of the action's button in the first language.
    public var button = ""
    /// The target of the button.
    public var link: String?
    /// The asset of its image.
    public var image: String?
    /// The description of the image in the first language.
    public var imageLabel = ""
    /// The start time, RFC 3339 in UTC; `nil` for none.
    public var start: String?
    /// The end time, RFC 3339 in UTC; `nil` for none.
    public var end: String?
    /// The newest app version that shows it; `nil` for any.
    public var maximumAppVersion: String?
    /// The languages of the users who see it; empty for all users.
    public var languages: [String] = []

    /// Creates a draft.
    public init(_ type: AnnouncementType) { self.type = type }

    /// Writes the file into a content folder, under the next free identifier.
    ///
    /// - Parameter folder: The content folder.
    /// - Returns: The path of the file in the folder, and the checker's problems of it.
    /// - Throws: `PublishingError` if the folder is unreadable or the file unwritable.
    public func write(to folder: String) throws -> (path: String, problems: [Problem]) {
        let settings = try settings(of: folder)
        let identifier = try nextIdentifier(in: folder)
        let path = "announcements/\(identifier)-\(type.rawValue).yaml"
        let wanted = languages.isEmpty ? settings.announcementLanguages : languages
        let json = json(identifier: identifier, languages: wanted.isEmpty ? ["en"] : wanted)
        let text = try Self.comment + YAMLText.text(json)
        try Files.makeFolder(folder + "/announcements")
        guard Files.look(folder + "/" + path) == nil else {
            throw PublishingError(.unwritable, "\(path) is there already.")
        }
        try Files.replace(folder + "/" + path, Array(text.utf8))
        let problems = try ContentChecker.check(folder: folder)
        // An overlap is reported in one of the two files and names the other.
        return (path, problems.filter { $0.file == path || $0.message.hasSuffix(path) })
    }

    private func settings(of folder: String) throws -> FolderSettings {
        let report = DecodingReport(file: FolderSettings.fileName, strictness: .authored)
        let settings = try ContentFolder(root: folder).settings(report: report)
        guard let settings, !report.hasErrors else {
            throw PublishingError(
                .contentErrors, "The settings of \(folder) have errors.", problems: report.problems)
        }
        return settings
    }

    /// Returns the largest identifier plus one; unreadable files are ignored here, and `check`
    /// reports them.
    private func nextIdentifier(in folder: String) throws -> Int {
        let path = folder + "/announcements"
        guard Files.look(path) != nil else { return 1 }
        let used = try Files.names(in: path).compactMap { name -> Int? in
            let report = DecodingReport(file: name, strictness: .released)
            let bytes = try Files.read(path + "/" + name)
            guard let node = SourceDocument.parse(bytes, report: report)?.member("identifier"),
                case .integer(let identifier) = node.value.content
            else { return nil }
            return identifier
        }
        let (next, isTooLarge) = (used.max() ?? 0).addingReportingOverflow(1)
        guard !isTooLarge else {
            throw PublishingError(
                .invalidRequest, "The identifier \(Int.max) is used: there is no larger one.")
        }
        return next
    }

    private static let comment =
        "# What is blank is to be filled in: `underway check` names it.\n"

    private func json(identifier: Int, languages: [String]) -> JSONValue {
        let texts = languages.enumerated().map { index, language in
            (language, text(isFirst: index == 0))
        }
        return .compact([
            "identifier": .integer(identifier), "type": .string(type.rawValue),
            "texts": .object(Dictionary(texts, uniquingKeysWith: { $1 })),
            "link": (link ?? blankLink).map { .string($0) }, "image": image.map { .string($0) },
            "start": start.map { .string($0) }, "end": end.map { .string($0) },
            "maximumAppVersion": maximumAppVersion.map { .string($0) },
            "languages": self.languages.isEmpty
                ? nil : .array(self.languages.map { .string($0) }),
        ])
    }

    private var blankLink: String? { type == .website || type == .email ? "" : nil }

    private func text(isFirst: Bool) -> JSONValue {
        .compact([
            "title": .string(isFirst ? title : ""), "content": .string(isFirst ? content : ""),
            "imageLabel": image.map { _ in .string(isFirst ? imageLabel : "") },
            "buttons": type.action.map { [$0: .string(isFirst ? button : "")] },
        ])
    }
}
