import Foundation

/// The letters by which keys and texts name options.
enum OptionLetters {
    /// Returns the options that a key names: `B`, `b)`, `(B)`, `Option B`, `A, C`, `A and C`, `c/d`, or joined as `AC`.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - count: The number of options.
    /// - Returns: The indices in the order of the key; `nil` where a part is no letter of an option.
    static func indices(of key: String, count: Int) -> [Int]? {
        guard key.utf8.count <= 400 else { return nil }
        let plain = key.precomposedStringWithCompatibilityMapping
            .replacing(Pattern.optionWord, with: "").replacing(Pattern.and, with: ",")
        let parts = plain.split { ",;&/|".contains($0) || $0.isWhitespace }
            .map { $0.filter { !"().:".contains($0) } }
        if parts.count == 1, let joined = joined(parts[0], count) { return joined }
        let found = parts.map { index(of: $0, count: count) }
        guard !found.isEmpty, !found.contains(nil) else { return nil }
        let indices = found.compactMap(\.self)
        return Set(indices).count == indices.count ? indices : nil
    }

    /// Returns whether a key joins letters by more than standing side by side, as `A and B`, so that an option may be it.
    static func areWords(_ key: String) -> Bool { key.contains { !$0.isLetter && !$0.isNumber } }

    /// Returns the option of one letter.
    static func index(of letter: some StringProtocol, count: Int) -> Int? {
        guard letter.utf8.count == 1, let byte = letter.uppercased().utf8.first,
            (65...90).contains(byte), Int(byte) - 65 < count
        else { return nil }
        return Int(byte) - 65
    }

    /// Returns the options of joined letters, in order and each once.
    private static func joined(_ letters: String, _ count: Int) -> [Int]? {
        guard (2...26).contains(letters.utf8.count),
            letters.allSatisfy(\.isUppercase) || letters.allSatisfy(\.isLowercase)
        else { return nil }
        let found = letters.map { index(of: String($0), count: count) }
        guard !found.contains(nil) else { return nil }
        let indices = found.compactMap(\.self)
        return zip(indices, indices.dropFirst()).allSatisfy(<) ? indices : nil
    }

    /// Returns the text of an option without its letter, as of `B. Iron`; `nil` where it does not begin with that letter.
    static func text(of option: String, at index: Int) -> String? {
        guard let first = option.first, first.isASCII, index < 26,
            first.uppercased() == String(UnicodeScalar(UInt8(65 + index))),
            let mark = option.dropFirst().first, ".):、．".contains(mark)
        else { return nil }
        let rest = option.dropFirst(2)
        // "A.I." and "B:C" are texts of their own.
        guard rest.first?.isWhitespace == true || "、．".contains(mark) else { return nil }
        let text = String(rest).trimmed
        return text.isEmpty ? nil : text
    }

    /// Returns the letters before options, in small letters, where every option has one and they are not in order.
    static func disordered(_ options: [String]) -> [(letter: String, text: String)]? {
        guard (2...26).contains(options.count), texts(of: options) == nil else { return nil }
        var found: [(letter: String, text: String)] = []
        for option in options {
            let bare = option.first == "(" ? String(option.dropFirst()) : option
            guard let place = index(of: bare.prefix(1), count: 26),
                let text = text(of: bare, at: place)
            else { return nil }
            found.append((bare.prefix(1).lowercased(), text))
        }
        let inOrder = options.indices.map { String(UnicodeScalar(UInt8(97 + $0))) }
        return found.map(\.letter) == inOrder ? nil : found
    }

    /// Returns the texts of options that all begin with their letters in order; `nil` for others.
    static func texts(of options: [String]) -> [String]? {
        guard options.count > 1 else { return nil }
        let texts = options.enumerated().map { text(of: $1, at: $0) }
        return texts.contains(nil) ? nil : texts.compactMap(\.self)
    }
}
