import Foundation
public import Underway

/// A language or an exam that can be learned.
public struct Subject: Sendable, Hashable, Identifiable {
    /// The bank of its questions.
    public var bank: QuestionFilter.Bank
    /// The title of an exam as its author wrote it, or the language's name in the language itself.
    public var title: String
    /// The language's code; `nil` for an exam.
    public var language: String?
    /// The language of the questions' texts (BCP 47); `nil` if it is unknown.
    public var contentLanguage: String?
    /// The region of an exam; `nil` for a language.
    public var region: String?

    /// The bank's name, such as `es` or `de/verkehr`.
    public var id: String { bank.name }

    /// Creates a subject.
    public init(
        bank: QuestionFilter.Bank, title: String, language: String? = nil, region: String? = nil,
        contentLanguage: String? = nil
    ) {
        self.bank = bank
        self.title = title
        self.language = language
        self.region = region
        self.contentLanguage = contentLanguage ?? language
    }

    /// Creates the subject of a bank.
    public init(_ blueprint: Blueprint, of bank: QuestionFilter.Bank) {
        switch bank {
        case .placement(let language):
            self.init(language: language)
            contentLanguage = blueprint.textLanguage
        case .exam(let region, _):
            self.init(
                bank: bank, title: blueprint.title, region: region,
                contentLanguage: blueprint.textLanguage)
        }
    }

    /// Creates the subject of a language.
    public init(language: String) {
        self.init(
            bank: .placement(language: language), title: Self.ownName(of: language),
            language: language)
    }

    /// Creates the subject of a bank that the content no longer has.
    init(missing bank: QuestionFilter.Bank) {
        switch bank {
        case .placement(let language): self.init(language: language)
        case .exam(let region, _): self.init(bank: bank, title: bank.name, region: region)
        }
    }

    /// Returns a language's name in the language itself, with a capital letter.
    public static func ownName(of language: String) -> String {
        let locale = Locale(identifier: language)
        guard let name = locale.localizedString(forIdentifier: language) else { return language }
        return name.prefix(1).uppercased(with: locale) + name.dropFirst()
    }
}

extension QuestionFilter.Bank {
    /// The language of the questions, if known: that of a placement test is its own.
    public var language: String? {
        switch self {
        case .placement(let language): language
        case .exam: nil
        }
    }
}
