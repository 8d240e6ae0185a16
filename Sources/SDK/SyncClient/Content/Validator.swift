import Foundation
import WebTransfer

/// The validators of replies, by which the next request becomes conditional.
///
/// An entity tag, as the host wrote it, or the modification time of a host without tags. A time belongs to its address
/// alone, while the tags of some hosts belong to several (`changes/<k>`, decision 34).
enum Validator {
    private static let timePrefix = "last-modified"
    /// The first year of a meaningful time: builds give all files an older one.
    private static let firstYear = 2020

    /// Returns the validator of a reply; `nil` for none that a request can carry.
    static func of(_ response: TransportResponse, at path: String) -> String? {
        if response.headers["etag"] != nil { return EntityTag.usable(in: response.headers) }
        guard let time = response.headers["last-modified"],
            // The one form that hosts may write (RFC 9110, section 5.6.7).
            let match = time.wholeMatch(
                of: /[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} (\d{4}) \d{2}:\d{2}:\d{2} GMT/),
            let year = Int(match.1), year >= firstYear
        else { return nil }
        return "\(timePrefix) \(path) \(time)"
    }

    /// Returns the header field that makes a request for an address conditional; empty without a validator of it.
    static func condition(_ validator: String?, at path: String) -> [String: String] {
        guard let validator else { return [:] }
        let parts = validator.split(separator: " ", maxSplits: 2)
        guard parts.count == 3, parts[0] == timePrefix else { return ["If-None-Match": validator] }
        return parts[1] == path ? ["If-Modified-Since": String(parts[2])] : [:]
    }
}
