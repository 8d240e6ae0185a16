/// The names of boards and live events.
package enum AddressName {
    /// Returns true for a name that is valid in a URL.
    package static func isValid(_ text: String) -> Bool {
        let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789-")
        return (1...40).contains(text.count) && text.allSatisfy(letters.contains)
            && text.first != "-"
    }
}
