/// The body of an account request: an object of texts.
public struct AccountBody {
    private let object: WireObject

    /// Parses a body.
    ///
    /// - Parameter bytes: The decompressed body.
    /// - Throws: `WireError` when it is not an object.
    public init(_ bytes: [UInt8]) throws(WireError) {
        object = try WireObject.parse(bytes)
    }

    /// Returns a required text.
    ///
    /// - Parameter key: The member's name.
    /// - Returns: At most 8 KiB.
    /// - Throws: `WireError` when it is missing, not a text, or too long.
    public func text(_ key: String) throws(WireError) -> String {
        let text = try object.requiredText(key)
        guard !text.isEmpty, text.utf8.count <= 8 * 1024 else {
            throw WireError(key, "is empty or longer than 8 KiB")
        }
        return text
    }

    /// Returns an optional text.
    ///
    /// - Parameter key: The member's name.
    /// - Returns: At most 8 KiB; `nil` when it is missing.
    /// - Throws: `WireError` when it is not a text, or too long.
    public func optionalText(_ key: String) throws(WireError) -> String? {
        object.node(key) == nil ? nil : try text(key)
    }

    /// Returns an optional truth value.
    ///
    /// - Parameter key: The member's name.
    /// - Returns: False when it is missing.
    /// - Throws: `WireError` when it is something else.
    public func flag(_ key: String) throws(WireError) -> Bool {
        try object.flag(key)
    }
}

extension AccountBody {
    /// The tokens of a signed-in user.
    public struct Tokens: Sendable, Hashable, Codable {
        /// The account's id.
        public var user: String
        /// The access token, sent with each request.
        public var accessToken: String
        /// The refresh token, exchanged once for new tokens.
        public var refreshToken: String
        /// True when the refresh token had been used before: a copy of this device exists, and both remain signed in.
        public var isCopied: Bool

        /// Creates an account's tokens.
        public init(
            user: String, accessToken: String, refreshToken: String, isCopied: Bool = false
        ) {
            self.user = user
            self.accessToken = accessToken
            self.refreshToken = refreshToken
            self.isCopied = isCopied
        }

        /// Parses the server's reply.
        ///
        /// - Parameter bytes: The body.
        /// - Throws: `WireError` when a token is missing.
        public init(_ bytes: [UInt8]) throws(WireError) {
            let body = try AccountBody(bytes)
            self.init(
                user: try body.object.id("user"), accessToken: try body.text("access_token"),
                refreshToken: try body.text("refresh_token"), isCopied: try body.flag("copied"))
        }
    }
}

extension AccountBody {
    /// A sign-in method of an account.
    public struct SignInMethod: Sendable, Hashable, Identifiable {
        /// The id: `email`, or a name derived from the external identity.
        public var id: String
        /// The email, or the issuer's name for the person.
        public var name: String
        /// The issuer of an external identity; `nil` for email and password.
        public var issuer: String?
        /// True when the email was confirmed by a code.
        public var isVerified: Bool

        init(_ object: WireObject) throws(WireError) {
            id = try object.requiredText("id")
            name = try object.requiredText("name")
            issuer = try object.text("issuer")
            isVerified = try object.flag("verified")
        }

        /// Parses the server's list.
        ///
        /// - Parameter bytes: The body.
        /// - Returns: The sign-in methods, email first.
        /// - Throws: `WireError` when the list is malformed.
        package static func list(_ bytes: [UInt8]) throws(WireError) -> [SignInMethod] {
            let object = try WireObject.parse(bytes)
            var methods: [SignInMethod] = []
            for node in try object.array("ways") ?? [] {
                methods.append(try SignInMethod(try WireObject(node, "ways")))
            }
            return methods
        }
    }
}
