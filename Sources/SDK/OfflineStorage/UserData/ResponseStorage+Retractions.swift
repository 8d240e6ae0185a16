import GRDB
import ServiceAPI
import UserData

extension ResponseStorage {
    /// Has retractions that were moved to another name take back the answers that were moved with them.
    ///
    /// - Parameters:
    ///   - device: The number of the device with the new name.
    ///   - former: The former name of all moved rows.
    ///   - span: The moved rows with their new numbers.
    ///   - counters: The former numbers of the rows, in the same order.
    /// - Throws: An error of the database.
    func renameTargets(
        in device: Int64, of former: ClientID, _ span: AnswerSpan, from counters: [Int64]
    ) throws {
        guard span.client != former || counters.first != Int64(span.first) else { return }
        let numbers = Dictionary(uniqueKeysWithValues: zip(counters, span.first...span.last))
        let undos = try Row.fetchAll(
            database,
            sql: """
                SELECT counter, target FROM retraction
                WHERE device = ? AND client = ? AND counter BETWEEN ? AND ?
                """,
            arguments: [device, former.text, Int64(span.first), Int64(span.last)])
        for undo in undos {
            guard let number = numbers[undo[1]] else { continue }
            let response = AnswerRow.retraction(of: AnswerID(client: span.client, number: number))
            try database.execute(
                sql: "UPDATE answerRow SET response = ? WHERE device = ? AND counter = ?",
                arguments: [StoredTexts.text(response), device, undo[0] as Int64])
        }
    }
}
