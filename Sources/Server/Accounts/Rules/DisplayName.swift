import ServiceAPI

/// A learner's name on boards.
package struct DisplayName: Sendable, Hashable {
    /// The text, without white space at its ends.
    package let text: String

    /// Validates a name that a learner entered; `nil` for an invalid one.
    ///
    /// Rejects control characters, line breaks, invisible characters, and characters that change the direction of text,
    /// so that a name cannot disturb a list. Rejects more than four marks on a letter, text of white space only, more
    /// than 30 characters, and more than 120 bytes. Joiners are valid where Arabic and Indic scripts and emoji need
    /// them.
    /// - Parameter text: The entered text.
    package init?(_ text: String) {
        let core = text.drop(while: \.isWhitespace)
        let trimmed = String(core.reversed().drop(while: \.isWhitespace).reversed())
        guard (1...ServiceLimits.displayNameCharactersMax).contains(trimmed.count),
            trimmed.utf8.count <= ServiceLimits.displayNameBytesMax,
            trimmed.unicodeScalars.allSatisfy(Self.isAllowed),
            trimmed.allSatisfy(Self.isVisible)
        else { return nil }
        self.text = trimmed
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            false
        // Joiners are letters' own; the others of this kind are invisible or change the direction.
        case .format: scalar.isJoiner || scalar.isEmojiTag
        // The blank of braille.
        default: scalar.value != 0x2800
        }
    }

    /// The most marks on one letter; Hebrew and Vietnamese have up to three.
    private static let marksMax = 4

    /// Returns true for a character that a reader sees, with nothing hidden in it.
    private static func isVisible(_ character: Character) -> Bool {
        let scalars = character.unicodeScalars
        let marks = scalars.count { $0.isMark && !$0.properties.isDefaultIgnorableCodePoint }
        guard let first = scalars.first, !first.isMark, marks <= marksMax else { return false }
        let isEmoji =
            scalars.contains { $0.properties.isEmoji && $0.value > 0xFF }
            || scalars.contains { $0.value == 0x20E3 }
        return scalars.allSatisfy { scalar in
            guard scalar.properties.isDefaultIgnorableCodePoint else { return true }
            if scalar.isJoiner { return isEmoji || first.needsJoiners }
            return isEmoji && (scalar.isEmojiTag || (0xFE0E...0xFE0F).contains(scalar.value))
        }
    }
}

extension Unicode.Scalar {
    /// True for the joiner and the non-joiner of width zero.
    fileprivate var isJoiner: Bool { value == 0x200C || value == 0x200D }
    /// True for letters of Arabic, Syriac and the Indic scripts, which joiners shape.
    fileprivate var needsJoiners: Bool { (0x0600...0x0DFF).contains(value) }
    /// True for what stands on the letter before it.
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }
    /// True for the tags of flags of regions.
    fileprivate var isEmojiTag: Bool { (0xE0020...0xE007F).contains(value) }
}
