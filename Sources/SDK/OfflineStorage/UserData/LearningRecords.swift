public import QuestionEngine
public import UserData

/// The learner's settings; the record's id is ``LearningFields/allBanks`` or the name of a bank.
///
/// ```swift
/// let store = try UserStore.inMemory()
/// var fields = LearningFields()
/// fields.newPerDay = 10
/// try store.put(fields, id: LearningFields.allBanks)
/// ```
extension LearningFields: CollectionRecord {
    /// The id of the record for all banks.
    public static let allBanks = "all"
    /// The collection `learning`; see `CollectionRules.learning`.
    public static var collection: CollectionDeclaration { CollectionRules.learning.declaration }
}

/// The learner's parameters of the memory model; the record's id is ``recordID``.
extension MemoryRecord: CollectionRecord {
    /// The id of the record for all banks.
    public static let recordID = "all"
    /// The collection `memory`; see `CollectionRules.memory`.
    public static var collection: CollectionDeclaration { CollectionRules.memory.declaration }
}

/// The new questions of a bank that a learner asked for on a day, beyond the limit; the record's id is the bank's name.
///
/// ```swift
/// let store = try UserStore.inMemory()
/// let today = LearningClock().day(of: .now)
/// try store.put(ExtraQuestions(day: today, new: 10, after: 20), id: "int/swift")
/// ```
public struct ExtraQuestions: CollectionRecord, Hashable {
    /// The collection `learningExtra`; see `CollectionRules.learningExtra`.
    public static var collection: CollectionDeclaration {
        CollectionRules.learningExtra.declaration
    }

    /// The learner's day; the record is void on another one.
    public var day: LearningDay
    /// The number of new questions beyond the limit.
    public var new: Int
    /// The number of new questions that were begun on the day before the learner asked for more.
    public var after: Int

    /// Creates a record.
    public init(day: LearningDay, new: Int, after: Int) {
        (self.day, self.new, self.after) = (day, new, after)
    }

    /// Returns the number of new questions beyond the limit, as `DueQueue.Limits.extraNew` counts.
    ///
    /// - Parameters:
    ///   - limit: The day's limit of new questions.
    ///   - used: The number of new questions that were begun on the day.
    /// - Returns: Those that are left, and those that were begun.
    public func count(limit: Int, used: Int) -> Int {
        // The record may come from another device: the sum must not overflow.
        let last = max(0, after).addingReportingOverflow(max(0, new))
        let left = min(max(0, new), max(0, (last.overflow ? .max : last.partialValue) - used))
        return left + max(0, used - limit)
    }
}

/// A question that study does not ask; the record's id is ``recordID``.
///
/// ```swift
/// let store = try UserStore.inMemory()
/// let question = SetAsideQuestion(bank: "int/swift", question: "swift-001", reason: .own, lapses: 0)
/// if let id = question.recordID { try store.put(question, id: id) }
/// ```
public struct SetAsideQuestion: CollectionRecord, Hashable {
    /// The collection `setAside`; see `CollectionRules.setAside`.
    public static var collection: CollectionDeclaration { CollectionRules.setAside.declaration }

    /// The reason of the record.
    public enum Reason: String, Sendable, Hashable, Codable {
        /// The learner missed the question on many days.
        case lapses
        /// The learner set it aside.
        case own
        /// The learner asked for it again: it is not set aside. Its lapses stay known, unlike those of a deleted record.
        case asked
    }

    /// The name of the bank.
    public var bank: String
    /// The question's id.
    public var question: String
    /// The reason.
    public var reason: Reason
    /// The number of the question's lapses at that time.
    public var lapses: Int

    /// Creates a record.
    public init(bank: String, question: String, reason: Reason, lapses: Int) {
        self.bank = bank
        self.question = question
        self.reason = reason
        self.lapses = lapses
    }

    /// True if study does not ask the question.
    public var isSetAside: Bool { reason != .asked }
    /// The id of the record; `nil` if the names are too long for one.
    public var recordID: String? {
        let id = "\(bank):\(question)"
        return Validity.isID(id) ? id : nil
    }
}
