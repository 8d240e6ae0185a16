import Foundation

/// The processes of this machine, as /proc has them.
enum ProcessTable {
    static func isRunning(_ process: pid_t) -> Bool {
        guard let state = fields(process)?.first else { return false }
        return state != "Z" && state != "X"
    }

    static func isStopped(_ process: pid_t) -> Bool { fields(process)?.first == "T" }

    static func children(of parent: pid_t) -> [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter {
            fields($0)?.dropFirst().first == "\(parent)"
        }
    }

    /// The fields of `/proc/<number>/stat` after the program's name: the state, the parent and so on.
    private static func fields(_ process: pid_t) -> [Substring]? {
        guard let data = FileManager.default.contents(atPath: "/proc/\(process)/stat") else {
            return nil
        }
        let text = String(decoding: data, as: UTF8.self)
        guard let end = text.lastIndex(of: ")") else { return nil }
        return text[text.index(after: end)...].split(separator: " ")
    }
}
