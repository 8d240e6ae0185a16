import Foundation

/// An email address in the normalized spelling in which it is stored.
package struct Email {
    package let text: String

    package init?(_ text: String) {
        let text = text.trimmingCharacters(in: .whitespaces).lowercased()
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].contains("."), text.utf8.count <= 254,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        self.text = text
    }
}
