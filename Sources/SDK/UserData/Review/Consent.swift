/// A use of data to which a user may agree, as a record of the collection `consents`.
///
/// Without a record, the user has not agreed. An agreement is stored on the device first and reaches the server with
/// the next exchange. When the user revokes it, the server deletes the data derived from it.
///
/// ```swift
/// print(Consent.answerAnalysis.rawValue, Consent.isGiven(["isGiven": true]))  // answer-analysis true
/// ```
public enum Consent: String, Sendable, Hashable, CaseIterable {
    /// First answers may be analysed, together with those of others, to find questions whose key is wrong.
    case answerAnalysis = "answer-analysis"

    /// Returns the fields of a record that gives or denies the consent.
    public static func fields(isGiven: Bool) -> [String: FieldValue] {
        ["isGiven": .bool(isGiven)]
    }

    /// Returns true for a record that gives the consent; anything unreadable denies it.
    public static func isGiven(_ fields: [String: FieldValue]) -> Bool {
        fields["isGiven"] == .bool(true)
    }
}
