import Foundation

/// The secrets of one run of the study app: whoever has them is the learner.
struct StudySecrets: Sendable {
    /// The token in the printed address, which a browser exchanges for the cookie.
    let token: String
    /// The value of the cookie.
    let cookie: String
    /// The value that every form sends back, so that no page of another origin can send one.
    let form: String

    /// Makes new secrets of 256 bits each.
    init(using random: inout some RandomNumberGenerator) {
        token = Self.secret(&random)
        cookie = Self.secret(&random)
        form = Self.secret(&random)
    }

    private static func secret(_ random: inout some RandomNumberGenerator) -> String {
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
