package import Foundation
package import PostgresDriver

/// A difference between this machine's clock and the database's.
package struct PostgresClockError: Error, Hashable, CustomStringConvertible {
    /// The seconds by which this machine is ahead.
    package let seconds: Int

    /// The reason, and the remedy.
    package var description: String {
        "The clock of this machine is \(abs(seconds)) s \(seconds > 0 ? "ahead of" : "behind") that of the"
            + " database. What expires by it would end sessions of all servers. Set the clocks (NTP), then start"
            + " again."
    }
}

/// The comparison of clocks before a process deletes expired rows.
package enum PostgresClock {
    /// The largest difference, in seconds.
    package static let differenceMax = 300

    /// Compares this machine's time with the database's.
    ///
    /// - Throws: `PostgresClockError` when they differ by more than ``differenceMax`` seconds, or `PostgresError`.
    package static func check(_ connection: PostgresConnection, now: Date) throws {
        let row = try connection.query(
            "SELECT extract(epoch FROM clock_timestamp())::double precision AS seconds"
        ).first
        guard let known = try row?.value("seconds", as: Double.self) else { return }
        let difference = Int(now.timeIntervalSince1970 - known)
        guard abs(difference) <= differenceMax else {
            throw PostgresClockError(seconds: difference)
        }
    }
}
