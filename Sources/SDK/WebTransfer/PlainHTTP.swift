/// The advice for plain HTTP that a host does not understand.
package enum PlainHTTP {
    /// The sentence that is appended to a message, with a space before it.
    package static let hint = " The host may speak https here: try an address with https://."
}
