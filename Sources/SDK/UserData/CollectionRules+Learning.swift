extension CollectionRules {
    /// A learner's settings of study; the record's id is `all` or the name of a bank.
    ///
    /// The kinds of values are checked, not their ranges: a device takes the default for a number out of range.
    public static let learning = CollectionRules(
        CollectionDeclaration("learning", .fieldMerge),
        fields: [
            "rolloverHour": FieldRule([.number]), "newPerDay": FieldRule([.number]),
            "reviewsPerDay": FieldRule([.number]), "examPerDay": FieldRule([.number]),
            "retention": FieldRule([.number]), "repeatsToday": FieldRule([.boolean]),
            "newDespiteBacklog": FieldRule([.boolean]), "lapseLimit": FieldRule([.number]),
            "spreads": FieldRule([.boolean]), "easyDays": FieldRule([.array], lengthMax: 7),
            "optimises": FieldRule([.boolean]),
        ], recordsMax: 1_000)
    /// The new questions of a day that a learner asked for beyond the limit; the record's id is the name of a bank.
    public static let learningExtra = CollectionRules(
        CollectionDeclaration("learningExtra", .lastWriteWins),
        fields: [
            "day": FieldRule([.integer]), "new": FieldRule([.integer], minimum: 0),
            "after": FieldRule([.integer], minimum: 0),
        ],
        required: ["day", "new", "after"], recordsMax: 1_000)
    /// The questions that study does not ask; the record's id is the bank and the question with a colon between.
    public static let setAside = CollectionRules(
        CollectionDeclaration("setAside", .lastWriteWins),
        fields: [
            "bank": FieldRule([.string], lengthMin: 1, lengthMax: 200),
            "question": FieldRule([.string], lengthMin: 1, lengthMax: 200),
            "reason": FieldRule([.string], lengthMin: 1, lengthMax: 40),
            "lapses": FieldRule([.integer], minimum: 0),
        ],
        required: ["bank", "question", "reason", "lapses"])
    /// A learner's parameters of the memory model; the record's id is `all`.
    public static let memory = CollectionRules(
        CollectionDeclaration("memory", .lastWriteWins),
        fields: [
            "model": FieldRule([.string], lengthMin: 1, lengthMax: 40),
            "parameters": FieldRule([.array], lengthMax: 64), "share": FieldRule([.number]),
            "candidate": FieldRule([.array], lengthMax: 64), "through": FieldRule([.integer]),
            "reviews": FieldRule([.integer], minimum: 0),
        ],
        required: ["model", "candidate", "through", "reviews"], recordsMax: 10)
}
