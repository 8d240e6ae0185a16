import Foundation

/// A password from the terminal, without showing it, or from standard input.
enum Password {
    static func read(_ prompt: String = "password: ") throws -> String {
        guard isatty(STDIN_FILENO) == 1 else { return readLine() ?? "" }
        // Standard error, also with --json: standard output is for the answer alone.
        Console.emit(Data(prompt.utf8), to: .standardError)
        return HiddenInput.during { readLine() ?? "" }
    }
}

/// A terminal that does not show what is typed, and shows it again however the program ends.
private enum HiddenInput {
    /// The signals by which people and systems end a program.
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// The terminal as it was.
    ///
    /// `nonisolated(unsafe)`: it is written before the handlers are set, which alone read it besides, and a
    /// command asks for one password at a time.
    nonisolated(unsafe) private static let shown = {
        let pointer = UnsafeMutablePointer<termios>.allocate(capacity: 1)
        pointer.initialize(to: termios())
        return pointer
    }()

    static func during<Value>(_ body: () -> Value) -> Value {
        guard tcgetattr(STDIN_FILENO, shown) == 0 else { return body() }
        let previous = signals.map { signal($0, restoreAndEnd) }
        // Who started the program with a signal ignored, as nohup does, wants it ignored.
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

    /// Shows what is typed again, then lets the signal end the program as it would have.
    ///
    /// Calls only what POSIX allows in a handler (POSIX.1-2017, XSH 2.4.3).
    private static let restoreAndEnd: @convention(c) (Int32) -> Void = { number in
        tcsetattr(STDIN_FILENO, TCSANOW, shown)
        write(STDERR_FILENO, "\n", 1)
        signal(number, SIG_DFL)
        raise(number)
    }
}
