import ConformanceSupport
import Foundation

/// The entrypoint for theupdateframework/tuf-conformance; see script/check-trust.
@main
enum ConformanceClientMain {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let client = ConformanceClient(arguments, now: Date()) else {
            print("usage: ConformanceClient --metadata-dir DIR [OPTIONS] COMMAND [FILE]")
            exit(64)
        }
        do {
            try await client.run()
        } catch {
            print("ConformanceClient: \(error)")
            exit(1)
        }
    }
}
