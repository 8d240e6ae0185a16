import Foundation

/// A program of a database that is missing or failed, with the remedy.
public struct ProgramFailure: Error, CustomStringConvertible {
    public var description: String

    public init(description: String) { self.description = description }
}

/// The programs of the database, run as a user who may run them.
enum Programs {
    /// Returns the path of a program of the newest PostgreSQL.
    static func postgres(_ name: String) throws -> String {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        let folders =
            versions.compactMap { Int($0) }.sorted(by: >).map { "\(root)/\($0)/bin" }
            + ["/usr/local/bin", "/opt/homebrew/bin"]
        return try find(name, in: folders)
    }

    /// Returns the path of the pooler.
    static func pgBouncer() throws -> String {
        try find(
            "pgbouncer",
            in: ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/bin"])
    }

    private static func find(_ name: String, in folders: [String]) throws -> String {
        let paths = folders.map { "\($0)/\(name)" }
        guard let path = paths.first(where: FileManager.default.isExecutableFile) else {
            throw ProgramFailure(
                description:
                    "\(name) is not installed. Run `script/bootstrap test`, which installs it.")
        }
        return path
    }

    /// The user that runs the servers, who refuse to run as root; `nil` for this process's own.
    static let user: String? =
        geteuid() != 0 ? nil : getpwnam("postgres") != nil ? "postgres" : "nobody"

    /// Gives a file or folder to the user that runs the servers.
    static func give(_ path: String) throws {
        guard let user, let entry = getpwnam(user) else { return }
        guard chown(path, entry.pointee.pw_uid, entry.pointee.pw_gid) == 0 else {
            throw ProgramFailure(description: "\(path) cannot be given to \(user).")
        }
    }

    /// Runs a program as that user, and waits for its end.
    ///
    /// - Throws: `ProgramFailure` with its output when it fails.
    @discardableResult
    static func run(_ path: String, _ arguments: [String], folder: String) throws -> String {
        let output = "\(folder)/output-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: output) }
        var command = ["/usr/bin/env", "-C", folder]
        if let user, let entry = getpwnam(user) {
            let (uid, gid) = (entry.pointee.pw_uid, entry.pointee.pw_gid)
            command += ["setpriv", "--reuid", "\(uid)", "--regid", "\(gid)", "--clear-groups"]
        }
        let status = try Spawned(command + [path] + arguments, output: output).wait()
        let text = String(
            decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self)
        guard status == 0 else {
            throw ProgramFailure(description: "\(path) failed: \(text)")
        }
        return text
    }
}
