import PageRendering

/// The parts that all pages have around their own, under the names of the templates.
struct PageFrame {
    /// A link.
    struct Link {
        var href: String
        var title: String
    }

    /// A button that sends a form.
    struct Button {
        var action: String
        var title: String
    }

    /// The number of what waits for the learner behind an entry.
    struct Badge {
        var count: String
        var words: String
    }

    /// An entry of the navigation.
    struct Item {
        var href: String
        var icon: String
        var title: String
        var isCurrent: Bool
        var badge: Badge?
    }

    /// The line about the content's freshness.
    struct Freshness {
        struct Progress {
            var name: String
            var value: Int
            var max: Int
        }

        var icon: String
        var sentence: String
        var isOld = false
        /// True while the line changes automatically, so that the script requests it again.
        var isRunning = false
        var progress: Progress?
        var button: Button?
        var link: Link?
    }

    /// A decision that waits.
    struct Banner {
        var tone: String
        var icon: String
        var sentence: String
        var link: Link?
        var button: Button?
    }

    /// The result of an action.
    struct Toast {
        struct Undo {
            var action: String
            var title: String
            var value: String
        }

        var sentence: String
        var undo: Undo?
        /// True for what the page shows already: it is only spoken.
        var isSpokenOnly = false
    }

    var lang: String
    var dir: String
    /// The class of the theme that the learner chose; empty for the system's.
    var theme: String
    /// The colours of the browser's frame.
    var themeColors: [ThemeColor]
    /// The address of the app's description for a browser that installs it.
    var manifest: String
    /// The value of `data-keys`: "off" when the learner switched letters off.
    var letterKeys: String
    /// The address of style, script and icons.
    var files: String
    var title: String
    /// The language of a title that is an author's text; `nil` for words of the interface.
    var titleContent: ContentLanguage?
    var appName: String
    var navName: String
    var items: [Item]
    var freshness: Freshness?
    var banners: [Banner]
    var toast: Toast?
    /// The value of the hidden field of all forms.
    var csrf: String
    /// A number in the addresses of style and script that changes with them.
    var version: String
    /// The words, nested by the dots of their keys.
    var t: [String: Any]
    /// The page's own values.
    var page: Any
}

/// The entries of the navigation.
enum Section: String, CaseIterable, Sendable {
    case today
    case library
    case progress
    case inbox
    case settings

    var path: String { self == .today ? "/" : "/\(rawValue)" }
}
