import ServiceAPI

/// A sign-in method: the account's email, or an identity of another issuer.
///
/// ```swift
/// let method = SignInMethod(id: "email", name: "ada@example.org", isVerified: true)
/// print(method.issuer ?? "email and password")
/// ```
public struct SignInMethod: Sendable, Hashable, Identifiable {
    /// The id: `email`, or a name derived from the external identity.
    public var id: String
    /// The email, or the issuer's name for the person.
    public var name: String
    /// The issuer of an external identity; `nil` for email and password.
    public var issuer: String?
    /// True when the email was confirmed by a code.
    public var isVerified: Bool

    /// Creates a sign-in method.
    public init(id: String, name: String, issuer: String? = nil, isVerified: Bool = false) {
        self.id = id
        self.name = name
        self.issuer = issuer
        self.isVerified = isVerified
    }

    init(_ body: AccountBody.SignInMethod) {
        self.init(
            id: body.id, name: body.name, issuer: body.issuer, isVerified: body.isVerified)
    }
}
