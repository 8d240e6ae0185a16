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

    /// Reads a text that may be left out.
    ///
    /// - Parameter key: Its name.
    /// - Returns: At most 8 KiB; `nil` when there is none.
    /// - Throws: `WireFailure`.
    public func optionalText(_ key: String) throws(WireFailure) -> String? {
        object.node(key) == nil ? nil : try text(key)
    }

    /// Reads a truth value that may be left out.
    ///
    /// - Parameter key: Its name.
    /// - Returns: False when there is none.
    /// - Throws: `WireFailure`.
    public func flag(_ key: String) throws(WireFailure) -> Bool {
        try object.flag(key)
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

extension AccountBody {
    /// A way into an account from another device, as a device reads it.
    public struct Way: Sendable, Hashable {
        /// `email`, or a name made of the external identity.
        public var id: String
        /// The email, or the issuer's name for somebody.
        public var name: String
        /// The issuer of an external identity; `nil` for email and password.
        public var issuer: String?
        /// True when a code that was sent to the email came back.
        public var isVerified: Bool

        init(_ object: WireObject) throws(WireFailure) {
            id = try object.requiredText("id")
            name = try object.requiredText("name")
            issuer = try object.text("issuer")
            isVerified = try object.flag("verified")
        }

        /// Reads the server's list.
        ///
        /// - Parameter bytes: The body.
        /// - Returns: The ways in, email first.
        /// - Throws: `WireFailure`.
        public static func list(_ bytes: [UInt8]) throws(WireFailure) -> [Way] {
            let object = try WireObject.parse(bytes)
            var ways: [Way] = []
            for node in try object.array("ways") ?? [] {
                ways.append(try Way(try WireObject(node, "ways")))
            }
            return ways
        }
    }
}
