extension NumericKey {
    /// The canonical JSON form; numbers are text, so that each reader parses them exactly.
    var json: JSONValue {
        var members: [String: JSONValue?] = ["unit": unit.map { .string($0) }]
        switch accepted {
        case .value(let value, let tolerance):
            members["value"] = .string(value.description)
            switch tolerance {
            case .absolute(0), .relative(0): break
            case .absolute(let distance):
                members["tolerance"] = .string(distance.description)
            case .relative(let share):
                members["relativeTolerance"] = .string(share.description)
            }
        case .range(let from, let to):
            members["from"] = .string(from.description)
            members["to"] = .string(to.description)
        }
        return .compact(members)
    }

    /// Reads the member `number` of a question; reports the problem and returns `nil` when it is
    /// unusable.
    static func read(_ question: ObjectReader) -> NumericKey? {
        guard let node = question.node("number") else {
            question.report.note(
                .keyMissing, at: question.position, "the question has no number",
                hint: "Give the right number, as `number: { value: 9.81, tolerance: 0.01 }`.")
            return nil
        }
        guard let reader = ObjectReader(node, as: .number, report: question.report) else {
            return nil
        }
        let errorsBefore = reader.report.errorCount
        let hasRange = reader.node("from") != nil || reader.node("to") != nil
        let accepted = hasRange ? readRange(reader) : readValue(reader)
        let unit = reader.string("unit")
        if let unit, unit.isBlank, let node = reader.node("unit") {
            reader.report.note(.numericKey, at: node.position, "the unit is blank")
        }
        reader.checkLength(unit ?? "", of: "unit", at: node.position)
        guard reader.report.errorCount == errorsBefore else { return nil }
        return accepted.map { NumericKey($0, unit: unit) }
    }

    private static func readRange(_ reader: ObjectReader) -> Accepted? {
        for name in ["value", "tolerance", "relativeTolerance"] {
            guard let node = reader.node(name) else { continue }
            reader.report.note(
                .numericKey, at: node.position, "a range from one number to another has no \(name)")
        }
        guard let from = reader.number("from"), let to = reader.number("to") else { return nil }
        if from >= to {
            reader.report.note(
                .numericKey, at: reader.node("from")?.position ?? reader.position,
                "the range from \(from) to \(to) does not rise")
        }
        return .range(from: from, to: to)
    }

    private static func readValue(_ reader: ObjectReader) -> Accepted? {
        let tolerance = readTolerance(reader)
        guard let value = reader.number("value") else { return nil }
        if value == .zero, case .relative = tolerance {
            reader.report.note(
                .numericKey, at: reader.node("value")?.position ?? reader.position,
                "a share of 0 is 0, so the relative tolerance accepts nothing more",
                hint: "Give a `tolerance`, the distance that is still right.")
        }
        return .value(value, tolerance ?? .absolute(0))
    }

    private static func readTolerance(_ reader: ObjectReader) -> Tolerance? {
        let absolute = reader.node("tolerance").flatMap { _ in reader.number("tolerance") }
        guard let node = reader.node("relativeTolerance") else {
            if let absolute, absolute < 0, let node = reader.node("tolerance") {
                reader.report.note(
                    .numericKey, at: node.position, "the tolerance \(absolute) is less than 0",
                    hint: "Give the distance from the value that is still right, as 0.01.")
            }
            return absolute.map(Tolerance.absolute)
        }
        if reader.node("tolerance") != nil {
            reader.report.note(
                .numericKey, at: node.position, "there are two tolerances",
                hint: "Keep `tolerance` (a distance) or `relativeTolerance` (a share).")
        }
        guard let share = reader.number("relativeTolerance") else { return nil }
        if share < 0 || share >= 1 {
            reader.report.note(
                .numericKey, at: node.position,
                "the relative tolerance \(share) is no share from 0 to less than 1",
                hint: "Write 0.02 for 2 %.")
        }
        return .relative(share)
    }
}

extension ObjectReader {
    /// The digits that every number of a JSON or YAML document preserves.
    private static var plainDigitsMax: Int { 15 }

    /// Returns an exact number, written as a number or as text; reports its absence.
    fileprivate func number(_ key: String) -> DecimalNumber? {
        guard let node = requiredNode(key) else { return nil }
        switch node.content {
        case .integer(let value): return DecimalNumber(String(value))
        case .decimal(let value):
            let text = String(value)
            let digits = text.prefix { $0 != "e" }.filter(\.isNumber)
            if digits.drop(while: { $0 == "0" }).count <= Self.plainDigitsMax,
                let number = DecimalNumber(text)
            {
                return number
            }
            report.note(
                .invalidValue, at: node.position,
                "\"\(key)\" has more digits than a plain number keeps",
                hint: "Put the number in quotes: text is taken exactly.")
        case .string(let text):
            if let number = DecimalNumber(text) { return number }
            report.note(
                .invalidValue, at: node.position, "\"\(text)\" is no number",
                hint: "Write digits with a point, as 3.14 or 6.02e23, at most"
                    + " \(DecimalNumber.digitsMax) of them; no comma, no separators of thousands.")
        case .null, .bool, .array, .object:
            report.note(
                .wrongType, at: node.position,
                "\"\(key)\" must be a number, found \(node.kindName)")
        }
        return nil
    }
}
