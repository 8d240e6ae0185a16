import ServiceAPI

/// A name under which a learner appears on boards.
package struct DisplayName: Sendable, Hashable {
    /// The text, without white space at its ends.
    package let text: String

    /// Checks a name that a learner entered.
    ///
    /// Control characters, line breaks, and the characters that turn the direction of text around it are refused, so that
    /// a name cannot disturb the list in which it stands. Neither is a text of white space alone, of more than 30
    /// characters, or of more than 120 bytes a name.
    /// - Parameter text: The entered text.
    package init?(_ text: String) {
        let core = text.drop(while: \.isWhitespace)
        let trimmed = String(core.reversed().drop(while: \.isWhitespace).reversed())
        guard (1...ServiceLimits.displayNameCharactersMax).contains(trimmed.count),
            trimmed.utf8.count <= ServiceLimits.displayNameBytesMax,
            trimmed.unicodeScalars.allSatisfy(Self.isAllowed),
            trimmed.unicodeScalars.contains(where: { !$0.properties.isDefaultIgnorableCodePoint })
        else { return nil }
        self.text = trimmed
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            false
        // Joiners are letters' own; the others of this kind are invisible or change the direction.
        case .format: scalar.value == 0x200C || scalar.value == 0x200D || scalar.isEmojiTag
        default: true
        }
    }
}

extension Unicode.Scalar {
    /// True for the tags of flags of regions.
    fileprivate var isEmojiTag: Bool { (0xE0020...0xE007F).contains(value) }
}
