import ContentModel
import Foundation
import Testing

@Suite struct ShellWordTests {
    /// What the shell reads of a word is the word.
    @Test(arguments: [
        "content", "a/b-c_d.e:f@g%h+i,j", "two words", "it's", "$HOME", "~", "", "\"", "a\nb", "*",
        "ä", "a;b", "`x`", "\\",
    ])
    func theShellReadsTheText(text: String) throws {
        let (shell, output) = (Process(), Pipe())
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", "printf %s \(text.shellWord)"]
        shell.standardOutput = output
        try shell.run()
        let read = output.fileHandleForReading.readDataToEndOfFile()
        shell.waitUntilExit()
        #expect(String(decoding: read, as: UTF8.self) == text)
    }

    @Test func aPlainWordHasNoQuotes() {
        #expect("content/int-1.yaml".shellWord == "content/int-1.yaml")
        #expect("no where".shellWord == "'no where'")
    }
}
