import ArgumentParser
import ContentModel
import Operations
import PostgresDriver

extension DatabaseCommand {
    struct Migrate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "migrate",
            abstract: "Upgrade a PostgreSQL database to this version.",
            discussion: """
                The command creates the roles, tables and policies that are missing, each step in a transaction of \
                its own. Run it again after a failure. It needs a superuser, or a login that may create roles. The \
                server logs in as underway_server, which cannot change tables. SQLite databases are upgraded when \
                the server starts.
                """,
            examples: ["underway db migrate --database postgres://admin@localhost/underway"])
        @OptionGroup var database: DatabaseOptions
        @OptionGroup var outputOptions: OutputOptions

        func validate() throws { _ = try database.neededAddress() }

        func run() async throws {
            let address = try database.neededAddress()
            let ran = try await reportingErrors {
                try await CommandFailure.naming(address) {
                    var settings = PoolSettings(address)
                    // A step may rewrite a large table, or wait for another migrator that does.
                    settings.replyTimeout = .seconds(24 * 3_600)
                    let pool = PostgresPool(settings)
                    let ran = try await pool.use { try PostgresMigrator().migrate($0) }
                    await pool.close()
                    return ran
                }
            }
            Console.say(
                ran.isEmpty
                    ? "The database is of this version already."
                    : ran.map { "Ran \($0)." }.joined(separator: "\n"),
                json: ["migrations": .array(ran.map { .string($0) })])
        }
    }
}
