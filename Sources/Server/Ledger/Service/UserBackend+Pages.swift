package import Accounts
import ContentServer
package import Foundation

/// Sessions of pages in a browser, which has no code that could renew tokens.
///
/// A page's token is a session like that of a device: it ends with it, and with a change of the password. The interface for
/// devices does not accept it, nor pages the tokens of devices.
extension UserBackend {
    /// Opens a session of pages by email and password.
    ///
    /// - Parameters:
    ///   - pages: The name of the pages, such as `desk`.
    ///   - email: The email.
    ///   - password: The password.
    ///   - address: The client's address; failures are counted as for ``signIn(email:password:address:)``.
    ///   - seconds: The lifetime of the session.
    /// - Returns: The account and the token for the browser's cookie.
    /// - Throws: `RequestError` `wrongCredentials`, `tooManyRequests`, `busy`.
    package func openPages(
        _ pages: String, email: String, password: String, address: String, seconds: TimeInterval
    ) async throws -> (user: String, token: String) {
        let session = try await signIn(email: email, password: password, address: address)
        guard let user = await tokens.user(of: session.accessToken, now: clock()) else {
            throw RequestError.needsToken
        }
        let token = try await tokens.make(
            user, for: pages, until: clock().addingTimeInterval(seconds))
        return (user.id, token)
    }

    /// Returns the account of a page's token.
    ///
    /// - Throws: `RequestError` `unauthorized` for a token that is invalid or expired or whose session ended,
    ///   `noAccount`.
    package func pageUser(_ token: String, of pages: String) async throws -> AuthenticatedUser {
        guard let user = await tokens.user(of: token, for: pages, now: clock()),
            !user.session.isEmpty
        else { throw RequestError.needsToken }
        try await authentication.checkOpen(user)
        return user
    }

    /// Ends the session of a page's token.
    ///
    /// - Throws: An error of the file system or the database.
    package func closePages(_ user: AuthenticatedUser) async throws {
        try await accounts.end(session: user.session, of: user.id, now: clock())
    }
}
