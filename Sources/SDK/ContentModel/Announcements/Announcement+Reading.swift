extension Announcement {
    /// Parses an announcement and checks it separately.
    ///
    /// - Parameters:
    ///   - node: The announcement.
    ///   - languages: The languages in which each announcement needs texts unless it names its own;
    ///     from the folder's settings.
    ///   - report: The report that collects problems.
    /// - Returns: `nil` when it is unusable; the report states the reason.
    package static func read(
        _ node: DocumentNode, languages: [String] = [], report: DecodingReport
    ) -> Announcement? {
        let errorsBefore = report.errorCount
        guard let reader = ObjectReader(node, as: .announcement, report: report) else { return nil }
        let identifier = reader.requiredInteger("identifier")
        let type: AnnouncementType? = reader.requiredNode("type").flatMap { _ in
            reader.value(
                "type", of: .announcementTypes,
                "one of " + report.names(of: .announcementTypes))
        }
        let announcement = Announcement(
            identifier: identifier ?? 0, schemaVersion: reader.integer("version") ?? schemaVersion,
            type: type ?? .information, texts: readTexts(reader),
            image: Question.readMediaName(reader), link: reader.string("link"),
            start: readTime(reader, "start"), end: readTime(reader, "end"),
            minimumAppVersion: reader.string("minimumAppVersion"),
            maximumAppVersion: reader.string("maximumAppVersion"),
            languages: reader.strings("languages"))
        announcement.checkSchema(reader)
        guard report.errorCount == errorsBefore else { return nil }
        // Content that only confuses older apps is for the author to correct, not for the app to
        // reject.
        report.lint {
            AnnouncementCheck(announcement, reader).run(
                languages: announcement.languages ?? languages)
        }
        return report.errorCount == errorsBefore ? announcement : nil
    }

    /// Reports a schema above that of an older version of the app, which shows no such announcement (`AnnouncementAudience`).
    private func checkSchema(_ reader: ObjectReader) {
        guard reader.report.profile != nil,
            schemaVersion > reader.report.limit(.announcementSchema)
        else { return }
        reader.report.note(
            .invalidValue, at: reader.node("version")?.position ?? reader.position,
            "\"version\" is \(schemaVersion), it knows up to"
                + " \(reader.report.limit(.announcementSchema))")
    }

    private static func readTexts(_ reader: ObjectReader) -> [String: AnnouncementText] {
        guard reader.requiredNode("texts") != nil, let members = reader.memberNodes("texts")
        else { return [:] }
        var texts: [String: AnnouncementText] = [:]
        for member in members { texts[member.key] = readText(member.value, reader.report) }
        return texts
    }

    private static func readText(
        _ node: DocumentNode, _ report: DecodingReport
    ) -> AnnouncementText? {
        guard let reader = ObjectReader(node, as: .announcementText, report: report),
            let title = reader.requiredString("title"),
            let content = reader.requiredString("content")
        else { return nil }
        return AnnouncementText(
            title: title, content: content, imageLabel: reader.string("imageLabel"),
            buttons: reader.stringMap("buttons") ?? [:])
    }

    /// Reads a time; times are compared as text, so they have one form.
    private static func readTime(_ reader: ObjectReader, _ key: String) -> String? {
        let time = reader.value(key, "a time in UTC such as 2026-11-21T10:00:00Z") { text in
            text.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z/) == nil
                ? nil : text
        }
        if let time, let node = reader.node(key) {
            reader.report.lint {
                guard !exists(time) else { return }
                reader.report.note(
                    .invalidValue, at: node.position,
                    "\"\(key)\" is \(time), and the calendar has no such time")
            }
        }
        return time
    }

    /// Returns true if a time of this form is in the Gregorian calendar, without leap seconds.
    private static func exists(_ time: String) -> Bool {
        let parts = time.split { !$0.isNumber }.compactMap { Int($0) }
        guard parts.count == 6, (1...12).contains(parts[1]) else { return false }
        let isLeapYear =
            parts[0].isMultiple(of: 4)
            && (!parts[0].isMultiple(of: 100) || parts[0].isMultiple(of: 400))
        let days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...days[parts[1] - 1]).contains(parts[2]) && parts[3] < 24 && parts[4] < 60
            && parts[5] < 60
    }
}

/// The checks of an author's announcement for what a user needs to see.
private struct AnnouncementCheck {
    private let announcement: Announcement
    private let reader: ObjectReader
    private let texts: [DocumentNode.Member]

    init(_ announcement: Announcement, _ reader: ObjectReader) {
        self.announcement = announcement
        self.reader = reader
        texts = reader.memberNodes("texts") ?? []
    }

    func run(languages: [String]) {
        let whole = reader.node("texts")?.position ?? reader.position
        for language in languages where !texts.contains(where: { $0.key == language }) {
            note(
                .announcementUntranslated, whole, "there is no text in the language \"\(language)\""
            )
        }
        let buttons = Set(announcement.texts.values.flatMap(\.buttons.keys))
        for member in texts {
            guard let text = announcement.texts[member.key] else { continue }
            check(text, at: member.value.position, in: member.key, buttons: buttons)
        }
        checkLink()
        if let start = announcement.start, let end = announcement.end, end <= start {
            note(.invalidValue, reader.node("end")?.position ?? whole, "it ends before it starts")
        }
        checkVersions()
        checkLanguages()
    }

    private func checkVersions() {
        if announcement.schemaVersion > Announcement.schemaVersion {
            note(
                .invalidValue, reader.node("version")?.position ?? reader.position,
                "no device shows it: \"version\" is \(announcement.schemaVersion), they know up to"
                    + " \(Announcement.schemaVersion)")
        }
        let (oldest, newest) = (announcement.minimumAppVersion, announcement.maximumAppVersion)
        for (key, version) in [("minimumAppVersion", oldest), ("maximumAppVersion", newest)] {
            guard let version, !AppVersion.isPlain(version) else { continue }
            note(
                .invalidValue, reader.node(key)?.position ?? reader.position,
                "\"\(key)\" must be numbers parted by dots, not \"\(version)\"")
        }
        if let oldest, let newest, AppVersion(newest) < AppVersion(oldest) {
            note(
                .invalidValue, reader.node("minimumAppVersion")?.position ?? reader.position,
                "no app sees it: the oldest version, \(oldest), is above the newest, \(newest)")
        }
    }

    /// Checks the languages; devices compare them without regard to case.
    private func checkLanguages() {
        var seen: [String: String] = [:]
        for member in texts {
            guard let other = seen.updateValue(member.key, forKey: member.key.lowercased()) else {
                continue
            }
            note(
                .invalidValue, member.keyPosition,
                "\"\(other)\" and \"\(member.key)\" are one language to a device")
        }
    }

    private func check(
        _ text: AnnouncementText, at position: SourcePosition, in language: String,
        buttons: Set<String>
    ) {
        if text.title.isBlank || text.content.isBlank
            || text.buttons.values.contains(where: \.isBlank)
        {
            note(.announcementUntranslated, position, "a text in \"\(language)\" is blank")
        }
        if announcement.image != nil, text.imageLabel?.isBlank ?? true {
            note(
                .announcementImageLabel, position,
                "nothing says in \"\(language)\" what the image shows")
        }
        let action = announcement.type.action
        if let action, text.buttons[action] == nil {
            note(
                .announcementAction, position,
                "the button \"\(action)\" of the type \(announcement.type.rawValue) has no title in"
                    + " \"\(language)\"")
        }
        for name in buttons.sorted() where name != action && text.buttons[name] == nil {
            note(
                .announcementUntranslated, position,
                "the button \"\(name)\" has no title in \"\(language)\"")
        }
    }

    private func checkLink() {
        let position = reader.node("link")?.position ?? reader.position
        let link = announcement.link ?? ""
        switch announcement.type {
        case .website where !isAddress(link):
            note(.announcementAction, position, "\"link\" must be an address, https://…")
        case .newVersion where !link.isEmpty && !link.contains("://"):
            note(.announcementAction, position, "\"link\" must be an address")
        case .email where link.wholeMatch(of: /[^\s@:]+@[^\s@:]+\.[^\s@:]+/) == nil:
            note(.announcementAction, position, "\"link\" must be a mail address")
        default: break
        }
    }

    private func isAddress(_ link: String) -> Bool {
        link.wholeMatch(of: /https?:\/\/[^\s\/]+\S*/) != nil
    }

    private func note(_ rule: Rule, _ position: SourcePosition, _ message: String) {
        reader.report.note(rule, at: position, message)
    }
}
