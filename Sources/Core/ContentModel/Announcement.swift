/// What an announcement is about, and so what its button does.
public enum AnnouncementType: String, Sendable, Hashable, CaseIterable {
    case information
    case website
    case newVersion
    case email
    case purchase
}

/// The words of an announcement in one language.
public struct AnnouncementText: Hashable, Sendable {
    /// The headline, never blank.
    public var title: String
    /// The message, never blank.
    public var content: String
    /// What the image shows, for those who do not see it.
    public var imageLabel: String?
    /// The titles of the buttons, by the app's names for them.
    public var buttons: [String: String]

    /// Words an announcement.
    public init(
        title: String, content: String, imageLabel: String? = nil, buttons: [String: String] = [:]
    ) {
        self.title = title
        self.content = content
        self.imageLabel = imageLabel
        self.buttons = buttons
    }
}

/// A message from the developer to the user, shown once.
public struct Announcement: Hashable, Sendable {
    /// The schema of announcements that this version knows.
    public static let schemaVersion = 1

    /// Unique for ever: a device remembers that it was shown.
    public var identifier: Int
    /// The schema that it needs; an app that knows only older ones ignores it.
    public var schemaVersion: Int
    /// What it is about.
    public var type: AnnouncementType
    /// The words, by language code.
    public var texts: [String: AnnouncementText]
    /// An asset to show.
    public var image: String?
    /// Where the button leads: an address or a mail address.
    public var link: String?
    /// From when it is current, RFC 3339 in UTC; without it from the beginning.
    public var start: String?
    /// Until when it is current, RFC 3339 in UTC; without it for ever.
    public var end: String?
    /// The oldest app version that sees it.
    public var minimumAppVersion: String?
    /// The newest app version that sees it.
    public var maximumAppVersion: String?

    /// Describes an announcement.
    public init(
        identifier: Int, schemaVersion: Int = Announcement.schemaVersion, type: AnnouncementType,
        texts: [String: AnnouncementText], image: String? = nil, link: String? = nil,
        start: String? = nil, end: String? = nil, minimumAppVersion: String? = nil,
        maximumAppVersion: String? = nil
    ) {
        self.identifier = identifier
        self.schemaVersion = schemaVersion
        self.type = type
        self.texts = texts
        self.image = image
        self.link = link
        self.start = start
        self.end = end
        self.minimumAppVersion = minimumAppVersion
        self.maximumAppVersion = maximumAppVersion
    }

    /// The canonical JSON form.
    public var json: JSONValue {
        .compact([
            "identifier": .integer(identifier), "version": .integer(schemaVersion),
            "type": .string(type.rawValue), "texts": .object(texts.mapValues(\.json)),
            "image": image.map { .string($0) }, "link": link.map { .string($0) },
            "start": start.map { .string($0) }, "end": end.map { .string($0) },
            "minimumAppVersion": minimumAppVersion.map { .string($0) },
            "maximumAppVersion": maximumAppVersion.map { .string($0) },
        ])
    }

    /// Reads an announcement and checks what can be said of it alone.
    ///
    /// - Parameters:
    ///   - node: The announcement.
    ///   - languages: Those that each announcement needs words in; from the folder's settings.
    ///   - report: Where problems go.
    /// - Returns: `nil` when it cannot be used; the report says why.
    public static func read(
        _ node: DocumentNode, languages: [String] = [], report: DecodingReport
    ) -> Announcement? {
        let errorsBefore = report.errorCount
        let fields: Set<String> = [
            "identifier", "version", "type", "texts", "image", "link", "start", "end",
            "minimumAppVersion", "maximumAppVersion",
        ]
        guard let reader = ObjectReader(node, fields: fields, report: report) else { return nil }
        let identifier = reader.requiredInteger("identifier")
        let type = reader.requiredNode("type").flatMap { _ in
            reader.value(
                "type",
                "one of " + AnnouncementType.allCases.map(\.rawValue).joined(separator: ", "),
                AnnouncementType.init(rawValue:))
        }
        let texts = readTexts(reader, languages: languages)
        let announcement = Announcement(
            identifier: identifier ?? 0, schemaVersion: reader.integer("version") ?? schemaVersion,
            type: type ?? .information, texts: texts, image: Question.readMediaName(reader),
            link: reader.string("link"), start: readTime(reader, "start"),
            end: readTime(reader, "end"), minimumAppVersion: reader.string("minimumAppVersion"),
            maximumAppVersion: reader.string("maximumAppVersion"))
        return report.errorCount == errorsBefore ? announcement : nil
    }

    private static func readTexts(
        _ reader: ObjectReader, languages: [String]
    ) -> [String: AnnouncementText] {
        guard let node = reader.requiredNode("texts"), let members = reader.memberNodes("texts")
        else { return [:] }
        var texts: [String: AnnouncementText] = [:]
        for member in members { texts[member.key] = readText(member.value, reader.report) }
        for language in languages where !members.contains(where: { $0.key == language }) {
            reader.report.note(
                .announcementUntranslated, at: node.position,
                "there is no text in the language \"\(language)\"")
        }
        return texts
    }

    private static func readText(
        _ node: DocumentNode, _ report: DecodingReport
    ) -> AnnouncementText? {
        let fields: Set<String> = ["title", "content", "imageLabel", "buttons"]
        guard let reader = ObjectReader(node, fields: fields, report: report) else { return nil }
        let title = reader.requiredString("title")
        let content = reader.requiredString("content")
        for text in [title, content] where text?.isBlank == true {
            report.note(.announcementUntranslated, at: node.position, "the text is blank")
        }
        guard let title, let content else { return nil }
        return AnnouncementText(
            title: title, content: content, imageLabel: reader.string("imageLabel"),
            buttons: reader.stringMap("buttons") ?? [:])
    }

    /// Times are compared as text, so they have one form.
    private static func readTime(_ reader: ObjectReader, _ key: String) -> String? {
        reader.value(key, "a time in UTC such as 2026-11-21T10:00:00Z") { text in
            text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) == nil ? nil : text
        }
    }

    /// True when some user could see both at some moment.
    public func competes(with other: Announcement) -> Bool {
        overlaps(start, end, other.start, other.end, by: <)
            && overlaps(
                minimumAppVersion, maximumAppVersion, other.minimumAppVersion,
                other.maximumAppVersion, by: Self.isOlder)
    }

    /// Versions compare number by number: 1.9 is older than 1.10.
    static func isOlder(_ left: String, _ right: String) -> Bool {
        left.compareNumbers(right)
    }

    private func overlaps(
        _ start: String?, _ end: String?, _ otherStart: String?, _ otherEnd: String?,
        by isBefore: (String, String) -> Bool
    ) -> Bool {
        if let end, let otherStart, isBefore(end, otherStart) || end == otherStart { return false }
        if let otherEnd, let start, isBefore(otherEnd, start) || otherEnd == start { return false }
        return true
    }
}

extension AnnouncementText {
    var json: JSONValue {
        .compact([
            "title": .string(title), "content": .string(content),
            "imageLabel": imageLabel.map { .string($0) },
            "buttons": buttons.isEmpty ? nil : .object(buttons.mapValues { .string($0) }),
        ])
    }
}

extension String {
    fileprivate func compareNumbers(_ other: String) -> Bool {
        let numbers = split(separator: ".").map { Int($0) ?? 0 }
        let others = other.split(separator: ".").map { Int($0) ?? 0 }
        let count = max(numbers.count, others.count)
        func padded(_ list: [Int]) -> [Int] {
            list + Array(repeating: 0, count: count - list.count)
        }
        return padded(numbers).lexicographicallyPrecedes(padded(others))
    }
}
