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
        /(?:(?:[-*+]|[0-9]{1,3}[.)])\s+\[\s*([xX]?)\s*\]|\[([xX ])\](?=\s))(?!\()\s*(.*)/
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
        /&(?:[a-zA-Z][a-zA-Z0-9]{1,30}|#x?[0-9a-fA-F]{1,6});/
    /// The word before the letter of an option.
    nonisolated(unsafe) static let optionWord =
        /(?i)^\s*(?:options?|answers?|choices?)\s+/
    /// A word between letters of options.
    nonisolated(unsafe) static let and =
        /(?i)\s(?:and|und|et|y|e)\s/
    /// The text before a key, such as `Answer:`.
    nonisolated(unsafe) static let answerMark =
        /(?i)(?:^|\s)(?:[-*+]\s+|>\s*)?[*_]{0,2}(?:the )?(?:correct(?: answers?| options?)?|right (?:answers?|options?)|answers?|ans|solution|key)(?: is)?[*_]{0,2}\s*[:=][*_]{0,2}\s*/
    /// The mark by which Common Cartridge names its folder of files.
    nonisolated(unsafe) static let cartridgeFiles =
        /^(?:\$|%24)IMS[-_]CC[-_]FILEBASE(?:\$|%24)\/?/
    /// The beginning or end of a folded part.
    nonisolated(unsafe) static let leftFold =
        /(?i)<\/?(?:details|summary)\b[^<>]*>/
    /// A place of files that only another program knows.
    nonisolated(unsafe) static let leftMedia =
        /@@PLUGINFILE@@|(?:\$|%24)IMS[-_]CC[-_]FILEBASE/
    /// The beginning of a gap of Moodle or Anki.
    nonisolated(unsafe) static let leftGap =
        /\{\d{1,3}:[A-Z_]{1,30}:|\{\{c\d{1,3}::/
    /// A weight or a mark of GIFT at the beginning of a text.
    nonisolated(unsafe) static let leftWeight =
        /^\s*(?:%-?\d{1,3}(?:\.\d+)?%|\[(?:html|moodle|plain|markdown)\])/
    /// An element of HTML with its end, or a line break.
    nonisolated(unsafe) static let leftTag =
        /(?i)<(p|b|i|u|em|strong|span|div|pre|code|sub|sup|ul|ol|li|a|table|font|h[1-6])(?:\s[^<>]*)?>[^<>]*<\/\1>|<br\s*\/?>/
    /// Two letters that UTF-8 gives where it is read as Windows-1252.
    nonisolated(unsafe) static let wrongDecoding =
        /[ÃÂ][\u{80}-\u{BF}€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€[™œ“”˜¦\u{9D}]/
    /// A line that only says an answer.
    nonisolated(unsafe) static let answerLine =
        /(?i)\s*[*_]{0,2}(?:correct )?answers?[*_]{0,2}\s*:[*_]{0,2}\s*\(?[a-z]\)?[*_.]{0,3}\s*/
    /// Code between backticks.
    nonisolated(unsafe) static let inlineCode =
        /```[\s\S]*?```|`[^`]*`/
    /// A folded part of a page begins.
    nonisolated(unsafe) static let foldStart =
        /(?i)<details\b[^<>]*>/
    /// A folded part of a page ends.
    nonisolated(unsafe) static let foldEnd =
        /(?i)<\/details\s*>/
    /// The title of a folded part.
    nonisolated(unsafe) static let foldTitle =
        /(?i)<summary\b[^<>]*>([\s\S]*?)<\/summary\s*>/
    /// A title that announces an answer.
    nonisolated(unsafe) static let answerTitle =
        /(?i)\b(?:answers?|solutions?|key)\b/
    /// A line break of HTML behind the end of a sentence or at the end of a line.
    nonisolated(unsafe) static let lineBreak =
        /(?i)([.?!:;,])\s*<br\s*\/?>\s*|\s*<br\s*\/?>\s*$/
    /// The type of a question of Moodle that is a category.
    nonisolated(unsafe) static let categoryType =
        /\stype\s*=\s*["']category["']/
    /// A character that a document of an office program cannot hold otherwise.
    nonisolated(unsafe) static let officeEscape =
        /_x([0-9A-Fa-f]{4})_/
    /// What a format of numbers shows as it is, and what concerns colours and places.
    nonisolated(unsafe) static let quotedInFormat =
        /"[^"]*"|\\.|\[[^\]]*\]|_.|\*./
    /// A format of numbers with a fixed count of decimals.
    nonisolated(unsafe) static let decimalFormat =
        /(#,##0|#?0)(\.0+)?(%)?/
    /// A line of Respondus with a part of a question.
    nonisolated(unsafe) static let respondusField =
        /(?i)(type|title|points):\s*(.*)/
    /// A line that begins with a number, such as `3) Which?`.
    nonisolated(unsafe) static let numberedLine =
        /([0-9]{1,5})(?:\.\s+|\)\s*)(\S.*)/
    /// An option with a star if it is right, such as `*b. Iron`.
    nonisolated(unsafe) static let starredOption =
        /(\*?)\s?([A-Za-z])(?:\.\s+|\)\s*)(\S.*)/
    /// The title of a list of answers.
    nonisolated(unsafe) static let answerListTitle =
        /(?i)answers?(?: key)?:/
    /// The title of answers at the end of a document.
    nonisolated(unsafe) static let answersTitle =
        /(?i)\W*(?:answers?(?:\s+(?:key|list|sheet))?|key|(?:correct|right)\s+answers?|solutions?|lösung(?:en)?|antworten|réponses|corrigé|respuestas|soluciones|risposte|soluzioni|respostas|gabarito|antwoorden|oplossingen|odpowiedzi|ответы|cevaplar|答案|解答|정답|الإجابات)\W*/
    /// Answers in one line, as `1-B, 2-A`.
    nonisolated(unsafe) static let answerPairs =
        /(?:[^:0-9]{0,40}:\s*)?(?:[0-9]{1,3}\s*[-.:)=]?\s*\(?[A-Za-z]\)?(?:[\s,;|]+|$)){2,}/
    /// A letter that an author typed before an option.
    nonisolated(unsafe) static let typedLetter =
        /\(?([A-Za-z])(?:[.:]\s+|\)\s*)(?=\S)/
    /// A number that an author typed before a question.
    nonisolated(unsafe) static let typedNumber =
        /(?i)^(?:question\s*|q\s*)?([0-9]{1,4})(?:[.:]\s*(?:\s|$)|\)\s*)/
    /// A sentence that names the right answer.
    nonisolated(unsafe) static let answerSentence =
        /(?i)[*_>\s]{0,4}the\s+(?:correct|right)\s+(?:answers?|options?|choices?)\s+(?:is|are)\s*:?\s*/
    /// The letter or number of an option, with its text or without.
    nonisolated(unsafe) static let answerWithText =
        /\(?([A-Za-z]|[0-9]{1,2})(?:[.):]+\s*(\S.*)?)?/
    /// The marks before a heading of Markdown.
    nonisolated(unsafe) static let markdownHeading =
        /#{1,6}\s+/
    /// The bullet or number before an item of Markdown.
    nonisolated(unsafe) static let markdownBullet =
        /(?:[-*+]|([0-9]{1,4})[.)])\s+/
    /// A line that is bold as a whole.
    nonisolated(unsafe) static let boldWhole =
        /(?:\*\*[^*]+\*\*|__[^_]+__)/
    /// What makes a list of HTML count otherwise than from 1.
    nonisolated(unsafe) static let listStart =
        /(?i)\s(?:reversed\b|(?:start|value)\s*=)/
    /// The classes of an element of HTML.
    nonisolated(unsafe) static let classNames =
        /(?i)\sclass\s*=\s*["']?([^"'>]*)/
    /// A gap of Moodle: its type and its answers.
    nonisolated(unsafe) static let gap =
        /\{\d*:([A-Z_]+):((?:[^}\\]|\\[\s\S])*)\}/
    /// The points of an answer of a gap.
    nonisolated(unsafe) static let gapWeight =
        /%(-?\d{1,3}(?:\.\d+)?)%/
    /// The name of a library of H5P.
    nonisolated(unsafe) static let h5pLibrary =
        /"library"\s*:\s*"H5P\.([A-Za-z0-9]+)/
    /// The beginning of a list in a text, such as `1)` or `a.`.
    nonisolated(unsafe) static let firstInList =
        /(?:^|\s)\(?[1aA][.)]\s/
    /// The number before a question, such as `12.`, `Q12:` or `Question 12:`.
    nonisolated(unsafe) static let stemNumber =
        /(?i)(?:q|question |frage )?(\d{1,5})[.):]\s+/
    /// A number with a decimal comma.
    nonisolated(unsafe) static let commaNumber =
        /[-+]?\d+,\d+/
    /// A number with a decimal point.
    nonisolated(unsafe) static let pointNumber =
        /[-+]?\d*\.\d+/
    /// The beginning of a time.
    nonisolated(unsafe) static let timestamp =
        /\d{4}[-\/.]\d{1,2}[-\/.]\d{1,2}|\d{1,2}[\/.]\d{1,2}[\/.]\d{4}/
    /// Text in bold or italics.
    nonisolated(unsafe) static let emphasis =
        /(?i)<(?:b|strong|i|em|u)>/
    /// The description of an image, but for an empty one.
    nonisolated(unsafe) static let imageText =
        /(?i)<img\s[^<>]*\balt\s*=\s*["'][^"'<>]/
    /// An attribute that runs a program, such as `onload=`.
    nonisolated(unsafe) static let handler =
        /\son[a-z]+\s*=/
}
