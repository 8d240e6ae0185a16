/// The stable code of an error of the question engine; new ones may be added.
///
/// The raw value never changes, so an app can use it as the key of its translations.
///
/// ```swift
/// do throws(EnteredNumberError) {
///     _ = try DecimalNumber(entered: "1,234", locale: Locale(identifier: "en"))
/// } catch {
///     print(error.code == .ambiguousNumber, error.localizedDescription)
/// }
/// ```
public struct EngineErrorCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name of the code.
    public let rawValue: String

    /// Creates a code.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name of the code.
    public var description: String { rawValue }
}

extension EngineErrorCode {
    /// The session is paused.
    public static let sessionPaused = EngineErrorCode(rawValue: "sessionPaused")
    /// The session is over.
    public static let sessionFinished = EngineErrorCode(rawValue: "sessionFinished")
    /// No question is open.
    public static let noQuestionLeft = EngineErrorCode(rawValue: "noQuestionLeft")
    /// The question is unknown.
    public static let unknownQuestion = EngineErrorCode(rawValue: "unknownQuestion")
    /// The question is not on the screen.
    public static let notOnScreen = EngineErrorCode(rawValue: "notOnScreen")
    /// The question was already answered.
    public static let answeredBefore = EngineErrorCode(rawValue: "answeredBefore")
    /// No answer awaits a rating, or it was rated already.
    public static let ratingNotAwaited = EngineErrorCode(rawValue: "ratingNotAwaited")
    /// The answer cannot be undone, or there is none.
    public static let notUndoable = EngineErrorCode(rawValue: "notUndoable")
    /// The question has no key.
    public static let noKey = EngineErrorCode(rawValue: "noKey")
    /// The key of the question is unusable.
    public static let brokenKey = EngineErrorCode(rawValue: "brokenKey")
    /// The option or response is unknown.
    public static let unknownOption = EngineErrorCode(rawValue: "unknownOption")
    /// The response names an option twice.
    public static let repeatedOption = EngineErrorCode(rawValue: "repeatedOption")
    /// The response names several options where one is right.
    public static let tooManyOptions = EngineErrorCode(rawValue: "tooManyOptions")
    /// The response does not order all options.
    public static let incompleteOrder = EngineErrorCode(rawValue: "incompleteOrder")
    /// The response is of a kind that the question does not accept.
    public static let wrongKind = EngineErrorCode(rawValue: "wrongKind")
    /// The text is not a number.
    public static let noNumber = EngineErrorCode(rawValue: "noNumber")
    /// The text is empty.
    public static let emptyNumber = EngineErrorCode(rawValue: "emptyNumber")
    /// The number has too many digits.
    public static let longNumber = EngineErrorCode(rawValue: "longNumber")
    /// The signs between the digits of the number make no groups.
    public static let numberGroups = EngineErrorCode(rawValue: "numberGroups")
    /// The digits of the number are of two scripts.
    public static let mixedDigits = EngineErrorCode(rawValue: "mixedDigits")
    /// The number has another unit than the question.
    public static let otherUnit = EngineErrorCode(rawValue: "otherUnit")
    /// The fraction has no end as a decimal.
    public static let endlessFraction = EngineErrorCode(rawValue: "endlessFraction")
    /// The number can be read in two ways.
    public static let ambiguousNumber = EngineErrorCode(rawValue: "ambiguousNumber")
    /// The desired retention is out of range.
    public static let retentionOutOfRange = EngineErrorCode(rawValue: "retentionOutOfRange")
    /// A step is out of range.
    public static let stepOutOfRange = EngineErrorCode(rawValue: "stepOutOfRange")
    /// The longest interval is out of range.
    public static let intervalOutOfRange = EngineErrorCode(rawValue: "intervalOutOfRange")
    /// The number of parameters is wrong.
    public static let parameterCount = EngineErrorCode(rawValue: "parameterCount")
    /// A parameter is out of bounds.
    public static let parameterOutOfBounds = EngineErrorCode(rawValue: "parameterOutOfBounds")
    /// A question has fewer than two responses.
    public static let tooFewResponses = EngineErrorCode(rawValue: "tooFewResponses")
    /// Rows or columns do not match each other.
    public static let malformedTable = EngineErrorCode(rawValue: "malformedTable")
    /// A frequency is negative, or their number differs from that of the rows.
    public static let malformedFrequencies = EngineErrorCode(rawValue: "malformedFrequencies")
    /// Fewer than two people answered.
    public static let tooFewPeople = EngineErrorCode(rawValue: "tooFewPeople")
    /// There are fewer than two questions.
    public static let tooFewQuestions = EngineErrorCode(rawValue: "tooFewQuestions")
    /// There are no answers, or no questions.
    public static let tooFewAnswers = EngineErrorCode(rawValue: "tooFewAnswers")
    /// All people answered a question alike.
    public static let constantQuestion = EngineErrorCode(rawValue: "constantQuestion")
    /// The answers do not determine the parameters.
    public static let notIdentified = EngineErrorCode(rawValue: "notIdentified")
}
