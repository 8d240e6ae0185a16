import Accounts
import HTTPTypes
import Hummingbird
import PageRendering

/// The parts that all pages of the desk have around their own, under the names of the templates.
struct DeskFrame {
    /// A group of the navigation.
    struct Group {
        var title: String
        var items: [Item]
    }

    /// An entry of the navigation.
    struct Item {
        var href: String
        var icon: String
        var title: String
        var isCurrent: Bool
        var badge: Badge?
    }

    /// The number of what waits behind an entry.
    struct Badge {
        var count: String
        var words: String
    }

    /// The result of an action.
    struct Toast {
        var sentence: String
    }

    /// The signed-in user.
    struct Person {
        var name: String
        var roles: String
        /// True on the page of the own account.
        var isCurrent: Bool
    }

    var lang = "en"
    var dir = "ltr"
    var theme: String
    var letterKeys = ""
    var title: String
    var appName = "Underway"
    var navName = "Desk"
    var groups: [Group]
    var person: Person?
    /// True with navigation.
    var isSignedIn: Bool
    var toast: Toast?
    var csrf: String
    var version: String
    var files = DeskApp.prefix + "/files"
    var home = DeskApp.prefix
    var styles = ["charts.css", "desk.css"]
    var scripts = ["desk.js"]
    /// The words that shared templates use, nested by the dots of their keys.
    var t: [String: Any] = [
        "app": [
            "skip": "Skip to content", "tryAgain": "Try again", "loading": "One moment",
            "showTable": "Show as table", "details": "Details", "dismiss": "Dismiss",
        ],
        "errors": [
            "appStopped": "The server does not answer. Nothing is lost. Try again in a moment."
        ],
    ]
    /// The page's own values.
    var page: Any
}

/// The pages of the navigation.
enum DeskSection: String, CaseIterable, Sendable {
    case questions, announcements, assets, `import`
    case publish, releases
    case proposals, reports
    case accounts, audit

    var path: String { "\(DeskApp.prefix)/\(rawValue)" }

    var title: String {
        self == .audit ? "Audit log" : rawValue.prefix(1).uppercased() + rawValue.dropFirst()
    }

    var icon: String {
        switch self {
        case .questions: "document"
        case .announcements: "megaphone"
        case .assets: "box"
        case .import: "download"
        case .publish: "send"
        case .releases: "history"
        case .proposals: "idea"
        case .reports: "flag"
        case .accounts: "people"
        case .audit: "list"
        }
    }

    /// The access to the page.
    var access: DeskAccess {
        switch self {
        case .questions, .publish, .proposals, .reports: .roles([.author, .publisher])
        case .announcements, .assets, .import: .roles([.author])
        case .releases: .anyRole
        case .accounts, .audit: .roles([.administrator])
        }
    }

    /// The groups of the navigation.
    static let groups: [(title: String, sections: [DeskSection])] = [
        ("Write", [.questions, .announcements, .assets, .import]),
        ("Ship", [.publish, .releases]), ("Improve", [.proposals, .reports]),
        ("Manage", [.accounts, .audit]),
    ]
}

extension DeskApp {
    /// Renders a page inside the navigation.
    ///
    /// - Parameters:
    ///   - template: The name of the page's template.
    ///   - title: The heading, which is the title too.
    ///   - section: The current entry of the navigation.
    ///   - values: The values of the template, under `page`.
    ///   - page: The request.
    ///   - badges: The numbers of what waits, by section.
    ///   - status: The status.
    /// - Returns: The page.
    /// - Throws: `HTTPError` 500 for a template that does not exist.
    func render(
        _ template: String, title: String, in section: DeskSection?, _ values: Any,
        for page: DeskRequest, badges: [DeskSection: Int] = [:],
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let roles = page.user?.roles ?? []
        let groups = DeskSection.groups.map { group in
            DeskFrame.Group(
                title: group.title,
                items: group.sections.filter { $0.access.admits(roles) }.map { entry in
                    let count = badges[entry] ?? 0
                    return DeskFrame.Item(
                        href: entry.path, icon: entry.icon, title: entry.title,
                        isCurrent: entry == section,
                        badge: count > 0
                            ? .init(count: String(count), words: "\(count) waiting") : nil)
                })
        }.filter { !$0.items.isEmpty }
        let theme = DeskCookie.value("desk-theme", of: page.request)
        let frame = DeskFrame(
            theme: ["light", "dark"].contains(theme) ? theme ?? "" : "", title: title,
            groups: page.user == nil ? [] : groups,
            person: page.user.map { user in
                .init(
                    name: user.name,
                    roles: Role.allCases.filter { user.roles.contains($0) }.map(\.rawValue)
                        .joined(separator: ", "), isCurrent: template == "desk_account")
            },
            isSignedIn: page.user != nil,
            toast: page.request.method == .head
                ? nil : page.user.flatMap { toasts.take(for: $0) }.map { .init(sentence: $0) },
            csrf: page.user?.formSecret ?? "", version: String(files.version), page: values)
        return Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: .init(byteBuffer: .init(string: try text(template, frame))))
    }
}
