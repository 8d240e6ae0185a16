package import PostgresDriver
import ServiceAPI
package import UserData

extension AnswerBatch {
    /// Returns the statement that adds the run to a device's answers, and counts it.
    package func statement(for span: AnswerSpan) -> PostgresStatement {
        let names = names.values
        let values = rows.map { $0?.row }
        let places = sums.places
        return """
            SELECT underway.ledger_append_1(
                \(span.client.text), \(Int64(span.first)),
                \(names.map(\.kind)), \(names.map(\.digest)), \(names.map(\.text)),
                \(names.map(\.bank)), \(names.map(\.domain)), \(names.map(\.question)),
                \(sessions.values.map(\.session)), \(sessions.values.map(\.mode)),
                \(rows.map { $0?.question }), \(rows.map { $0?.session }),
                \(rows.map { $0?.options }), \(values.map { $0?.milliseconds }),
                \(values.map { $0.map { Int32($0.takenMilliseconds) } }),
                \(values.map { $0.map { Int32($0.exposuresBefore) } }),
                \(values.map { $0.map(AnswerFlags.flags) }), \(values.map { $0?.storedCredit }),
                \(rows.map { $0?.text }), \(values.map { $0?.offsetMinutes }),
                \(places.map(\.day)), \(places.map(\.bank)), \(places.map(\.domain)),
                \(places.map(\.answers)), \(places.map(\.correct)), \(places.map(\.taken)),
                \(places.map(\.last)), \(places.map(\.histogramText)),
                \(sums.ofDays.map(\.question)), \(sums.ofDays.map(\.place)),
                \(sums.ofDomains.map(\.question)), \(sums.ofDomains.map(\.place)))
            """
    }
}

extension AnswerSums.Place {
    /// The histogram as an array of SQL, which has no arrays of arrays of different lengths.
    fileprivate var histogramText: String {
        "{" + histogram.map { "\($0)" }.joined(separator: ",") + "}"
    }
}
