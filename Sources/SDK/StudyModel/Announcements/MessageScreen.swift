public import Foundation
public import Underway

/// An announcement on the screen.
public struct MessageScreen: Sendable, Hashable, Identifiable {
    /// The target of a message.
    public enum Target: Sendable, Hashable {
        /// A web page, by https.
        case page(URL, host: String)
        /// A page with a newer version of the app.
        case newVersion(URL, host: String)
        /// A message to an address.
        case mail(URL, address: String)
    }

    /// The announcement as the learner sees it.
    public var announcement: ShownAnnouncement
    /// The target; `nil` when the message is only for reading, or has no https or mail address.
    public var target: Target?
    /// The author's title of the button; `nil` for none.
    public var buttonTitle: String?
    /// True when it was shown before, on any device.
    public var isSeen: Bool
    /// The bytes of its picture; `nil` without one, and if this device does not have it.
    public var picture: [UInt8]?

    /// The announcement's identifier.
    public var id: Int { announcement.identifier }

    init(_ announcement: ShownAnnouncement, isSeen: Bool) {
        self.announcement = announcement
        self.isSeen = isSeen
        target = Target(announcement.action)
        let title = announcement.actionTitle?.trimmingCharacters(in: .whitespacesAndNewlines)
        buttonTitle = title.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension MessageScreen.Target {
    /// Creates the target of an action; `nil` for none, and for an address that is neither https nor mail.
    public init?(_ action: ShownAnnouncement.Action) {
        switch action {
        case .open(let address):
            guard let (url, host) = Self.page(address) else { return nil }
            self = .page(url, host: host)
        case .update(let address):
            guard let (url, host) = address.flatMap(Self.page) else { return nil }
            self = .newVersion(url, host: host)
        case .mail(let address):
            guard let (url, name) = Self.mail(address) else { return nil }
            self = .mail(url, address: name)
        case .none, .alreadyUpdated, .subscribe, .alreadySubscribed: return nil
        }
    }

    /// The address to open.
    public var url: URL {
        switch self {
        case .page(let url, _), .newVersion(let url, _), .mail(let url, _): url
        }
    }

    private static func page(_ text: String) -> (URL, String)? {
        // A user before the host would make another host look like the target.
        guard let url = url(text), url.scheme?.lowercased() == "https", url.user == nil,
            url.password == nil, let host = url.host(), !host.isEmpty
        else { return nil }
        return (url, host)
    }

    private static func mail(_ text: String) -> (URL, String)? {
        let isAddress = !text.lowercased().hasPrefix("mailto:")
        guard let url = url(isAddress ? "mailto:" + text : text),
            let components = URLComponents(url: url, resolvingAgainstBaseURL: false)
        else { return nil }
        let parts = components.path.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        return (url, components.path)
    }

    private static func url(_ text: String) -> URL? {
        // Control characters and spaces would end a header or hide a part of the address.
        let isPlain = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
        return isPlain ? URL(string: text) : nil
    }
}
