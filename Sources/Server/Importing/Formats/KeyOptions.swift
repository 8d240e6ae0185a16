import ContentModel
import Foundation

/// The options of a record as the marks of a key may name them.
struct KeyOptions {
    private let texts: [String]
    private let folded: [String]
    /// The ids, labels, columns or typed letters that the file gives to each option, in small letters.
    private let names: [[String]]
    /// The letters with which options begin that are no letters of options, as in `E. coli`.
    private let initials: [String]
    /// The texts behind letters that are not in order.
    private let textsBehindLetters: [String]?
    /// True when the options have numbers in the file, so that a number of the key is never counted.
    private let areNumbered: Bool
    /// True when columns name the options.
    private let areColumns: Bool
    /// True when all options are numbers without quotation marks.
    private let haveNumbers: Bool

    init(_ options: [MappedRecord.NamedOption], areNumbered: Bool) {
        texts = options.map(\.option.text)
        folded = texts.map(Self.folded)
        let typed = OptionLetters.disordered(texts)
        // Without an A they may be initials.
        let areLabels = typed?.contains { $0.letter == "a" } == true
        names = options.enumerated().map { index, option in
            let named = [option.name].compactMap(\.self) + option.furtherNames
            return named.map { $0.lowercased() }
                + (areLabels ? [typed?[index].letter].compactMap(\.self) : [])
        }
        initials = areLabels ? [] : typed?.map(\.letter) ?? []
        textsBehindLetters = typed?.map(\.text)
        self.areNumbered = areNumbered
        areColumns = options.contains(where: \.isColumn)
        haveNumbers = options.allSatisfy(\.isTypedNumber)
    }

    private static func folded(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
        let plain = isPlain ? text : text.precomposedStringWithCompatibilityMapping
        return plain.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Returns what the marks of a key name in each reading.
    ///
    /// - Parameters:
    ///   - marks: The letters, numbers or texts.
    ///   - parts: The key as it is written: the elements of a list, or one text.
    ///   - isTyped: True for numbers without quotation marks, which are texts only if the options are such numbers.
    /// - Returns: The options in each reading that fits.
    func fit(_ marks: [String], parts: [String], isTyped: Bool) -> KeyReadings.Fit {
        var fit: KeyReadings.Fit = [:]
        if !isTyped || haveNumbers {
            fit[.texts] = places(ofTexts: parts) ?? places(ofTexts: marks)
        }
        fit.merge(named(marks, parts: parts)) { $1 }
        // An option may be "A and B" itself.
        if fit[.texts]?.count == 1, fit[.letters].map({ $0.count > 1 }) == true,
            parts.count == 1, OptionLetters.areWords(parts[0])
        {
            fit[.letters] = nil
        }
        let numbers = marks.compactMap { Int($0) }
        if numbers.count == marks.count {
            fit.merge(counted(numbers, isNamed: fit[.names] != nil)) { $1 }
        }
        fit[.flags] = flagged(marks)
        fit[.judgements] = judged(marks)
        return fit
    }

    /// Returns what a cell of a table names.
    func fit(_ cell: String) -> KeyReadings.Fit {
        let marks = marks(cell).map(MappedRecord.withoutQuotes)
        return fit(marks, parts: [MappedRecord.withoutQuotes(cell)], isTyped: false)
    }

    /// Returns one answer, or several letters or numbers with separators.
    func marks(_ text: String) -> [String] {
        if texts.contains(text) { return [text] }
        let parts = text.split { ",; |".contains($0) }.map(String.init)
        return parts.allSatisfy { $0.count <= 2 } ? parts : [text]
    }

    /// Returns the option of each part, all different; `nil` if a part has none.
    private func places(_ parts: [String], _ place: (String) -> Int?) -> [Int]? {
        let found = parts.map(place)
        guard !found.isEmpty, !found.contains(nil) else { return nil }
        let places = found.compactMap(\.self)
        return Set(places).count == places.count ? places : nil
    }

    // MARK: Texts

    /// Returns the options whose texts these are.
    private func places(ofTexts parts: [String]) -> [Int]? { places(parts, place(ofText:)) }

    /// Returns the one option with a text, else the one that differs in case and white space, or has a letter before it.
    private func place(ofText text: String) -> Int? {
        let exact = texts.indices.filter { texts[$0] == text }
        guard exact.isEmpty else { return exact.count == 1 ? exact[0] : nil }
        // "A" is the letter of the option "b", and not the text of "a".
        guard text.count > 1 else { return nil }
        let wanted = Self.folded(text)
        let alike = folded.indices.filter { folded[$0] == wanted }
        guard alike.isEmpty else { return alike.count == 1 ? alike[0] : nil }
        let lettered = texts.indices.filter {
            OptionLetters.text(of: texts[$0], at: $0) == text || textsBehindLetters?[$0] == text
        }
        return lettered.count == 1 ? lettered[0] : nil
    }

    // MARK: Names and letters

    /// Returns what marks name as ids or labels of options, and as their letters.
    private func named(_ marks: [String], parts: [String]) -> KeyReadings.Fit {
        var fit: KeyReadings.Fit = [:]
        let named = places(marks, name)
        if areLetters {
            fit[.letters] = behindLetter(parts) ?? named ?? joinedNames(parts)
            // Columns A, B, C are letters; labels are both.
            if !areColumns { fit[.names] = named }
        } else {
            fit[.names] = named
            fit[.letters] = letters(parts).flatMap { areInitials($0) ? nil : $0 }
        }
        return fit
    }

    /// True when every option is named by a letter, and one of them is that of a place; `x` and `y` are other names.
    private var areLetters: Bool {
        let letters = names.map { $0.compactMap { OptionLetters.index(of: $0, count: 26) } }
        return letters.allSatisfy { !$0.isEmpty }
            && letters.joined().contains(where: texts.indices.contains)
    }

    /// Returns whether the letter of one of these options is that with which another begins.
    private func areInitials(_ places: [Int]) -> Bool {
        places.contains { place in
            let letter = String(UnicodeScalar(UInt8(97 + min(place, 25))))
            return initials.contains(letter) && initials[place] != letter
        }
    }

    /// Returns the one option with a name.
    private func name(_ mark: String) -> Int? {
        let mark = mark.lowercased()
        let found = names.indices.filter { names[$0].contains(mark) }
        return found.count == 1 ? found[0] : nil
    }

    /// Returns the options of joined letters where the options are named by letters.
    private func joinedNames(_ parts: [String]) -> [Int]? {
        guard parts.count == 1, let letters = OptionLetters.indices(of: parts[0], count: 26) else {
            return nil
        }
        return places(letters.map { String(UnicodeScalar(UInt8(97 + $0))) }, name)
    }

    private func letters(_ parts: [String]) -> [Int]? {
        if parts.count == 1 {
            return behindLetter(parts) ?? OptionLetters.indices(of: parts[0], count: texts.count)
        }
        return places(parts) { OptionLetters.indices(of: $0, count: texts.count)?.first }
    }

    /// Returns the option of a letter with its text, such as `B) Iron` or `C. a`, where that option has this text.
    private func behindLetter(_ parts: [String]) -> [Int]? {
        guard parts.count == 1 else { return nil }
        let bare = parts[0].hasPrefix("(") ? String(parts[0].dropFirst()) : parts[0]
        return texts.indices.first { index in
            OptionLetters.text(of: bare, at: index).map { $0 == texts[index] } ?? false
        }.map { [$0] }
    }

    // MARK: Numbers and flags

    /// Returns the options of numbers that count from 0 and from 1; a number that names an option is never counted.
    private func counted(_ numbers: [Int], isNamed: Bool) -> KeyReadings.Fit {
        func counted(from first: Int) -> [Int]? {
            places(numbers.map(String.init)) { mark in
                guard let number = Int(mark) else { return nil }
                let index = number.subtractingReportingOverflow(first)
                return index.overflow || !texts.indices.contains(index.partialValue)
                    ? nil : index.partialValue
            }
        }
        guard !isNamed, !areNumbered else {
            // The number of a column is its place if the columns count from 1.
            let isPlain = names.enumerated().allSatisfy { $1.contains(String($0 + 1)) }
            return isPlain ? [.fromOne: counted(from: 1)].compactMapValues(\.self) : [:]
        }
        return [.fromZero: counted(from: 0), .fromOne: counted(from: 1)].compactMapValues(\.self)
    }

    /// Returns the options that a list of flags marks: `0 1 1` or `[false, true]`, one for each option.
    private func flagged(_ marks: [String]) -> [Int]? {
        guard marks.count == texts.count, marks.count > 1 else { return nil }
        let flags = marks.map {
            ["1": true, "true": true, "0": false, "false": false][$0.lowercased()]
        }
        guard !flags.contains(nil) else { return nil }
        let right = flags.indices.filter { flags[$0] == true }
        return right.isEmpty ? nil : right
    }

    /// Returns the option of a word for true or false among two such words.
    private func judged(_ marks: [String]) -> [Int]? {
        guard marks.count == 1, texts.count == 2, let wanted = JudgementWord.truth(of: marks[0])
        else { return nil }
        let truths = texts.map(JudgementWord.truth)
        guard !truths.contains(nil), truths[0] != truths[1] else { return nil }
        return truths.firstIndex(of: wanted).map { [$0] }
    }
}
