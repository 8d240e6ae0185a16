/// The regular expressions of the readers, each parsed once.
///
/// A literal in a function is parsed at each call, which took most of an import's time. A literal's expression does not
/// change, and its program is compiled atomically at the first use, so many threads may share it though `Regex` is not
/// `Sendable`.
enum Pattern {
    /// The declaration before an XML document.
    nonisolated(unsafe) static let xmlDeclaration =
        /^\s*<\?xml[^>]*\?>/
    /// The encoding that an XML declaration names.
    nonisolated(unsafe) static let xmlEncoding =
        /<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']/
    /// The beginning of a reason behind a key.
    nonisolated(unsafe) static let reason =
        /(?i)\b(?:explanation|because|reason)\b\s*:?/
    /// The mark of an explanation.
    nonisolated(unsafe) static let explanationMark =
        /^(?i:explanation\s*:\s*)/
    /// The beginning of a fenced block, and its language.
    nonisolated(unsafe) static let fence =
        /(```+|~~~+)\s*(\S*)/
    /// An item of a check list, whether it is checked, and its text.
    nonisolated(unsafe) static let checkBox =
        /(?:[-*+]|[0-9]{1,3}[.)])\s+\[\s*([xX]?)\s*\](?!\()\s*(.*)/
    /// The number before a question.
    nonisolated(unsafe) static let questionNumber =
        /^Q?\d+[.):]\s*/
    /// Text in bold.
    nonisolated(unsafe) static let bold =
        /\*\*([^*]+)\*\*/
    /// A line that is code.
    nonisolated(unsafe) static let codeLine =
        /^`([^`]+)`$/
    /// An id or a tag in a comment of GIFT, as Moodle writes it.
    nonisolated(unsafe) static let giftMark =
        /\[(id|tag):((?:[^\]\\]|\\.)*)\]/
    /// An escaped character.
    nonisolated(unsafe) static let escaped =
        /\\(.)/
    /// The beginning of a document with tags.
    nonisolated(unsafe) static let documentStart =
        /^\u{FEFF}?\s*</
    /// A number with its sign.
    nonisolated(unsafe) static let signedNumber =
        /[-+][0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,3})?/
    /// A sound of a flashcard.
    nonisolated(unsafe) static let sound =
        /\[sound:([^\]]+)\]/
    /// A field in the template of a flashcard.
    nonisolated(unsafe) static let templateField =
        /\{\{[^{}]*\}\}/
    /// Option A at the beginning of a line.
    nonisolated(unsafe) static let optionA =
        /^(?:[-*+]\s+)?\**\(?[Aa][).:]/
    /// The letter of option A.
    nonisolated(unsafe) static let letterA =
        /(?:^|[\s(*])[Aa][).:]\**(?:\s|$)/
    /// The letter of option B.
    nonisolated(unsafe) static let letterB =
        /(?:^|[\s(*])[Bb][).:]\**(?:\s|$)/
    /// An answer that names a letter.
    nonisolated(unsafe) static let answerLetter =
        /(?:^|[\s*_>-])(?i:answers?)\**\s*:\**\s*\(?[A-Za-z]\b/
    /// Option B at the beginning of a line, with a text.
    nonisolated(unsafe) static let optionB =
        /^(?:[-*+]\s+)?\**\(?[Bb][).:]\**\s+\S/
    /// A tag of HTML with content and its own end.
    nonisolated(unsafe) static let htmlElement =
        /<(p|b|i|u|em|strong|span|div|pre|code|sub|sup|ul|ol|li|a|table|font|h[1-6])(?:\s[^<>]*)?>\s*[^<>\s][^<>]*<(?:\/\1>|(?!\/\1)\w)/
    /// A picture or a line break in HTML.
    nonisolated(unsafe) static let htmlImage =
        /<(?:img|br)\s[^<>]*>|[^\s<>]\s*<br\s*\/?>\s*[^\s<>]/
    /// A tag of HTML.
    nonisolated(unsafe) static let htmlTag =
        /<\/?[A-Za-z][^<>]*>/
    /// An entity of HTML.
    nonisolated(unsafe) static let htmlEntity =
        /&(?:[a-zA-Z]{2,8}|#x?[0-9a-fA-F]{1,6});/
    /// What stands before a key, such as `Answer:`.
    nonisolated(unsafe) static let answerMark =
        /(?i)(?:^|\s)(?:[-*+]\s+|>\s*)?[*_]{0,2}(?:the )?(?:correct(?: answers?| options?)?|right (?:answers?|options?)|answers?|ans|solution|key)(?: is)?[*_]{0,2}\s*[:=][*_]{0,2}\s*/
    /// The mark by which Common Cartridge names its folder of files.
    nonisolated(unsafe) static let cartridgeFiles =
        /^(?:\$|%24)IMS[-_]CC[-_]FILEBASE(?:\$|%24)\/?/
}
