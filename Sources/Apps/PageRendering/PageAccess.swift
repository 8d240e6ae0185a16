import Foundation
import HTTPTypes
package import Hummingbird
import NIOCore

/// The checks of a browser's request that the pages of both apps share.
package enum PageAccess {
    /// Returns true for a form of an app's own page: a browser names the origin of each form (Fetch, section 3.2).
    ///
    /// - Parameters:
    ///   - origin: The field `Origin`.
    ///   - fetchSite: The field `Sec-Fetch-Site`.
    ///   - own: The app's own origin.
    /// - Returns: False for a form of another site, or without any origin.
    package static func isOwnForm(origin: String?, fetchSite: String?, own: String) -> Bool {
        if let site = fetchSite, site != "same-origin" { return false }
        guard let origin else { return fetchSite == "same-origin" }
        return origin == own
    }

    /// Returns true if a link of another site led here: browsers follow it without a strict cookie.
    package static func comesFromElsewhere(fetchSite: String?) -> Bool {
        ["cross-site", "same-site"].contains(fetchSite)
    }

    /// Returns a page that opens a path of the app automatically, now with the cookie.
    ///
    /// - Parameters:
    ///   - path: A path of the app, which the caller has checked.
    ///   - title: The name of the app.
    /// - Returns: The page.
    package static func landing(_ path: String, title: String) -> Response {
        let path = ScalarEscaping().escapeText(path)
        let page = """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>\(title)</title>\
            <meta http-equiv="refresh" content="0; url=\(path)"><a href="\(path)">\(title)</a>
            """
        return Response(
            status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: page)))
    }
}

extension Request {
    /// The cookies of the request by name; the last of two with the same name.
    package var cookieValues: [String: String] {
        var values: [String: String] = [:]
        for pair in (headers[.cookie] ?? "").split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            values[parts[0].trimmingCharacters(in: .whitespaces)] = String(parts[1])
        }
        return values
    }
}
