public import Foundation
public import QuestionEngine

extension UserStore {
    // MARK: Settings

    /// Returns the learner's settings of a bank, or those of all banks.
    ///
    /// ```swift
    /// let store = try UserStore.inMemory()
    /// print(try store.learningSettings(of: .placement(language: "es")).newPerDay)  // 20
    /// ```
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func learningSettings(of bank: QuestionFilter.Bank? = nil) throws -> LearningSettings {
        LearningSettings(
            all: try record(LearningFields.self, id: LearningFields.allBanks),
            bank: try bank.flatMap { try record(LearningFields.self, id: $0.name) })
    }

    /// Returns the scheduler of a bank, by the learner's settings and parameters.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func scheduler(of bank: QuestionFilter.Bank? = nil) throws -> ReviewScheduler {
        let settings = try learningSettings(of: bank)
        let memory = try record(MemoryRecord.self, id: MemoryRecord.recordID)
        // Settings are within the ranges of a scheduler.
        let scheduler = try? ReviewScheduler(
            settings.scheduling, parameters: memory?.used ?? .standard)
        return scheduler ?? SchedulerSettings.standard
    }

    // MARK: More new questions

    /// Returns the new questions of a bank that the learner asked for on a day, beyond the limit; `nil` for none.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func extraQuestions(
        of bank: QuestionFilter.Bank, on day: LearningDay
    ) throws -> ExtraQuestions? {
        let record = try record(ExtraQuestions.self, id: bank.name)
        return record?.day == day ? record : nil
    }

    /// Adds new questions of a bank to those that the limit of a day allows.
    ///
    /// - Parameters:
    ///   - count: The number of new questions to ask now.
    ///   - bank: The bank.
    ///   - day: The learner's day of `now`.
    ///   - now: The wall clock.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func addExtraQuestions(
        _ count: Int, of bank: QuestionFilter.Bank, on day: LearningDay, now: Date = Date()
    ) throws {
        let used = try usage(on: day, in: bank, now: now).newCards
        try put(ExtraQuestions(day: day, new: count, after: used), id: bank.name, now: now)
    }

    // MARK: Set aside questions

    /// Returns the questions of a bank that study does not ask.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func setAsideQuestions(of bank: QuestionFilter.Bank) throws -> [SetAsideQuestion] {
        try records(SetAsideQuestion.self).map(\.value).filter {
            $0.bank == bank.name && $0.isSetAside
        }
    }

    /// Sets aside the questions of a bank that the learner missed on many days, by the ``LearningSettings/lapseLimit``.
    ///
    /// A question for which the learner asked again is set aside at the next step of `LapseRule`.
    /// - Parameters:
    ///   - studied: The schedules of the bank.
    ///   - bank: The bank.
    ///   - now: The wall clock.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func setAsideMissed(
        _ studied: [String: StudiedQuestion], of bank: QuestionFilter.Bank, now: Date = Date()
    ) throws {
        let rule = LapseRule(limit: try learningSettings(of: bank).lapseLimit)
        for question in studied.values where rule.step(reachedBy: question.schedule.lapses) != nil {
            let record = SetAsideQuestion(
                bank: bank.name, question: question.id, reason: .lapses,
                lapses: question.schedule.lapses)
            guard let id = record.recordID else { continue }
            let known = try self.record(SetAsideQuestion.self, id: id)
            // The learner's own wish stays: an undo of the answer does not end it.
            guard known?.isSetAside != true || known?.reason != .own,
                rule.setsAside(at: record.lapses, known: known?.lapses)
            else { continue }
            try put(record, id: id, now: now)
        }
    }

    /// Returns the record of a question that study does not ask; `nil` for one that it asks.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func setAsideQuestion(
        _ question: String, of bank: QuestionFilter.Bank
    ) throws -> SetAsideQuestion? {
        let record = try knownQuestion(question, of: bank)
        return record?.isSetAside == true ? record : nil
    }

    /// Sets a question aside at the learner's wish; one that is set aside already keeps its reason.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`; `refused` if the names are too long for a record.
    public func setAside(
        _ question: String, of bank: QuestionFilter.Bank, now: Date = Date()
    ) throws {
        let known = try knownQuestion(question, of: bank)
        guard known?.isSetAside != true else { return }
        let record = SetAsideQuestion(
            bank: bank.name, question: question, reason: .own, lapses: known?.lapses ?? 0)
        // No id is an id that every store refuses.
        try put(record, id: record.recordID ?? "", now: now)
    }

    /// Removes the record of a question that has fewer lapses after an undo than when it was set aside.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func undoSetAside(
        _ question: String, of bank: QuestionFilter.Bank, lapses: Int, now: Date = Date()
    ) throws {
        guard let record = try setAsideQuestion(question, of: bank), record.reason == .lapses,
            lapses < record.lapses, let id = record.recordID
        else { return }
        try delete(SetAsideQuestion.self, id: id, now: now)
    }

    private func knownQuestion(
        _ question: String, of bank: QuestionFilter.Bank
    ) throws -> SetAsideQuestion? {
        let id = SetAsideQuestion(bank: bank.name, question: question, reason: .own, lapses: 0)
            .recordID
        return try id.flatMap { try record(SetAsideQuestion.self, id: $0) }
    }

    /// Lets study ask a question again that was set aside.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func askAgain(_ question: SetAsideQuestion, now: Date = Date()) throws {
        var record = question
        record.reason = .asked
        guard let id = record.recordID else { return }
        try put(record, id: id, now: now)
    }
}
