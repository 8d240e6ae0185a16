import ServiceAPI
package import UserData

/// The records of an account that the review of keys reads.
package enum ReviewRecords {
    /// The collections of these records.
    package static let collections: Set<String> = [
        CollectionRules.consents.declaration.name, CollectionRules.questionReports.declaration.name,
    ]

    /// Parses stored records; unreadable ones are skipped.
    ///
    /// - Parameter rows: The existing records of the collections `consents` and `questionReports`, the last changed
    ///   first.
    /// - Returns: True if the user agreed to contribute, and the newest reports up to the limit.
    package static func read(
        _ rows: [(collection: String, id: String, json: String)]
    ) -> (contributes: Bool, reports: [QuestionReport]) {
        var contributes = false
        var reports: [QuestionReport] = []
        for row in rows {
            guard let record = StoredJSON.readable(row.json) else { continue }
            if row.collection == CollectionRules.consents.declaration.name {
                if row.id == Consent.answerAnalysis.rawValue {
                    contributes = Consent.isGiven(record.values)
                }
            } else if reports.count < ServiceLimits.reportsCountedMax,
                let report = QuestionReport(record.values)
            {
                reports.append(report)
            }
        }
        return (contributes, reports)
    }
}
