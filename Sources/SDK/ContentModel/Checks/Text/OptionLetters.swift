/// Options that carry letters of their own, which do not fit a shuffled order.
package enum OptionLetters {
    /// Returns true if all options begin with A, B, C and so on in their order.
    ///
    /// A letter has a mark behind it: `A) red`, `b. red`, `(C) red`.
    package static func areNumbered(_ options: [String]) -> Bool {
        guard (2...26).contains(options.count) else { return false }
        return options.enumerated().allSatisfy { index, option in
            letter(of: option) == UInt8(ascii: "a") + UInt8(index)
        }
    }

    /// Returns the letter before a bracket, a point or a colon, in lower case.
    private static func letter(of option: String) -> UInt8? {
        let bytes = Array(option.utf8.drop { $0.isBlank }.prefix(4))
        let isBracketed = bytes.first == UInt8(ascii: "(")
        let rest = isBracketed ? bytes.dropFirst() : bytes[...]
        guard let letter = rest.first, letter.isLetter, let mark = rest.dropFirst().first,
            (isBracketed ? ")" : ").:").utf8.contains(mark)
        else { return nil }
        return letter | 0x20
    }
}
