import Foundation

/// Base64 in the URL-safe alphabet, without padding (RFC 4648, section 5).
enum Base64URL {
    static func text(_ bytes: some DataProtocol) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// Decodes the one canonical spelling; `nil` for any other.
    ///
    /// With padding, the other alphabet or unused bits that are not zero one token would have many
    /// texts, each of which would count as new where tokens are compared or revoked by their text.
    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let text = String(text)
        var padded = text.replacing("-", with: "+").replacing("_", with: "/")
        padded += String(repeating: "=", count: (4 - padded.count % 4) % 4)
        guard let data = Data(base64Encoded: padded), self.text(data) == text else { return nil }
        return [UInt8](data)
    }
}

/// Random text that nobody can guess.
package enum RandomText {
    /// Returns text that encodes a number of random bytes.
    package static func make(bytes: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64URL.text(
            (0..<bytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
}
