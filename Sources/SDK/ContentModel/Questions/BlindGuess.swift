extension Question {
    /// The probability that a blind guess is right: 1 in the number of options, of sets of options, or of orders.
    package var blindGuess: Double {
        switch type {
        case .numericEntry: 0
        case .ordering: (2...max(2, options.count)).reduce(1.0) { $0 / Double($1) }
        case .multiChoice: oneOfSets
        case .singleChoice, .codeSnippet:
            correct.count > 1 ? oneOfSets : 1 / Double(max(2, options.count))
        }
    }

    /// 1 in the number of sets of one or more options.
    private var oneOfSets: Double {
        1 / Double((1 << min(max(options.count, 2), 62)) - 1)
    }
}
