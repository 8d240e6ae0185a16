/// Something that a user may agree to, as a record of the collection `consents`.
///
/// Without a record nothing is agreed. An agreement is stored on the device first and reaches the server with the
/// next exchange; taking it back removes at the server what was derived from it.
///
/// ```swift
/// print(Consent.answerAnalysis.rawValue, Consent.isGiven(["isGiven": true]))  // answer-analysis true
/// ```
public enum Consent: String, Sendable, Hashable, CaseIterable {
    /// First answers may be analysed, together with those of others, to find questions whose key is wrong.
    case answerAnalysis = "answer-analysis"

    /// The fields of a record that says yes or no.
    public static func fields(isGiven: Bool) -> [String: FieldValue] {
        ["isGiven": .bool(isGiven)]
    }

    /// Returns true for a record that says yes; anything unreadable is no.
    public static func isGiven(_ fields: [String: FieldValue]) -> Bool {
        fields["isGiven"] == .bool(true)
    }
}
