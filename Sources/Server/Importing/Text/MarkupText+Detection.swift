extension MarkupText {
    /// Returns whether a text contains a tag or an entity.
    ///
    /// Only tags of HTML count, so that `Array<Int>` stays text.
    static func looksLikeMarkup(_ text: Substring) -> Bool {
        // The patterns are slow, and most texts have neither character.
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") })
        else { return false }
        return text.contains(
            /<\/?(?:p|br|b|i|u|em|strong|img|span|div|pre|code|sub|sup|ul|ol|li|a|t[rdh]|table|font|h[1-6])(?:\s[^<>]*)?\/?>/
        ) || text.contains(/&(?:[a-zA-Z]{2,8}|#x?[0-9a-fA-F]{1,6});/)
    }
}
