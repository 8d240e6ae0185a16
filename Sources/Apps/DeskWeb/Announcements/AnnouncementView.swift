import ContentModel

/// The page of one announcement.
struct AnnouncementView {
    var number: Int
    var file: String
    /// The checksum of the file as it is shown.
    var checksum: String
    var path = DeskSection.announcements.path
    var action: String
    /// The languages and buttons of the form, which come back with it.
    var languages: [String]
    var buttons: [String]
    var edit: EditView
    var conflict: EditConflict?
    /// True when another user has saved the file since.
    var isOutdated: Bool
    var preview: AnnouncementPreview?

    init(
        number: Int, file: String, checksum: String, form: AnnouncementForm,
        view: EditView, conflict: EditConflict?, isOutdated: Bool, preview: AnnouncementPreview?
    ) {
        self.number = number
        self.file = file
        self.checksum = checksum
        action = "\(DeskSection.announcements.path)/\(number)"
        (languages, buttons) = (form.languages, form.buttons)
        edit = view
        self.conflict = conflict
        self.isOutdated = isOutdated
        self.preview = preview
    }
}

/// An announcement as a learner sees it, in one language.
struct AnnouncementPreview {
    struct Picture {
        var src: String
        var alt: String
    }

    struct Link {
        var href: String
        var title: String
    }

    struct Later {
        var action: String
        var title = "Not Now"
    }

    /// The context of the shared part.
    struct Sheet {
        var isPreview = true
        var picture: Picture?
        var title: String
        var text: String
        var lang: String
        var `where`: String?
        var link: Link?
        var later: Later
    }

    struct Language {
        var code: String
        var href: String
        var isCurrent: Bool
    }

    var languages: [Language]
    var sheet: Sheet

    /// Makes the preview; `nil` for an announcement that no device could read.
    init?(_ value: JSONValue, language: String, number: Int) {
        let report = DecodingReport(file: "", strictness: .released)
        guard let node = try? JSONParser.parse(value.canonicalBytes),
            let announcement = Announcement.read(node, report: report)
        else { return nil }
        // The oldest app: it sees what asks for an update.
        let audience = AnnouncementAudience(appVersion: "0", languages: [language], now: "")
        guard let shown = audience.shown(announcement) else { return nil }
        let path = "\(DeskSection.announcements.path)/\(number)"
        languages = announcement.texts.keys.sorted().map { code in
            Language(
                code: code, href: "\(path)?preview=\(AssetPages.encoded(code))#preview",
                isCurrent: code == shown.language)
        }
        sheet = Sheet(
            picture: shown.image.map {
                .init(src: AssetPages.picturePath($0), alt: shown.text.imageLabel ?? "")
            },
            title: shown.text.title, text: shown.text.content, lang: shown.language,
            where: Self.place(shown.action),
            link: shown.actionTitle.map { .init(href: "#preview", title: $0) },
            later: .init(action: path + "/preview"))
    }

    private static func place(_ action: ShownAnnouncement.Action) -> String? {
        switch action {
        case .open(let address), .update(let address?): "Opens \(address)"
        case .mail(let address): "Writes to \(address)"
        default: nil
        }
    }
}
