/// A way of reading the keys of a file, chosen by its user.
public enum KeyReading: String, Sendable, Hashable, Codable, CaseIterable {
    /// Letters of options: `B` is the second.
    case letters
    /// Texts of options.
    case texts
    /// Numbers of options, from 0.
    case fromZero = "from-0"
    /// Numbers of options, from 1.
    case fromOne = "from-1"

    /// The number of the first option; `nil` where keys are no numbers.
    var first: Int? {
        switch self {
        case .letters, .texts: nil
        case .fromZero: 0
        case .fromOne: 1
        }
    }

    /// The reading of keys that are texts; `nil` where they are numbers.
    var reading: KeyReadings.Reading? {
        switch self {
        case .letters: .letters
        case .texts: .texts
        case .fromZero, .fromOne: nil
        }
    }
}
