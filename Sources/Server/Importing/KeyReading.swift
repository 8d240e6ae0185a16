/// A way of reading the keys of a file.
public enum KeyReading: String, Sendable, Hashable, Codable, CaseIterable {
    /// Marks of right options: `isCorrect` in an option, or a list `[false, true]` as long as the options.
    case flags
    /// Ids, labels or numbers that the file gives to options.
    case names
    /// Letters of options: `B` is the second.
    case letters
    /// Texts of options.
    case texts
    /// Numbers of options, from 0.
    case fromZero = "from-0"
    /// Numbers of options, from 1.
    case fromOne = "from-1"
    /// Words for true and false.
    case judgements

    /// True when it says how numbers are counted, and nothing about other keys.
    var isCount: Bool { self == .fromZero || self == .fromOne }

    /// The words for people.
    public var words: String {
        switch self {
        case .flags: "flags of options"
        case .names: "names of options"
        case .letters: "letters"
        case .texts: "texts"
        case .fromZero: "numbers from 0"
        case .fromOne: "numbers from 1"
        case .judgements: "true or false"
        }
    }
}
