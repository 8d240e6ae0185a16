import CommandLineTool

/// The executable `underway`.
@main
enum Program {
    /// Runs the command line.
    static func main() async { await runCommandLine() }
}
