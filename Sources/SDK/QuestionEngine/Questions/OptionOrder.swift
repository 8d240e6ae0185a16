public import ContentModel

extension Question {
    /// Returns the options in random order, for display.
    ///
    /// Pinned options do not move; without shuffling, none does. Equal generators give equal orders.
    public func optionsInRandomOrder(
        using generator: inout some RandomNumberGenerator
    ) -> [QuestionOption] {
        guard shufflesOptions else { return options }
        var loose = options.filter { !$0.isPinned }.shuffled(using: &generator)[...]
        return options.map { $0.isPinned ? $0 : loose.removeFirst() }
    }
}
