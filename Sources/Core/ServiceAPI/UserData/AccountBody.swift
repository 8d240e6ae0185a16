/// The body of a request about an account: an object of texts.
public struct AccountBody {
    private let object: WireObject

    /// Reads a body.
    ///
    /// - Parameter bytes: The body, unpacked.
    /// - Throws: `WireFailure` when it is not an object.
    public init(_ bytes: [UInt8]) throws(WireFailure) {
        object = try WireObject.parse(bytes)
    }

    /// A member that must be there.
    ///
    /// - Parameter key: Its name.
    /// - Returns: At most 8 KiB.
    /// - Throws: `WireFailure`.
    public func text(_ key: String) throws(WireFailure) -> String {
        let text = try object.requiredText(key)
        guard !text.isEmpty, text.utf8.count <= 8 * 1024 else {
            throw WireFailure(key, "is empty or longer than 8 KiB")
        }
        return text
    }
}

extension AccountBody {
    /// What a user is given, as a device reads it.
    public struct Tokens: Sendable, Hashable, Codable {
        /// The account's id.
        public var user: String
        /// Sent with each request.
        public var accessToken: String
        /// Used up once for new tokens.
        public var refreshToken: String

        /// Pairs an account with its tokens.
        public init(user: String, accessToken: String, refreshToken: String) {
            self.user = user
            self.accessToken = accessToken
            self.refreshToken = refreshToken
        }

        /// Reads the answer of the server.
        ///
        /// - Parameter bytes: The body.
        /// - Throws: `WireFailure`.
        public init(_ bytes: [UInt8]) throws(WireFailure) {
            let body = try AccountBody(bytes)
            self.init(
                user: try body.object.id("user"), accessToken: try body.text("access_token"),
                refreshToken: try body.text("refresh_token"))
        }
    }
}
