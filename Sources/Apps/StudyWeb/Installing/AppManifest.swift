import PageRendering
import StudyModel
import Underway

/// The description by which a browser installs the study app (W3C, Web Application Manifest): its name, icons, colours
/// and first page, in the learner's language.
struct AppManifest {
    /// An icon of the app.
    struct Icon {
        /// The name among the app's files.
        var name: String
        /// The width and height in pixels; `any` for a drawing.
        var sizes: String
        /// The media type.
        var type: String
        /// `any`, or `maskable` for one whose middle four fifths are enough for the system's shape.
        var purpose = "any"
    }

    /// The address of the description.
    static let path = "/app.webmanifest"
    /// The media type (W3C, Web Application Manifest, section 4.2).
    static let type = "application/manifest+json"
    /// The icons; the first that suits is used.
    static let icons = [
        Icon(name: "icon.svg", sizes: "any", type: "image/svg+xml"),
        Icon(name: "icon-192.png", sizes: "192x192", type: "image/png"),
        Icon(name: "icon-512.png", sizes: "512x512", type: "image/png"),
        Icon(
            name: "icon-maskable-512.png", sizes: "512x512", type: "image/png",
            purpose: "maskable"),
    ]
    /// The pages that the system offers beside the app's icon.
    private static let shortcuts = [Section.today, .library, .progress]

    /// The words of the learner's language.
    let words: StudyText
    /// The path of the app's files.
    let files: String
    /// The number in the addresses of the app's files.
    let version: String

    /// The description as JSON.
    var json: JSONValue {
        [
            "id": "/", "start_url": "/", "scope": "/", "display": "standalone",
            "name": .string(words["app.name"]), "short_name": .string(words["app.name"]),
            "lang": .string(words.language), "dir": .string(words.isRightToLeft ? "rtl" : "ltr"),
            "theme_color": .string(ThemeColor.light), "background_color": .string(ThemeColor.light),
            "icons": .array(Self.icons.map(json)),
            "shortcuts": .array(
                Self.shortcuts.map { section in
                    [
                        "name": .string(words["nav.\(section.rawValue)"]),
                        "url": .string(section.path),
                    ]
                }),
        ]
    }

    private func json(_ icon: Icon) -> JSONValue {
        [
            "src": .string("\(files)/\(icon.name)?\(version)"), "sizes": .string(icon.sizes),
            "type": .string(icon.type), "purpose": .string(icon.purpose),
        ]
    }
}
