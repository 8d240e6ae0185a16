import ServiceAPI

/// The small parts of an answer in one number: 1 for a right answer, 2 for one of chance alone, from 4 on the recall.
enum AnswerFlags {
    /// Returns the number.
    static func flags(_ row: EncodedAnswers.Row) -> Int16 {
        (row.isCorrect ? 1 : 0) | (row.isRandomlySelected ? 2 : 0) | Int16(row.rating) << 2
    }

    /// Returns true for a right answer.
    static func isCorrect(_ flags: Int16) -> Bool { flags & 1 != 0 }

    /// Returns true for an answer that chance alone selected.
    static func isRandomlySelected(_ flags: Int16) -> Bool { flags & 2 != 0 }

    /// Returns the recall; 0 for none.
    static func rating(_ flags: Int16) -> Int { Int(flags >> 2) }
}

extension EncodedAnswers.Row {
    /// The credit, unless it follows from the answer's being right or wrong.
    var storedCredit: Double? { credit == plainCredit ? nil : credit }
}
