package import PostgresDriver
package import ServiceAPI
import Tables
import UserData

extension AnswerLoader {
    /// The number of answers that are in memory at once.
    private static let runMax = 10_000

    /// Reads all answers of the transaction's user except those that are taken back, in parts.
    package static func forEachRun(
        in transaction: PostgresTransaction, _ body: (EncodedAnswers) throws -> Void
    ) throws {
        let results = try transaction.pipeline(
            [
                """
                SELECT name, last_answer FROM underway.device
                WHERE account = underway.claim() AND last_answer > 0 ORDER BY number
                """
            ] + [StoredRetraction.allHolding().inPostgres].compactMap(\.self))
        let retracted = try Set(
            results[1].map { try StoredRetraction(row: TableRow($0)).target })
        for device in results[0] {
            let last: Int = try device.value("last_answer")
            for first in stride(from: 1, through: last, by: runMax) {
                let span = AnswerSpan(
                    client: ClientID(try device.value("name")), first: UInt64(first),
                    count: min(runMax, last - first + 1))
                for run in try AnswerLoader([span]).page(in: transaction).runs {
                    try body(run.counted(without: retracted))
                }
            }
        }
    }
}
