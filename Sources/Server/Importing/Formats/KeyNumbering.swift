/// The numbers of one question's key.
struct KeyNumbers {
    /// A number, and what else it may be.
    struct Mark {
        var number: Int
        /// True when an option has this number in the file, as in the column `Answer 2`.
        var isNamed: Bool
        /// True when it is the text of an option.
        var isText: Bool
        /// True when the file has it as text, like each cell of a table.
        var isQuoted: Bool
    }

    var marks: [Mark]
    var optionCount: Int
    /// True when the options have numbers in the file, so that a number of the key is never counted.
    var areNumbered: Bool
}

/// The meaning of numbers in the keys of a file, decided for all of its questions at once.
struct KeyNumbering {
    /// The meaning of a number in a text: the place of an option, its text, or either.
    enum Meaning {
        case places, texts, open
    }

    /// The numbers of a file whose keys count from 0.
    static let fromZero = KeyNumbering(first: 0, meaning: .open, notes: [])

    /// The number of the first option.
    let first: Int
    let meaning: Meaning
    /// The notes for the reader of the ledger.
    let notes: [String]

    /// Decides for a whole file.
    ///
    /// A key 0 counts from 0, one that equals the number of options from 1. A number in a text is the text of an option
    /// if some number of the file can only be that, and none can only be a place.
    ///
    /// - Parameters:
    ///   - keys: The numbers of each question's key.
    ///   - chosen: The number of the first option, where the author said it: then numbers are places.
    ///   - file: The file, for messages.
    /// - Throws: ``ImportError`` for a file with keys that count from 0 and from 1.
    init(_ keys: [KeyNumbers], chosen: Int?, file: String) throws(ImportError) {
        let meaning = Self.meaning(keys, chosen)
        let notes =
            meaning == .texts
            ? [
                "the keys that are numbers were read as the texts of options, since some can only be that"
            ]
            : []
        let counted = keys.map { key in
            (
                numbers: key.marks.filter { mark in
                    !key.areNumbered && !mark.isNamed
                        && (!mark.isQuoted || !mark.isText || meaning == .places)
                        && !(mark.isQuoted && meaning == .texts)
                }.map(\.number), optionCount: key.optionCount
            )
        }
        let hasZero = counted.contains { $0.numbers.contains(0) }
        let hasLast = counted.contains { key in key.numbers.contains(key.optionCount) }
        if let chosen {
            self.init(first: chosen, meaning: meaning, notes: notes)
        } else if hasZero, hasLast {
            throw ImportError(
                file,
                "has keys that count from 0 and keys that count from 1; say which by --keys from-0 or --keys from-1"
            )
        } else if hasLast {
            self.init(
                first: 1, meaning: meaning,
                notes: notes + ["the keys count from 1, since some equal the number of options"])
        } else if hasZero || counted.allSatisfy({ $0.numbers.isEmpty }) {
            self.init(first: 0, meaning: meaning, notes: notes)
        } else {
            self.init(
                first: 0, meaning: meaning,
                notes: notes + [
                    "nothing says whether the keys count from 0 or from 1: they were read from 0; --keys from-1 reads them from 1"
                ])
        }
    }

    private init(first: Int, meaning: Meaning, notes: [String]) {
        self.first = first
        self.meaning = meaning
        self.notes = notes
    }

    private static func meaning(_ keys: [KeyNumbers], _ chosen: Int?) -> Meaning {
        guard chosen == nil else { return .places }
        var (hasText, hasPlace) = (false, false)
        for key in keys {
            for mark in key.marks where mark.isQuoted {
                let canBePlace =
                    mark.isNamed
                    || !key.areNumbered && (0...key.optionCount).contains(mark.number)
                if mark.isText, !canBePlace { hasText = true }
                if !mark.isText, canBePlace { hasPlace = true }
            }
        }
        return hasText == hasPlace ? .open : hasText ? .texts : .places
    }
}
