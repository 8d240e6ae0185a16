import ServiceAPI
package import UserData

/// The records of an account that the review of keys reads.
package enum ReviewRecords {
    /// The collections of these records.
    package static let collections: Set<String> = [
        CollectionRules.consents.declaration.name, CollectionRules.questionReports.declaration.name,
    ]

    /// A question.
    package struct Place: Hashable {
        package var bank: String
        package var question: String

        package init(bank: String, question: String) {
            self.bank = bank
            self.question = question
        }
    }

    /// Reads stored records; what cannot be read is left out.
    ///
    /// - Parameter rows: The living records of the collections `consents` and `questionReports`, the last changed first.
    /// - Returns: The record of the consent, and the newest reports, as many as count.
    package static func read(
        _ rows: [(collection: String, id: String, json: String)]
    ) -> (consent: UserRecord?, reports: [QuestionReport]) {
        var consent: UserRecord?
        var reports: [QuestionReport] = []
        for row in rows {
            guard let record = StoredJSON.readable(row.json) else { continue }
            if row.collection == CollectionRules.consents.declaration.name {
                if row.id == Consent.answerAnalysis.rawValue { consent = record }
            } else if reports.count < ServiceLimits.reportsCountedMax,
                let report = QuestionReport(record.values)
            {
                reports.append(report)
            }
        }
        return (consent, reports)
    }
}
