/// Whether the numbers of a file's keys count its options from 0 or from 1.
struct KeyNumbering {
    /// The number of the first option.
    let first: Int
    /// What the reader of the ledger should know; `nil` where there is no doubt.
    let note: String?

    /// Decides for a whole file: a key 0 counts from 0, one that equals the number of options from 1.
    ///
    /// - Parameters:
    ///   - keys: The numbers of each question's key with the number of its options.
    ///   - chosen: The number of the first option, where the author said it.
    ///   - file: The file, for messages.
    /// - Throws: ``ImportError`` for a file that has both.
    init(
        _ keys: [(numbers: [Int], optionCount: Int)], chosen: Int?, file: String
    ) throws(ImportError) {
        let hasZero = keys.contains { $0.numbers.contains(0) }
        let hasLast = keys.contains { key in key.numbers.contains(key.optionCount) }
        if let chosen {
            (first, note) = (chosen, nil)
        } else if hasZero, hasLast {
            throw ImportError(
                file,
                "has keys that count from 0 and keys that count from 1; say which by --keys-from")
        } else if hasLast {
            (first, note) = (1, "the keys count from 1, since some equal the number of options")
        } else if hasZero || keys.allSatisfy({ $0.numbers.isEmpty }) {
            (first, note) = (0, nil)
        } else {
            (first, note) = (
                0,
                "nothing says whether the keys count from 0 or from 1: they were read from 0; --keys-from 1 reads them from 1"
            )
        }
    }
}
