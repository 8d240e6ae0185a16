extension StudyProblem.Code {
    /// The key of the sentence in a session, which was continued in another window or by another process.
    public var keyInSession: String { self == .changed ? "session.wentOn" : key }

    /// The key of the sentence about the problem and the state of the data.
    public var key: String {
        switch self {
        case .notFound: "errors.pageMissing"
        case .notSaved: "errors.writeFailed"
        case .unreadable: "errors.readFailed"
        case .offline: "freshness.offline"
        case .changed: "errors.staleForm"
        case .ended: "session.ended"
        case .answeredElsewhere: "session.answeredElsewhere"
        case .examNotUndoable: "undo.exam"
        case .ofAnotherDay: "undo.otherDay"
        case .nothingToUndo: "undo.nothing"
        case .noResponse: "session.chooseFirst"
        case .noNumber, .ambiguousNumber: "session.enterFirst"
        case .nothingToAsk: "today.done"
        }
    }
}
