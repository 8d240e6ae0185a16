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

    private static func wait(_ process: Process, until isTrue: () -> Bool) {
        let end = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < end, process.isRunning, !isTrue() { usleep(2_000) }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func aSignalAtThePromptShowsAgainWhatIsTyped(number: Int32) async throws {
        let folder = try TemporaryFolder()
        let reason = try await Tool.blocking {
            let controller = posix_openpt(O_RDWR | O_NOCTTY)
            try #require(controller >= 0 && grantpt(controller) == 0 && unlockpt(controller) == 0)
            defer { close(controller) }
            let terminal = open(
                String(cString: try #require(ptsname(controller))), O_RDWR | O_NOCTTY)
            try #require(terminal >= 0)
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
        #expect(reason.0 == .uncaughtSignal && reason.1 == number)
    }
}
