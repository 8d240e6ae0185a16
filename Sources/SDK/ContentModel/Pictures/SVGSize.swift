/// The size in the first tag of a drawing (SVG 2, sections 8.2 and 8.10), without a parser of XML: what this does not
/// understand has no size.
enum SVGSize {
    /// The maximum length of the text before the end of the first tag, in bytes.
    static let bytesMax = 16 * 1024
    /// The maximum length of a number.
    private static let digitsMax = 24
    /// The units of lengths in pixels (CSS Values and Units, section 6.2); others depend on the page.
    private static let units: [Substring: Double] = [
        "": 1, "px": 1, "pt": 4.0 / 3, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 9.6 / 2.54,
    ]

    /// Reads the size; `nil` for a text whose first tag is no `<svg>` with a size or with proportions.
    ///
    /// Cost: linear in ``bytesMax``.
    static func read(_ file: ArraySlice<UInt8>) -> PictureSize? {
        let text = String(decoding: file.prefix(bytesMax), as: UTF8.self)
        guard let tag = firstTag(text[...]), tag.hasPrefix("<svg") else { return nil }
        let values = attributes(tag.dropFirst(4))
        let (width, height) = (values["width"].flatMap(pixels), values["height"].flatMap(pixels))
        if let width, let height { return size(width, height) }
        guard let box = values["viewBox"].flatMap(proportions) else { return nil }
        if let width { return size(width, width * box.height / box.width) }
        if let height { return size(height * box.width / box.height, height) }
        return size(box.width, box.height, isScalable: true)
    }

    private static func size(
        _ width: Double, _ height: Double, isScalable: Bool = false
    ) -> PictureSize? {
        let most = Double(PictureSize.sideMax)
        // Not a number, or too large for `Int`.
        guard width > 0, height > 0, width <= most, height <= most else { return nil }
        return PictureSize(
            width: max(1, Int(width.rounded())), height: max(1, Int(height.rounded())),
            isScalable: isScalable)
    }

    /// Returns the first tag without its end, after the declaration, comments and the type of the document.
    private static func firstTag(_ text: Substring) -> Substring? {
        var rest = text
        while let open = rest.firstIndex(of: "<") {
            rest = rest[open...]
            let end = rest.hasPrefix("<!--") ? "-->" : rest.hasPrefix("<?") ? "?>" : ">"
            guard let close = rest.firstRange(of: end) else { return nil }
            if end == ">", !rest.hasPrefix("<!") { return rest[..<close.lowerBound] }
            rest = rest[close.upperBound...]
        }
        return nil
    }

    /// Returns the attributes of a tag, the first of those with one name.
    private static func attributes(_ tag: Substring) -> [Substring: Substring] {
        var values: [Substring: Substring] = [:]
        var rest = tag
        while let equals = rest.firstIndex(of: "=") {
            let name = rest[..<equals].split(whereSeparator: \.isWhitespace).last ?? ""
            let after = rest[rest.index(after: equals)...].drop(while: \.isWhitespace)
            guard let quote = after.first, quote == "\"" || quote == "'" else { return values }
            let inside = after.dropFirst()
            guard let close = inside.firstIndex(of: quote) else { return values }
            if values[name] == nil { values[name] = inside[..<close] }
            rest = inside[inside.index(after: close)...]
        }
        return values
    }

    /// Returns a length in pixels.
    private static func pixels(_ length: Substring) -> Double? {
        let text = length.drop(while: \.isWhitespace)
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = text[digits.endIndex...].prefix { !$0.isWhitespace }.lowercased()
        guard let scale = units[unit[...]] else { return nil }
        return number(digits).map { $0 * scale }
    }

    /// Returns the width and height of a view box.
    private static func proportions(_ box: Substring) -> (width: Double, height: Double)? {
        let parts = box.split { $0.isWhitespace || $0 == "," }
        guard parts.count == 4, let width = number(parts[2]), let height = number(parts[3]),
            width > 0, height > 0
        else { return nil }
        return (width, height)
    }

    private static func number(_ text: Substring) -> Double? {
        guard text.count <= digitsMax, text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") })
        else { return nil }
        return Double(text)
    }
}
