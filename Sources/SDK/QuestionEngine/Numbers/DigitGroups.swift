/// Digits with their decimal sign and the signs that group them.
struct DigitGroups {
    /// The readings with a decimal point and without groups: one, or two where a sign may be either.
    let readings: [String]

    /// Reads digits with signs.
    ///
    /// - Throws: `EnteredNumberError.groups` where the signs make no groups.
    init(_ text: String, sign: DecimalSign) throws(EnteredNumberError) {
        var groups = [""]
        var signs: [Character] = []
        for character in text {
            if character.isASCIIDigit {
                groups[groups.count - 1].append(character)
            } else {
                signs.append(character)
                groups.append("")
            }
        }
        guard groups.contains(where: { !$0.isEmpty }) else { throw .noNumber }
        readings = try Self.readings(groups, signs, own: sign)
    }

    private static func readings(
        _ groups: [String], _ signs: [Character], own: DecimalSign
    ) throws(EnteredNumberError) -> [String] {
        let decimal = try decimalPlace(signs)
        let whole = decimal.map { Array(groups[...$0]) } ?? groups
        let wholeSigns = decimal.map { Array(signs[..<$0]) } ?? signs
        guard areWellFormed(whole, wholeSigns) else { throw .groups }
        let digits = whole.joined()
        guard let decimal else { return [digits] }
        let decimals = groups[decimal + 1]
        let number = "\(digits.isEmpty ? "0" : digits).\(decimals.isEmpty ? "0" : decimals)"
        let mayGroup =
            signs.count == 1 && decimals.count == 3 && (1...3).contains(digits.count)
            && digits.first != "0"
        switch (signs[decimal], own) {
        case (".", .point), (",", .comma), ("٫", _): return [number]
        default: return mayGroup ? [number, digits + decimals] : [number]
        }
    }

    /// Returns the place of the decimal sign; `nil` for a whole number.
    private static func decimalPlace(_ signs: [Character]) throws(EnteredNumberError) -> Int? {
        let places = signs.indices.filter { !signs[$0].isGroupSign }
        guard let last = places.last else { return nil }
        let same = places.filter { signs[$0] == signs[last] }
        if same.count > 1 {
            // One sign alone that occurs twice groups; beside another one it can be neither.
            guard same.count == places.count, signs[last] != "٫" else { throw .groups }
            return nil
        }
        guard last == signs.count - 1 else { throw .groups }
        return last
    }

    /// Returns true if groups have three digits each, or the last one three and those before it two.
    private static func areWellFormed(_ groups: [String], _ signs: [Character]) -> Bool {
        guard let sign = signs.first else { return true }
        guard signs.allSatisfy({ $0 == sign }), let first = groups.first, let last = groups.last,
            let digit = first.first, digit != "0", last.count == 3
        else { return false }
        let middle = groups.dropFirst().dropLast()
        let isByThree = first.count <= 3 && middle.allSatisfy { $0.count == 3 }
        let isByTwo = sign == "," && first.count <= 2 && middle.allSatisfy { $0.count == 2 }
        return isByThree || isByTwo && !middle.isEmpty
    }
}
