/// A line of a document with lists: of Word, of a web page, or of Markdown.
struct OutlineLine {
    /// What may show that an option is right.
    enum Mark: String, CaseIterable, Comparable {
        case star
        case bold
        case highlight
        case colour
        /// A word such as `correct` for the style of a web page.
        case style

        /// The mark in words.
        var title: String {
            switch self {
            case .star: "a star"
            case .bold: "bold text"
            case .highlight: "a highlight"
            case .colour: "a colour"
            case .style: "a style that says so"
            }
        }

        /// True for what may also be only a style.
        var isFormat: Bool { self == .bold || self == .highlight || self == .colour }

        static func < (left: Mark, right: Mark) -> Bool { left.rawValue < right.rawValue }
    }

    /// What stands before an item of a list.
    enum Bullet: Equatable {
        case number(Int?)
        case letter(Int?)
        case dot
    }

    var text: String
    /// The text with its star, where the star is no key.
    var starred: String?
    /// The line or paragraph of the file, from 1.
    var number: Int
    /// The bullet and the level of an item of a list; `nil` for a paragraph.
    var item: (bullet: Bullet, level: Int)?
    var marks: Set<Mark> = []
    var isHeading = false
    /// True when a blank line, or another paragraph, ends above it.
    var beginsParagraph = true
    var images: [String] = []
    /// The reason that it cannot be read.
    var problem: SkipReason?

    init(_ text: String, number: Int) {
        self.text = text
        self.number = number
    }

    /// True for an item with a number at the outer level, as a question has it.
    var isNumbered: Bool {
        guard let item, item.level == 0, case .number = item.bullet else { return false }
        return true
    }

    /// Takes what an author typed before a text: a number, or a letter and a star.
    ///
    /// Returns how many characters of the text were taken.
    @discardableResult
    mutating func takeTypedBullet(readsStars: Bool) -> Int {
        var rest = text[...]
        let whole = text
        var hasStar = false
        if readsStars, rest.first == "*", rest.dropFirst().first != "*" {
            hasStar = true
            rest = rest.dropFirst().drop { $0 == " " }
        }
        if let match = rest.prefixMatch(of: Pattern.typedLetter),
            let letter = match.1.lowercased().utf8.first
        {
            item = (.letter(Int(letter) - 97), max(item?.level ?? 0, 1))
            rest = rest[match.range.upperBound...]
        } else if item == nil, let match = rest.prefixMatch(of: Pattern.typedNumber) {
            item = (.number(Int(match.1)), 0)
            rest = rest[match.range.upperBound...]
        }
        let taken = text.count - rest.count
        if readsStars, rest.last == "*", rest.dropLast().last != "*", rest.count > 1 {
            hasStar = true
            rest = rest.dropLast()
        }
        text = String(rest).trimmed
        if hasStar {
            marks.insert(.star)
            starred = String(whole.dropFirst(whole.first == "*" ? 0 : taken)).trimmed
        }
        return taken
    }
}
