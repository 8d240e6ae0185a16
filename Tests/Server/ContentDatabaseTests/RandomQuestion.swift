/// JSON as it is written: numbers keep their notation, and a name may occur twice.
indirect enum JSONDraft {
    case raw(String)
    case text(String)
    case list([JSONDraft])
    case map([(name: String, value: JSONDraft)])

    var json: String {
        switch self {
        case .raw(let json): json
        case .text(let text): Self.quoted(text)
        case .list(let values): "[" + values.map(\.json).joined(separator: ",") + "]"
        case .map(let members):
            "{" + members.map { "\(Self.quoted($0.name)):\($0.value.json)" }.joined(separator: ",")
                + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar -> String in
            guard scalar.value < 0x20 || scalar == "\"" || scalar == "\\" else {
                return String(scalar)
            }
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "\"" + escaped.joined() + "\""
    }
}

/// Questions that are nearly right: a valid one of any type, and up to three changes that may break
/// a rule.
struct RandomQuestion<Generator: RandomNumberGenerator> {
    private var random: Generator

    init(using random: Generator) { self.random = random }

    /// Makes a question whose fields have the types of the columns that they are stored in; options
    /// and key may be anything.
    mutating func next() -> String {
        let type = pick(Self.types)
        let isNumeric = type == "numeric-entry"
        let options = isNumeric ? nil : validOptions()
        var key = isNumeric ? validNumber() : validKey(type, options?.count ?? 0)
        var members: [(name: String, value: JSONDraft)] = [
            ("id", .text("q1")), ("type", .text(type)),
            ("difficulty", .raw("\(Int.random(in: 1...5, using: &random))")),
            ("stem", .text("Stem")),
        ]
        if type == "code-snippet" { members.append(("code", code())) }
        var changed = options.map { JSONDraft.list($0) }
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            switch Int.random(in: 0..<(isNumeric ? 4 : 8), using: &random) {
            case 0: change(&members)
            case 1...3: key = mutated(key, isNumeric ? Self.numberNames : [])
            default: changed = changed.map { mutated($0, Self.optionNames) }
            }
        }
        if let changed { members.append(("options", changed)) }
        members.append((isNumeric ? "number" : "correct", key))
        return JSONDraft.map(members).json
    }

    // MARK: Right parts

    private mutating func validOptions() -> [JSONDraft] {
        let count = Int.random(in: 2...5, using: &random)
        // One question in six has an option that looks like its first.
        let alike = chance(6) ? pick(Self.looksAlike) : nil
        return (0..<count).map { index in
            var members: [(name: String, value: JSONDraft)] = [
                ("id", .text("o\(index)")),
                ("text", .text(index == 1 ? alike ?? "Option 1" : "Option \(index)")),
            ]
            if chance(8) { members.append(("image", .text("\(index).png"))) }
            if chance(8) { members.append(("pinned", .raw("true"))) }
            if chance(8) { members.append(("feedback", .text("because"))) }
            return .map(members)
        }
    }

    private mutating func validKey(_ type: String, _ count: Int) -> JSONDraft {
        let indices = Array(0..<count).shuffled(using: &random)
        switch type {
        case "ordering": return .list(indices.map { .raw("\($0)") })
        case "multi-choice":
            let some = Int.random(in: 1...max(1, count), using: &random)
            return .list(indices.prefix(some).map { .raw("\($0)") })
        default: return .list(indices.prefix(1).map { .raw("\($0)") })
        }
    }

    private mutating func validNumber() -> JSONDraft {
        var members: [(name: String, value: JSONDraft)] =
            switch Int.random(in: 0..<4, using: &random) {
            case 0: [("value", .text("9.81"))]
            case 1: [("value", .text("-40")), ("tolerance", .text("0.5"))]
            case 2: [("value", .raw("6.02e23")), ("relativeTolerance", .raw("0.02"))]
            default: [("from", .raw("9.8")), ("to", .text("9.83"))]
            }
        if chance(3) { members.append(("unit", .text("m/s²"))) }
        return .map(members)
    }

    private mutating func audio() -> JSONDraft {
        var members: [(name: String, value: JSONDraft)] = [
            ("file", .text(pick(Self.paths + ["bell.wav", "a/b.MP3", "wav"])))
        ]
        if chance(2) { members.append(("title", .text(pick(Self.texts)))) }
        if chance(2) { members.append(("transcript", .text(pick(Self.texts)))) }
        return .map(members)
    }

    private func code() -> JSONDraft {
        .map([("language", .text("swift")), ("text", .text("print(1)"))])
    }

    // MARK: Changes

    private mutating func change(_ members: inout [(name: String, value: JSONDraft)]) {
        switch Int.random(in: 0..<9, using: &random) {
        case 8: set(&members, "audio", mutated(audio(), ["file", "title", "transcript", "loop"]))
        case 0: set(&members, "id", .text(pick(Self.texts)))
        case 1: set(&members, "stem", .text(pick(Self.texts)))
        case 2: set(&members, "explanation", .text(pick(Self.texts)))
        case 3: set(&members, "image", .text(pick(Self.paths)))
        case 4: set(&members, "difficulty", .raw(pick(["-1", "0", "1", "5", "6", "2147483647"])))
        case 5: set(&members, "type", .text(pick(Self.types + ["essay", "", "Ordering"])))
        case 6:
            let name = pick(["id", "stem", "difficulty", "code"])
            members.removeAll { $0.name == name }
        default: set(&members, "tags", .list([.text(pick(Self.texts)), .text("b")]))
        }
    }

    private func set(
        _ members: inout [(name: String, value: JSONDraft)], _ name: String, _ value: JSONDraft
    ) {
        members.removeAll { $0.name == name }
        members.append((name, value))
    }

    /// Changes one value somewhere in a value.
    private mutating func mutated(_ draft: JSONDraft, _ names: [String]) -> JSONDraft {
        switch draft {
        case .list(var values) where !values.isEmpty && !chance(6):
            let place = Int.random(in: 0..<values.count, using: &random)
            switch Int.random(in: 0..<7, using: &random) {
            case 0: values.remove(at: place)
            case 1: values.append(values[place])
            case 2: values.insert(value(), at: place)
            default: values[place] = mutated(values[place], names)
            }
            return .list(values)
        case .map(var members) where !members.isEmpty && !chance(6):
            let place = Int.random(in: 0..<members.count, using: &random)
            switch Int.random(in: 0..<7, using: &random) {
            case 0: members.remove(at: place)
            case 1: members.append((pick(names + ["x", "Text"]), value()))
            case 2: members[place].name = pick(names + ["x"])
            default: members[place].value = mutated(members[place].value, names)
            }
            return .map(members)
        default: return value()
        }
    }

    private mutating func value() -> JSONDraft {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: .raw(pick(["null", "true", "false"]))
        case 1...3: .raw(pick(Self.numbers))
        case 4: .text(pick(Self.numbers + Self.numberTexts))
        case 5: .text(pick(Self.paths))
        case 6: pick([.list([]), .map([]), .list([.raw("0")]), .map([("id", .text("o0"))])])
        default: .text(pick(Self.texts))
        }
    }

    private mutating func pick<Element>(_ list: [Element]) -> Element {
        list[Int.random(in: 0..<list.count, using: &random)]
    }

    private mutating func chance(_ count: Int) -> Bool {
        Int.random(in: 0..<count, using: &random) == 0
    }
}

// MARK: Odd values

extension RandomQuestion {
    private static var types: [String] {
        ["single-choice", "multi-choice", "ordering", "code-snippet", "numeric-entry"]
    }

    private static var optionNames: [String] { ["id", "text", "image", "pinned", "feedback"] }

    private static var looksAlike: [String] {
        ["option 0", "OPTION 0", "Option  0", " Option 0", "Option\u{A0}0", "Option\n0", "Option0"]
    }

    private static var numberNames: [String] {
        ["value", "tolerance", "relativeTolerance", "from", "to", "unit"]
    }

    private static var texts: [String] {
        [
            "", " ", "\t\n\u{B}\u{C}\r", "\u{A0}", "\u{1680}\u{3000}", "\u{200B}\u{AD}", "\u{FEFF}",
            "\u{E0001}", "\u{85}", "\u{180E}", "\u{2028}x", "o0", "o1", "O0", "Option 0",
            "option  0", " OPTION 1 ", "option\u{A0}0", "Option\u{200B}0", "\u{130}", "i\u{307}",
            "I",
            "i", "\u{131}", "K", "\u{212A}", "k", "\u{C5}", "\u{212B}", "A\u{30A}", "a\u{30A}",
            "\u{C9}", "e\u{301}", "\u{E9}", "\u{DF}", "\u{1E9E}", "ss", "\u{3A3}", "\u{3C3}",
            "\u{3C2}", "\u{FB01}", "fi", "\u{1C5}", "\u{1C4}", "\u{1C6}", "\u{10400}", "\u{10428}",
            "\u{1F600}", "\u{AC00}", "\u{1100}\u{1161}", "a-b_c.d", "-a", ".a", "a b", "\u{E4}",
            "'", "\"", "\\", "{}", "null", "\u{1}", "\u{7F}", String(repeating: "x", count: 64),
            String(repeating: "x", count: 65), String(repeating: "x", count: 16_384),
            String(repeating: "x", count: 16_385), String(repeating: "\u{E9}", count: 8_192),
            String(repeating: "\u{E9}", count: 8_193),
        ]
    }

    private static var paths: [String] {
        [
            "a.png", "a/b.png", "/a", "a/", "a//b", "..", "a/../b", ".a", "a/.b", "a..b", "a\\b",
            "a:b", "a%b", "a?b", "a#b", "a\"b", "a*b", "a|b", "a\u{1F}b", "a\u{7F}b", "\u{E4}/b",
            "a\u{600}/..", "a/\u{301}b", ".\u{301}", "a\u{600}//b", "a<b>",
            String(repeating: "x", count: 255), String(repeating: "x", count: 256),
            String(repeating: "\u{E9}", count: 127), String(repeating: "\u{E9}", count: 128),
            String(repeating: "y", count: 200) + "/" + String(repeating: "x", count: 256),
            String(repeating: "x/", count: 255) + "yy", String(repeating: "x/", count: 255) + "yyy",
        ]
    }

    private static var numbers: [String] {
        [
            "0", "-0", "1", "2", "3", "-1", "63", "64", "100", "1.0", "0.0", "1e0", "1E1", "10e-1",
            "9.81", "0.02", "0.99", "0.999999999999999", "1e15", "1e16", "1e22", "1e23", "1e99",
            "1e100", "1e-99", "1e-100", "1e-400", "123456789012345", "123456789012345.0",
            "99999999999999.0", "12345678901234.5", "1234567890123456.5", "0.30000000000000004",
            "0.1000000000000000055", "9007199254740993", "9223372036854775807",
            "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
            "18014398509481984.0", "18014398509481986.0", "20000000000000000000",
            "1.7976931348623157e308", "2e308", "5e-324", "2e-324",
            "1234567890123456789012345678901",
        ]
    }

    private static var numberTexts: [String] {
        [
            "+1", ".5", "5.", ".", "", "e5", "1e", "1e+", "1e+5", "1E-5", "1e999", "0e999",
            "0e1000",
            "1e-999", "1,5", " 1", "1 ", "\u{663}", "0x1", "1_000", "inf", "nan", "00012.500",
            "1e0000000000000000000000000000000000000000005", "1e99999999999999999999",
            "123456789012345678901234567890", "1234567890123456789012345678901",
            "1234567890123456789012345678900", "0.0000000000000000000000000000000000001", "-",
            "+-1",
            "9.99e99", "0.1e100", "10e99", "0.01e-97", String(repeating: "0", count: 500) + "1",
        ]
    }
}
