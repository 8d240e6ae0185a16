import ContentDatabase
import Tables

extension PostgresMigration {
    /// The database as version 0.1.0 makes it: the declared tables, with their policies and grants, and what is written
    /// by hand around them.
    static let baseline = PostgresMigration(
        name: "0.1.0",
        script: (HandWritten.beforeTables + Table.all.flatMap { $0.schema(.postgres) }
            + [ContentSchema.sql] + HandWritten.afterTables).joined(separator: "\n\n"))
}
