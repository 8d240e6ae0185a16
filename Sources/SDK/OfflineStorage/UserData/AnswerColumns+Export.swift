import ContentModel
import ServiceAPI
import UserData

extension AnswerColumns {
    /// Returns the columns with the places of answers that are taken back, if there are any.
    func json(markedBy retractions: [AnswerID: AnswerID]) -> JSONValue {
        guard !retractions.isEmpty, case .object(var members) = json else { return json }
        let client = ResponseStorage.former(span.client)
        let marks = (0..<count).compactMap { place in
            retractions[AnswerID(client: client, number: span.first + UInt64(place))].map {
                (String(place), [.string($0.client.text), .integer(Int($0.number))] as JSONValue)
            }
        }
        if !marks.isEmpty {
            members["retractedBy"] = .object(Dictionary(uniqueKeysWithValues: marks))
        }
        return .object(members)
    }
}
