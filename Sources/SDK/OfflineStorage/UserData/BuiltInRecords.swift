public import UserData

/// A question that a learner marked; the id of the record is that of the question.
///
/// ```swift
/// let store = try UserStore.inMemory()
/// try store.put(Favourite(bank: "es", note: "hard"), id: "es-001")
/// ```
public struct Favourite: CollectionRecord, Hashable {
    /// The collection `favourites`; see `CollectionRules.favourites`.
    public static var collection: CollectionDeclaration { CollectionRules.favourites.declaration }

    /// The ``QuestionFilter/Bank/name`` of the question's bank.
    public var bank: String
    /// The learner's own note.
    public var note: String?

    /// Creates a mark of a question in a bank.
    public init(bank: String, note: String? = nil) {
        self.bank = bank
        self.note = note
    }

    /// Creates a mark of a question in a bank.
    public init(bank: QuestionFilter.Bank, note: String? = nil) {
        self.init(bank: bank.name, note: note)
    }
}

/// An exam that a learner plans; two dates for one exam become a conflict that the learner resolves.
///
/// ```swift
/// let store = try UserStore.inMemory()
/// try store.put(Reservation(exam: "int/swift", date: "2026-12-24"), id: "swift-2026")
/// print(try store.conflicts(of: Reservation.self).count)
/// ```
public struct Reservation: CollectionRecord, Hashable {
    /// The collection `reservations`; see `CollectionRules.reservations`.
    public static var collection: CollectionDeclaration {
        CollectionRules.reservations.declaration
    }

    /// The progress of a reservation.
    public enum Status: String, Sendable, Hashable, Codable {
        case planned, booked, taken, cancelled
    }

    /// The exam: region and exam with a slash between.
    public var exam: String
    /// The date: a day, or a moment.
    public var date: ExamDate
    /// The progress of the reservation.
    public var status: Status

    /// Creates a reservation of an exam.
    public init(exam: String, date: ExamDate, status: Status = .planned) {
        self.exam = exam
        self.date = date
        self.status = status
    }
}

/// A user's consent to a use of their data; the record's id is the ``Consent``.
///
/// ```swift
/// let store = try UserStore.inMemory()
/// try store.put(ConsentRecord(isGiven: true), id: Consent.answerAnalysis.rawValue)
/// ```
public struct ConsentRecord: CollectionRecord, Hashable {
    /// The collection `consents`; see `CollectionRules.consents`.
    public static var collection: CollectionDeclaration { CollectionRules.consents.declaration }

    /// True when the user consents.
    public var isGiven: Bool

    /// Creates a record of a consent given or denied.
    public init(isGiven: Bool) { self.isGiven = isGiven }
}

/// A report is a record, whose id is ``QuestionReport/recordID``.
///
/// ```swift
/// let store = try UserStore.inMemory()
/// let report = QuestionReport(
///     bank: "int/swift", question: "swift-001", version: "1a2b", reason: .unclear)
/// try store.put(report, id: report.recordID)
/// ```
extension QuestionReport: CollectionRecord {
    /// The collection `questionReports`; see `CollectionRules.questionReports`.
    public static var collection: CollectionDeclaration {
        CollectionRules.questionReports.declaration
    }
}
