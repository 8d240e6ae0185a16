import Foundation

/// The review of keys over many first answers on SQLite, for `script/bench review`: one JSON object on standard output.
///
/// Usage: ReviewBenchmark ANSWERS NEW ROUNDS
@main
enum ReviewBenchmark {
    /// Fifty banks of 200 questions and one of 5,000.
    private static let sizes = [Int](repeating: 200, count: 50) + [5_000]

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        guard arguments.count == 3 else {
            print("usage: ReviewBenchmark ANSWERS NEW ROUNDS")
            exit(64)
        }
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "review-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var run = try ReviewRun(folder, sizes, newCount: arguments[1])
        try run.fill(arguments[0])
        let figures = try await run.figures(rounds: arguments[2])
        print(String(decoding: try JSONEncoder().encode(figures), as: UTF8.self))
    }
}
