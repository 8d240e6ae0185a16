import ArgumentParser
import Foundation
import PostgresDriver

/// The users' data of a server: its folder with SQLite, or its PostgreSQL database.
struct StorageOptions: ParsableArguments {
    /// The place of the data.
    enum Place {
        /// The existing file of SQLite.
        case file(String)
        /// The address of PostgreSQL.
        case address(PostgresAddress)
    }

    @Option(
        help: "The server's folder of users (SQLite), as in `underway serve --data`.",
        transform: PathArgument.path)
    var data: String?
    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        if data != nil, database.database != nil {
            throw ValidationError("Name either --data or --database.")
        }
        if data == nil, try database.address() == nil {
            throw ValidationError(
                "Name the data: --data FOLDER with SQLite, or --database ADDRESS (UNDERWAY_DATABASE)."
            )
        }
    }

    /// Finds the data; a folder that is named counts more than the environment.
    ///
    /// - Throws: `CommandFailure` when there is no database in the folder, or `ValidationError`.
    func place() throws -> Place {
        guard let data else { return .address(try database.neededAddress()) }
        let path = URL(fileURLWithPath: data).appending(path: "users.sqlite").path
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(.files, "There is no database of users in \(data).", place: path)
        }
        return .file(path)
    }
}
