#if Server
import CommandLineTool
#else
import Foundation
#endif

/// The executable `underway`.
@main
enum Program {
    /// Runs the command line; a build without the trait `Server` explains how to get it and exits
    /// with 69.
    static func main() async {
        #if Server
        await runCommandLine()
        #else
        let text =
            "underway: this build has the SDK alone. `swift build --traits Server` builds the program.\n"
        FileHandle.standardError.write(Data(text.utf8))
        exit(69)
        #endif
    }
}
