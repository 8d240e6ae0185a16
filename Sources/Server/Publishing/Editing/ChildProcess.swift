import Foundation

/// A program that runs beside this one, whose output goes to files.
///
/// It inherits no other file, and leads a group of processes of its own. Foundation's `Process` has two faults on Linux,
/// with which a server cannot live: it reads past the end of a buffer while more than about 1,300 files are open, and
/// crashes at times (swift-corelibs-foundation pull request 5472), and it waits for each process that inherited the
/// program's descriptors, such as the agent of a signature (issue 4795); until then it keeps the files open.
struct ChildProcess: Sendable {
    private let id: pid_t

    /// Starts a program, which reads nothing.
    ///
    /// - Parameters:
    ///   - command: The program's path and its arguments.
    ///   - environment: Its environment.
    ///   - output: The descriptor that takes its output.
    ///   - errors: The descriptor that takes its errors.
    /// - Throws: `POSIXError` when it cannot be started.
    init(
        _ command: [String], environment: [String: String], output: Int32, errors: Int32
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
        for descriptor in Self.others { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        Self.restoreSignals(&attributes)
        var arguments = command.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var id: pid_t = 0
        let failure = posix_spawn(&id, command[0], &actions, &attributes, &arguments, &variables)
        if failure != 0 { throw POSIXError(POSIXError.Code(rawValue: failure) ?? .EIO) }
        self.id = id
    }

    /// The descriptors that are open, and those that other threads may open meanwhile.
    private static var others: ClosedRange<Int32> {
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return 3...(open.compactMap { Int32($0) }.max() ?? 3) + 256
    }

    /// Threads of this process block signals, and a server ignores those of broken pipes; a program inherits both.
    private static func restoreSignals(_ attributes: inout posix_spawnattr_t) {
        var (none, pipe) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &pipe)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
    }

    /// Waits for the end of the program alone.
    ///
    /// - Returns: Its exit code, or 128 and the number of the signal that ended it; `nil` if it runs after the seconds.
    func status(within seconds: Double) -> Int32? {
        let end = ContinuousClock.now + .seconds(seconds)
        var pause: UInt32 = 500
        while true {
            var status: Int32 = 0
            if waitpid(id, &status, WNOHANG) == id {
                let signal = status & 0x7F
                return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
            }
            guard ContinuousClock.now < end else { return nil }
            usleep(pause)
            pause = min(pause * 2, 20_000)
        }
    }

    /// Asks the program and what it started to end, and ends them after two seconds.
    func end() {
        kill(-id, SIGTERM)
        if status(within: 2) != nil { return }
        kill(-id, SIGKILL)
        _ = status(within: 2)
    }
}
