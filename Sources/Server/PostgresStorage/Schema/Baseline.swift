import ContentDatabase
import Tables

extension PostgresMigration {
    /// The database as version 0.1.0 makes it: the declared tables, with their policies and grants, and what is written
    /// by hand around them.
    static let baseline = PostgresMigration(
        name: "0.1.0",
        script: ([SessionFunctions.claims, SessionFunctions.accounts, SessionFunctions.auditEnd]
            + Table.all.flatMap { $0.schema(.postgres) } + [ContentSchema.sql]
            + LedgerFunctions.all + [ErasureFunctions.answers, ErasureFunctions.accounts]
            + StatisticsViews.all + [RecountFunctions.sums, RecountFunctions.recounting])
            .joined(separator: "\n\n"))
}
