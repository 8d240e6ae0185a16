import Underway

/// The texts of an announcement's buttons.
public struct MessageText: Sendable, Hashable {
    /// The sentence about the target of the message; `nil` without one.
    public var place: String?
    /// The title of the button that opens the target; `nil` without one.
    public var action: String?
    /// The title of the button that closes the message.
    public var later: String

    /// Creates the texts of a message's buttons in a language.
    public init(_ message: MessageScreen, _ words: StudyText) {
        later = words[message.target == nil ? "announcement.ok" : "announcement.notNow"]
        guard let target = message.target else { return }
        let standard: String
        switch target {
        case .page(_, let host):
            place = words.text("app.opensSite", ["site": host])
            standard = "announcement.readOn"
        case .newVersion(_, let host):
            place = words.text("app.opensSite", ["site": host])
            standard = "announcement.getUpdate"
        case .mail(_, let address):
            place = words.text("announcement.opensEmail", ["address": address])
            standard = "announcement.email"
        }
        action = message.buttonTitle ?? words[standard]
    }
}
