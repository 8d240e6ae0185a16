public import ContentModel

extension Question {
    /// Returns the options in the order in which to show them.
    ///
    /// Pinned options keep their position; without shuffling all of them do. Equal generators give
    /// equal orders.
    public func optionsInRandomOrder(
        using generator: inout some RandomNumberGenerator
    ) -> [QuestionOption] {
        guard shufflesOptions else { return options }
        var loose = options.filter { !$0.isPinned }.shuffled(using: &generator)[...]
        return options.map { $0.isPinned ? $0 : loose.removeFirst() }
    }
}
