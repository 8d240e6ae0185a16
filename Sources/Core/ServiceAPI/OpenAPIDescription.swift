public import ContentModel

/// The OpenAPI 3.1 description of accounts and user data; a test holds it against the routes.
public enum OpenAPIDescription {
    /// The whole document.
    public static let json: JSONValue = [
        "openapi": "3.1.0",
        "info": [
            "title": "Underway user data", "version": "1",
            "description": "Accounts, the exchange of user data, and records as plain resources.",
        ],
    ]
}
