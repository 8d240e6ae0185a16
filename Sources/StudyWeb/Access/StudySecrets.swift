import Foundation

/// The secrets of the study app: whoever has them is the learner.
struct StudySecrets: Sendable {
    /// The token in the printed address, which a browser exchanges for the cookie.
    let token: String
    /// The host name, the cookie and the secret of forms, which the next run may use again.
    let link: BrowserLink

    /// The value of the cookie.
    var cookie: String { link.cookie }
    /// The value that every form sends back.
    var form: String { link.form }

    /// Makes a new token of 256 bits beside a link.
    init(_ link: BrowserLink, using random: inout some RandomNumberGenerator) {
        token = Self.secret(&random)
        self.link = link
    }

    /// Makes a text of 256 random bits.
    static func secret(_ random: inout some RandomNumberGenerator) -> String {
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        return Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Compares two texts in a time that depends on their length alone.
    static func equal(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
