import Foundation
import HTTPTypes
import Hummingbird
import PageRendering

/// The cookie of a session at the desk.
enum DeskCookie {
    /// The name of the pages for which the token in it is valid, and of the cookie.
    static let name = "desk"

    /// Returns the token that a request sends.
    static func token(of request: Request) -> String? { value(name, of: request) }

    /// Returns a cookie of a request.
    static func value(_ name: String, of request: Request) -> String? {
        request.cookieValues[name]
    }

    /// Returns the field that sets the cookie of a session, or removes it.
    ///
    /// - Parameters:
    ///   - token: The token; `nil` to remove the cookie.
    ///   - origin: The desk's origin.
    /// - Returns: The value of the field.
    static func field(_ token: String?, _ origin: DeskOrigin) -> String {
        let life = token == nil ? 0 : Int(DeskApp.sessionSeconds)
        return
            "\(name)=\(token ?? ""); Path=\(DeskApp.prefix); Max-Age=\(life); HttpOnly; SameSite=Strict"
            + (origin.isSecure ? "; Secure" : "")
    }
}
