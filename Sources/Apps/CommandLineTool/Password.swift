import Foundation

/// A password from the terminal without echo, or from standard input.
enum Password {
    static func read(_ prompt: String = "password: ") throws -> String {
        guard isatty(STDIN_FILENO) == 1 else { return readLine() ?? "" }
        // Standard error, also with --json: standard output has the JSON document alone.
        Console.emit(Data(prompt.utf8), to: .standardError)
        return HiddenInput.during { readLine() ?? "" }
    }
}

/// The echo of the terminal, off while a password is typed, and restored however the program ends.
private enum HiddenInput {
    /// The signals that people and systems send to end a program.
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// The former settings of the terminal.
    ///
    /// `nonisolated(unsafe)`: it is written before the handlers are set, which alone read it
    /// besides, and a command asks for one password at a time.
    nonisolated(unsafe) private static let shown = {
        let pointer = UnsafeMutablePointer<termios>.allocate(capacity: 1)
        pointer.initialize(to: termios())
        return pointer
    }()

    static func during<Value>(_ body: () -> Value) -> Value {
        guard tcgetattr(STDIN_FILENO, shown) == 0 else { return body() }
        let previous = signals.map { signal($0, restoreAndEnd) }
        // A signal that was ignored at the start, as under nohup, stays ignored.
        for (number, handler) in zip(signals, previous) where isIgnored(handler) {
            signal(number, handler)
        }
        var hidden = shown.pointee
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, shown)
            for (number, handler) in zip(signals, previous) { signal(number, handler) }
            Console.note("")
        }
        return body()
    }

    private static func isIgnored(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
        unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Restores the echo, then lets the signal end the program by its default action.
    ///
    /// Calls only functions that POSIX allows in a handler (POSIX.1-2017, XSH 2.4.3).
    private static let restoreAndEnd: @convention(c) (Int32) -> Void = { number in
        tcsetattr(STDIN_FILENO, TCSANOW, shown)
        write(STDERR_FILENO, "\n", 1)
        signal(number, SIG_DFL)
        raise(number)
    }
}
