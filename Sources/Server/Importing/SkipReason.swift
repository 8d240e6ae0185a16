import ContentModel

/// The reason that a question is not imported.
struct SkipReason: Error, Hashable {
    var code: ImportCode
    var text: String
    /// The readings of its key that name different options, where the file does not decide.
    var openReadings: [KeyReading] = []

    init(_ code: ImportCode, _ text: String) {
        self.code = code
        self.text = text
    }

    /// Says what a check of a question found.
    init(_ problem: Problem) {
        let codes: [Rule: ImportCode] = [
            .stemBlank: .stemMissing, .optionCount: .optionsMissing, .keyMissing: .keyNone,
            .keyOutOfRange: .keyUnknown, .keyCount: .keyDisagrees, .limitExceeded: .limit,
            .missingMedia: .missing,
        ]
        self.init(codes[problem.rule] ?? .invalid, problem.message)
    }
}
