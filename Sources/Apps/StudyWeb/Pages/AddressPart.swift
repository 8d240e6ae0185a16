import Foundation

extension String {
    /// The text as a part of an address: a segment of a path, or a value of a query.
    ///
    /// All characters are encoded but letters and digits of ASCII, `-`, `_` and `~`, which mean nothing in an address
    /// (RFC 3986, section 2.3). A dot does: two of them lead out of a folder.
    var addressPart: String {
        let plain = CharacterSet(charactersIn: "-_~").union(.alphanumerics)
        return addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}
