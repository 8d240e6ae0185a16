import Foundation

/// A started process without any file of this one.
///
/// Foundation's `Process` takes a program that leaves a server behind for one that does not end: it waits for a
/// descriptor that the server inherits.
struct Spawned: Sendable {
    private let process: pid_t

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - command: The program's path and its arguments.
    ///   - output: The file that takes its output.
    ///   - input: The descriptor that it reads; `nil` for nothing.
    init(_ command: [String], output: String, input: Int32? = nil) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // Other threads open files meanwhile: the numbers above the highest are closed too.
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let highest = open.compactMap { Int32($0) }.max() ?? 0
        for descriptor in 3...max(3, highest) + 256 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        // Threads of this process block most signals, and a server would inherit that: no signal could end it.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var unblocked = sigset_t()
        sigemptyset(&unblocked)
        posix_spawnattr_setsigmask(&attributes, &unblocked)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var arguments = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        guard posix_spawn(&process, command[0], &actions, &attributes, &arguments, environ) == 0
        else {
            throw ProgramFailure(description: "\(command[0]) cannot be started.")
        }
        self.process = process
    }

    /// Waits for its end, and returns its exit code; -1 after a signal.
    func wait() -> Int {
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        return status & 0x7F == 0 ? Int(status >> 8) & 0xFF : -1
    }
}
