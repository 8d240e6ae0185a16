public import Foundation

/// An error of grading; each case names the question.
///
/// ```swift
/// do throws(GradingError) {
///     print(try Grading.grade(.options(["a", "a"]), to: question).credit)
/// } catch {
///     print(error.code == .repeatedOption, error.localizedDescription)
/// }
/// ```
public enum GradingError: Error, Hashable, Sendable {
    /// The question has no key.
    case noKey(question: String)
    /// The key names an unknown option, or one twice, or does not match the type.
    case brokenKey(question: String)
    /// The response names an unknown option.
    case unknownOption(String, question: String)
    /// The response names an option twice.
    case repeatedOption(String, question: String)
    /// The response to a question with one right option names several.
    case tooManyOptions(question: String)
    /// The response does not order all options.
    case incompleteOrder(question: String)
    /// The response is of a kind that the question does not accept.
    case wrongKind(question: String)
}

extension GradingError: LocalizedError, CustomStringConvertible {
    /// The stable code of the error, by which an app chooses a translation.
    public var code: EngineErrorCode {
        switch self {
        case .noKey: .noKey
        case .brokenKey: .brokenKey
        case .unknownOption: .unknownOption
        case .repeatedOption: .repeatedOption
        case .tooManyOptions: .tooManyOptions
        case .incompleteOrder: .incompleteOrder
        case .wrongKind: .wrongKind
        }
    }

    /// The reason and the remedy, in English.
    public var description: String {
        switch self {
        case .noKey(let question):
            "The question \(question) has no key: leave it out and report it to its author."
        case .brokenKey(let question):
            "The key of the question \(question) is unusable: leave it out and report it to its author."
        case .unknownOption(let option, let question):
            "The question \(question) has no option \(option)."
        case .repeatedOption(let option, let question):
            "The response to the question \(question) names the option \(option) twice."
        case .tooManyOptions(let question):
            "Only one option of the question \(question) is right: choose one."
        case .incompleteOrder(let question):
            "The response to the question \(question) must name every option once, in order."
        case .wrongKind(let question):
            "The question \(question) accepts another kind of response."
        }
    }

    /// The reason and the remedy, in English.
    public var errorDescription: String? { description }
}
