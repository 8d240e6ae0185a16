extension StudyProblem.Code {
    /// The key of the sentence that says what happened, and what is safe.
    public var key: String {
        switch self {
        case .notFound: "errors.pageMissing"
        case .notSaved: "errors.writeFailed"
        case .unreadable: "errors.readFailed"
        case .offline: "freshness.offline"
        case .changed: "errors.staleForm"
        case .ended: "session.ended"
        case .noResponse: "session.chooseFirst"
        case .noNumber, .ambiguousNumber: "session.enterFirst"
        case .nothingToAsk: "today.done"
        }
    }
}
