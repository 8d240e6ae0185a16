import Foundation

/// An error of grading, with its question.
///
/// ```swift
/// do throws(GradingError) {
///     print(try Grading.grade(.options(["a", "a"]), to: question).credit)
/// } catch {
///     print(error.code == .repeatedOption, error.option == "a", error.message)
/// }
/// ```
public struct GradingError: EngineError {
    /// The stable code of the error, by which an app chooses a translation.
    public var code: EngineErrorCode
    /// The mistake and its remedy, in English.
    public var message: String
    /// The question.
    public var question: String
    /// The option of the response that the error concerns, if any.
    public var option: String?
}

extension GradingError {
    /// Reports that the question has no key.
    public static func noKey(question: String) -> Self {
        Self(
            code: .noKey,
            message:
                "The question \(question) has no key: leave it out and report it to its author.",
            question: question)
    }

    /// Reports that the key names an unknown option, or one twice, or does not match the type.
    public static func brokenKey(question: String) -> Self {
        Self(
            code: .brokenKey,
            message:
                "The key of the question \(question) is unusable: leave it out and report it to its author.",
            question: question)
    }

    /// Reports that the response names an unknown option.
    public static func unknownOption(_ option: String, question: String) -> Self {
        Self(
            code: .unknownOption,
            message: "The question \(question) has no option \(option): choose one of its options.",
            question: question, option: option)
    }

    /// Reports that the response names an option twice.
    public static func repeatedOption(_ option: String, question: String) -> Self {
        Self(
            code: .repeatedOption,
            message:
                "The response to the question \(question) names the option \(option) twice: name it once.",
            question: question, option: option)
    }

    /// Reports that the response to a question with one right option names several.
    public static func tooManyOptions(question: String) -> Self {
        Self(
            code: .tooManyOptions,
            message: "Only one option of the question \(question) is right: choose one.",
            question: question)
    }

    /// Reports that the response does not order all options.
    public static func incompleteOrder(question: String) -> Self {
        Self(
            code: .incompleteOrder,
            message:
                "The response to the question \(question) must name every option once, in order.",
            question: question)
    }

    /// Reports that the response is of a kind that the question does not accept.
    public static func wrongKind(question: String) -> Self {
        Self(
            code: .wrongKind,
            message:
                "The question \(question) accepts another kind of response: give options, or a number, as"
                + " its type asks.", question: question)
    }
}
