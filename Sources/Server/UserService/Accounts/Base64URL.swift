import Foundation

/// Base64 in the alphabet for addresses, without padding (RFC 4648, section 5).
enum Base64URL {
    static func text(_ bytes: some DataProtocol) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// Returns the bytes of the one spelling that they have; `nil` for any other spelling.
    ///
    /// Padding, the other alphabet and unused bits that are not zero would give one token many
    /// texts, each of which passes as new where tokens are compared or revoked by their text.
    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let text = String(text)
        var padded = text.replacing("-", with: "+").replacing("_", with: "/")
        padded += String(repeating: "=", count: (4 - padded.count % 4) % 4)
        guard let data = Data(base64Encoded: padded), self.text(data) == text else { return nil }
        return [UInt8](data)
    }
}

/// Text that nobody can guess.
enum RandomText {
    static func make(bytes: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64URL.text(
            (0..<bytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
}
