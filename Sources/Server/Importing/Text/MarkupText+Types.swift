/// The names of types that look like tags, such as `List<String>`.
extension MarkupText {
    /// Returns whether a tag begins with a capital letter and is none of HTML's; those in capitals are written so
    /// throughout.
    static func isTypeName(_ tag: Substring) -> Bool {
        guard let first = tag.first, first.isUppercase else { return false }
        let name = tag.prefix { $0.isLetter || $0.isNumber }
        let rest = tag.dropFirst(name.count).first
        guard rest == nil || rest == "," || rest == "<" || rest == "?" || rest == "." else {
            return false
        }
        return !elements.contains(name.lowercased())
    }

    /// The elements of HTML that older pages write in capitals.
    private static let elements: Set<String> = [
        "a", "abbr", "acronym", "address", "area", "article", "aside", "audio", "b", "base",
        "basefont", "bdi", "bdo",
        "big", "blockquote", "body", "br", "button", "canvas", "caption", "center", "cite", "code",
        "col", "colgroup",
        "data", "dd", "del", "details", "dfn", "dir", "div", "dl", "dt", "em", "embed", "fieldset",
        "figcaption",
        "figure", "font", "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6",
        "head", "header",
        "hr", "html", "i", "iframe", "img", "input", "ins", "kbd", "label", "legend", "li", "link",
        "main", "map",
        "mark", "math", "menu", "meta", "nav", "nobr", "noscript", "object", "ol", "optgroup",
        "option", "p", "param",
        "picture", "pre", "q", "s", "samp", "script", "section", "select", "small", "source",
        "span", "strike",
        "strong", "style", "sub", "summary", "sup", "svg", "table", "tbody", "td", "textarea",
        "tfoot", "th", "thead",
        "time", "title", "tr", "track", "tt", "u", "ul", "var", "video", "wbr",
    ]
}
