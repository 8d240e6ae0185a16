/// The device that gave an answer and that device's number of it, from 1.
///
/// ```swift
/// let id = AnswerID(client: ClientID("phone"), number: 7)
/// print(id < AnswerID(client: id.client, number: 8))
/// ```
public struct AnswerID: Sendable, Hashable, Comparable {
    /// The device.
    public let client: ClientID
    /// The device's number of the answer, from 1 without gaps.
    public let number: UInt64

    /// Creates an answer's identity.
    public init(client: ClientID, number: UInt64) {
        self.client = client
        self.number = number
    }

    /// Orders by device, then by number.
    public static func < (left: AnswerID, right: AnswerID) -> Bool {
        (left.client, left.number) < (right.client, right.number)
    }
}

/// A retraction is an answer row whose response names the answer that it takes back.
///
/// | response | meaning |
/// |---|---|
/// | `["#retract", "device-1", "121"]` | takes back answer 121 of device-1 |
///
/// It has no credit, no rating and no time of its own. Earlier versions pass it on as a response of a kind that they do
/// not know.
extension AnswerRow {
    /// The mode of an answer to a question that was asked again, or anew after an undo.
    package static let repeatMode = "repeat"
    /// The first text of a retraction's response.
    package static let retractionMark = "#retract"

    /// Returns the response by which a row takes back an answer.
    package static func retraction(of target: AnswerID) -> [String] {
        [retractionMark, target.client.text, String(target.number)]
    }

    /// Returns the answer that a response takes back; `nil` for another response and for a malformed target.
    package static func retracted(by options: [String]) -> AnswerID? {
        guard options.count == 3, options[0] == retractionMark, !options[1].isEmpty,
            let number = UInt64(options[2]), number <= UInt64(FieldValue.integerMax),
            number > 0, String(number) == options[2]
        else { return nil }
        return AnswerID(client: ClientID(options[1]), number: number)
    }

    /// The answer that this row takes back; `nil` for an answer.
    public var retracts: AnswerID? { Self.retracted(by: options) }

    /// True for a retraction, also one with a malformed target.
    public var isRetraction: Bool { options.first == Self.retractionMark }

    /// True for a retraction with a target, and without a credit, a rating and a time.
    var isPlainRetraction: Bool {
        retracts != nil && !isCorrect && credit == 0 && rating == nil && takenMilliseconds == 0
    }

    /// Returns the row by which a device takes this answer back.
    ///
    /// - Parameters:
    ///   - id: The identity of this answer.
    ///   - milliseconds: The time of the retraction, in milliseconds since 1970; a time before the answer's counts as
    ///     that one.
    ///   - offsetMinutes: The minutes by which the device's zone was then ahead of UTC.
    /// - Returns: The retraction, which gets the next number of the device that retracts.
    package func retraction(
        of id: AnswerID, at milliseconds: Int64, offsetMinutes: Int?
    ) -> AnswerRow {
        var row = self
        row.options = Self.retraction(of: id)
        (row.isCorrect, row.credit, row.rating) = (false, 0, nil)
        (row.takenMilliseconds, row.isRandomlySelected) = (0, false)
        row.milliseconds = max(milliseconds, self.milliseconds)
        row.offsetMinutes = offsetMinutes
        return row
    }
}
