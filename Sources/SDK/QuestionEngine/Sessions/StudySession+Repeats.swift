extension StudySession {
    /// The maximum number of repeats of a question in a session.
    public static let repeatsMax = 3
    /// The number of other questions before a repeat, as far as there are so many.
    public static let questionsBeforeRepeat = 10

    /// Adds a repeat of a wrongly answered question, behind ten other open ones or at the end.
    mutating func addRepeat(of index: Int) {
        let item = items[index]
        guard repeatsToday, let answer = item.answer, !answer.isCorrect,
            item.repetition < Self.repeatsMax
        else { return }
        let open = items.indices.filter { $0 > index && items[$0].isOpen }
        let place =
            open.count < Self.questionsBeforeRepeat
            ? items.count : open[Self.questionsBeforeRepeat - 1] + 1
        items.insert(item.repeated(exposuresBefore: nextExposures(of: item.questionID)), at: place)
    }

    /// Returns the number of times that the learner has seen a question of the session with its verdict.
    func nextExposures(of question: String) -> Int {
        let given = records(of: question).map(\.exposuresBefore)
        return (given.max() ?? -1) + 1
    }

    /// The answers to a question in this session, with those that were undone.
    private func records(of question: String) -> [AnswerRecord] {
        undone.map(\.record).filter { $0.questionID == question }
            + items.filter { $0.questionID == question }.compactMap(record)
    }

    /// Removes the open repeat that follows from the answer to an item.
    mutating func removeRepeat(of item: Item) {
        items.removeAll { item.isRepeated(by: $0) && $0.answer == nil }
    }

    /// Removes the open places of questions that study asks no more, as after they were set aside: repeats, and first
    /// places but those whose answer was undone, which the learner wants to give anew.
    ///
    /// It has no effect except in study.
    /// - Parameter questions: The ids of the questions.
    /// - Returns: True if one was there.
    @discardableResult
    public mutating func removeOpen(_ questions: Set<String>) -> Bool {
        guard mode == .study else { return false }
        func isRemoved(_ item: Item) -> Bool {
            item.isOpen && !(item.isFirst && item.wasUndone) && questions.contains(item.questionID)
        }
        guard items.contains(where: isRemoved) else { return false }
        let isCurrentRemoved = current.map(isRemoved) ?? false
        position -= items.prefix(position).count(where: isRemoved)
        items.removeAll(where: isRemoved)
        if isCurrentRemoved {
            position = items.indices.first { $0 >= position && items[$0].isOpen } ?? items.count
        }
        return true
    }

    /// Removes all open repeats, which the learner who leaves a session loses, and puts the others behind the questions
    /// in their first places.
    mutating func endRepeats() {
        let current = current?.id
        items = items.filter(\.isFirst) + items.filter { !$0.isFirst && $0.answer != nil }
        position = items.firstIndex { $0.id == current } ?? items.count
    }
}

extension StudySession.Item {
    /// The next repeat of the question, with the options in the same order.
    fileprivate func repeated(exposuresBefore: Int) -> Self {
        var item = Self(
            questionID: questionID, contentVersion: contentVersion, domain: domain,
            optionOrder: optionOrder, exposuresBefore: exposuresBefore,
            isRandomlySelected: false)
        item.repetition = repetition + 1
        return item
    }

    fileprivate func isRepeated(by other: Self) -> Bool {
        other.questionID == questionID && other.repetition == repetition + 1
    }
}
