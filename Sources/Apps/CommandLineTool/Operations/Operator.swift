import Foundation
import Workflows

/// The user who runs a command, as the system reports.
enum Operator {
    /// The name for the audit log of a server, as `operator:ada`.
    static var name: String { "operator:" + login }

    /// The name for the record of a release directory, as `ada@desk`.
    static var atHost: String { login + "@" + ProcessInfo.processInfo.hostName }

    /// The operator as records name them.
    static var actor: Actor { Actor(id: name, name: login, address: atHost) }

    /// The person behind `sudo`, else the account of the system.
    static var login: String {
        if geteuid() == 0, let person = ProcessInfo.processInfo.environment["SUDO_USER"],
            !person.isEmpty
        {
            return person
        }
        guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else {
            return String(geteuid())
        }
        return String(cString: name)
    }
}
