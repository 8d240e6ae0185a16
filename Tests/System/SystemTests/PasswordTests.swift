import Foundation
import Glibc
import TestSupport
import Testing

/// A password typed at a terminal, here a pseudo-terminal.
@Suite struct PasswordTests {
    /// Whether a terminal shows what is typed.
    private static func echoes(_ terminal: Int32) -> Bool {
        var settings = termios()
        return tcgetattr(terminal, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// A pair of both ends (pts(4)); Glibc's functions for it are not visible in Swift.
    private static func pseudoTerminal() throws -> (controller: Int32, terminal: Int32) {
        let controller = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        // TIOCSPTLCK and TIOCGPTN.
        try #require(ioctl(controller, 0x4004_5431, &isLocked) == 0)
        try #require(ioctl(controller, 0x8004_5430, &number) == 0)
        let terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        try #require(terminal >= 0)
        return (controller, terminal)
    }

    private static func wait(_ process: Process, until isTrue: () -> Bool) {
        let end = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < end, process.isRunning, !isTrue() { usleep(2_000) }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func aSignalAtThePromptShowsAgainWhatIsTyped(number: Int32) async throws {
        let folder = try TemporaryFolder()
        let end: (reason: Process.TerminationReason, status: Int32) = try await Tool.blocking {
            let (controller, terminal) = try Self.pseudoTerminal()
            defer { close(controller) }
            defer { close(terminal) }
            #expect(Self.echoes(terminal))
            let process = Process()
            process.executableURL = Tool.url
            process.arguments = [
                "account", "sign-in", "ada@example.org", "--server", "http://127.0.0.1:9",
                "--store",
                folder.path + "/phone",
            ]
            process.standardInput = FileHandle(fileDescriptor: terminal, closeOnDealloc: false)
            process.standardError = FileHandle.nullDevice
            try process.run()
            Self.wait(process) { !Self.echoes(terminal) }
            #expect(!Self.echoes(terminal))
            kill(process.processIdentifier, number)
            process.waitUntilExit()
            #expect(Self.echoes(terminal))
            return (process.terminationReason, process.terminationStatus)
        }
        #expect(end.reason == .uncaughtSignal && end.status == number)
    }
}
