public import UserData

/// A question that a learner marked; the record's id is the question's.
public struct Favourite: CollectionRecord, Hashable {
    /// See `CollectionRules.favourites`.
    public static var collection: CollectionDeclaration { CollectionRules.favourites.declaration }

    /// The bank of the question: a language, or region and exam parted by a slash.
    public var bank: String
    /// What the learner wrote beside it.
    public var note: String?

    /// Marks a question of a bank.
    public init(bank: String, note: String? = nil) {
        self.bank = bank
        self.note = note
    }
}

/// An exam that a learner plans; two dates for one exam are for the learner to settle.
public struct Reservation: CollectionRecord, Hashable {
    /// See `CollectionRules.reservations`.
    public static var collection: CollectionDeclaration {
        CollectionRules.reservations.declaration
    }

    /// How far it has come.
    public enum Status: String, Sendable, Hashable, Codable {
        case planned, booked, taken, cancelled
    }

    /// The exam: region and exam parted by a slash.
    public var exam: String
    /// The day as `2026-12-24`, or the moment as ISO 8601 writes it.
    public var date: String
    /// How far it has come.
    public var status: Status

    /// Plans an exam.
    public init(exam: String, date: String, status: Status = .planned) {
        self.exam = exam
        self.date = date
        self.status = status
    }
}
