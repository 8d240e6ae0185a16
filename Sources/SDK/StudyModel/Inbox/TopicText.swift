public import Underway

extension StudyText {
    /// Returns the kind of a record, such as "Exam date".
    public func thing(_ topic: RecordTopic) -> String {
        switch topic {
        case .examDate: self["booking.title"]
        case .favourite: self["inbox.favourite"]
        case .report: self["report.thing"]
        case .consent: self["settings.consent"]
        case .other: self["inbox.anotherEntry"]
        }
    }

    /// Returns the name of a record, such as the exam's title.
    public func details(_ topic: RecordTopic) -> String {
        switch topic {
        case .examDate(let exam): exam
        case .favourite(let question), .report(let question): question
        case .consent: self["settings.title"]
        // Names of collections and ids are the app's own.
        case .other: ""
        }
    }

    /// Returns the reason why the server rejected a change.
    public func reason(_ refusal: Refusal) -> String {
        switch refusal {
        case .immutable: self["inbox.reasonImmutable"]
        case .notAllowed: self["inbox.reasonNotAllowed"]
        case .unknownCollection: self["inbox.reasonUnknownCollection"]
        case .badField: self["inbox.reasonBadField"]
        case .quota: self["inbox.reasonQuota"]
        case .tooLong: self["inbox.reasonTooLong"]
        }
    }

    /// Returns the progress of a reservation.
    public func status(_ status: Reservation.Status) -> String {
        switch status {
        case .planned: self["booking.statusPlanned"]
        case .booked: self["booking.statusBooked"]
        case .taken: self["booking.statusTaken"]
        case .cancelled: self["booking.statusCancelled"]
        }
    }

    /// The tags by which the language of a message is chosen.
    public var messageLanguages: [String] { [language] }
}
