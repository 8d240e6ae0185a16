public import Foundation
import RemoteAssets
import Synchronization

/// Lets refreshes race with reads and looks whether a reader ever sees half of a value.
///
/// `script/nightly` runs it under the thread sanitizer, the tests without.
@main
public struct AssetRace {
    /// What a race came to.
    public struct Result: Sendable {
        /// Values of which a part was of another.
        public var torn = 0
        /// How many times a value was read.
        public var reads = 0
        /// How many refreshes brought another value.
        public var replaced = 0
        /// How many values a follower saw.
        public var followed = 0

        mutating func add(_ part: Result) {
            torn += part.torn
            reads += part.reads
            replaced += part.replaced
            followed += part.followed
        }
    }

    /// Runs one race.
    ///
    /// - Parameters:
    ///   - folder: Where the asset is kept.
    ///   - refreshes: How many refreshes, four at a time.
    /// - Returns: What was seen.
    /// - Throws: An error of the asset.
    public static func run(folder: URL, refreshes: Int) async throws -> Result {
        let source = Source()
        let asset = try RemoteAsset(
            "race.json", folder: folder, appVersion: "1", bundled: { Source.bytes(of: 0) },
            materializer: .json([Int].self), provider: DataProvider { _ in await source.next() })
        let readers = readers(of: asset, until: source.hasEnded)
        return await withTaskGroup(of: Result.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var result = Result()
                    for _ in 0..<refreshes / 4 {
                        if await asset.refresh() == .replaced { result.replaced += 1 }
                    }
                    await source.end(of: 4)
                    // The last of them brings the value that ends the follower.
                    await asset.refresh()
                    return result
                }
            }
            group.addTask { await readers.prefix(2).reduce(into: Result()) { $0.add($1) } }
            group.addTask { await follow(asset) }
            return await group.reduce(into: Result()) { $0.add($1) }
        }
    }

    /// Two that read from now on, on threads of their own: so readers and refreshes run at the same
    /// time whatever else the tasks of this process do.
    private static func readers(
        of asset: RemoteAsset<[Int]>, until hasEnded: Flag
    ) -> AsyncStream<Result> {
        let (results, continuation) = AsyncStream.makeStream(of: Result.self)
        for _ in 0..<2 {
            Thread.detachNewThread {
                var result = Result()
                repeat {
                    result.reads += 1
                    if isTorn(asset.current) { result.torn += 1 }
                } while !hasEnded.isSet
                continuation.yield(result)
            }
        }
        return results
    }

    @concurrent private static func follow(_ asset: RemoteAsset<[Int]>) async -> Result {
        var result = Result()
        for await value in asset.values() {
            result.followed += 1
            if isTorn(value) { result.torn += 1 }
            if value.first == Source.last { break }
        }
        return result
    }

    /// All numbers of a value are the same.
    private static func isTorn(_ value: [Int]) -> Bool {
        value.count != Source.count || !value.allSatisfy { $0 == value.first }
    }

    private final class Flag: Sendable {
        private let value = Mutex(false)

        var isSet: Bool { value.withLock { $0 } }

        func set() { value.withLock { $0 = true } }
    }

    /// Gives another value each time, and the last one for ever after the end.
    private actor Source {
        static let count = 64
        static let last = -1
        private var number = 0
        private var ended = 0
        let hasEnded = Flag()

        static func bytes(of number: Int) -> Data {
            Data("[\(Array(repeating: "\(number)", count: count).joined(separator: ","))]".utf8)
        }

        func next(after known: Int? = nil) -> AssetDelivery {
            number = hasEnded.isSet ? Self.last : (known ?? number) + 1
            return .data(Self.bytes(of: number), AssetTag(entityTag: "\(number)"))
        }

        func end(of all: Int) {
            ended += 1
            if ended == all { hasEnded.set() }
        }
    }

    /// Opens an asset that was perhaps killed while it was written, says what it starts with, and
    /// refreshes it, at most so many times.
    private static func keep(folder: URL, appVersion: String, refreshes: Int) async throws {
        let source = Source()
        let asset = try RemoteAsset(
            "kept.json", folder: folder, appVersion: appVersion, bundled: { Source.bytes(of: 0) },
            materializer: .json([Int].self),
            provider: DataProvider { query in
                await source.next(after: query.known?.entityTag.flatMap { Int($0) } ?? 0)
            })
        let isWhole =
            !isTorn(asset.current) && asset.current.first == Int(asset.tag?.entityTag ?? "0")
        say("start \(isWhole ? "whole" : "torn") \(asset.source.rawValue) \(asset.current[0])")
        for _ in 0..<refreshes {
            guard await asset.refresh() == .replaced else { exit(1) }
            say("kept \(asset.current[0])")
        }
    }

    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    /// Runs a race of as many refreshes as the first argument says, 1,000 without; or, for the tests,
    /// `keep FOLDER VERSION REFRESHES`.
    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.count == 5, arguments[1] == "keep" {
            return try await keep(
                folder: URL(fileURLWithPath: arguments[2]), appVersion: arguments[3],
                refreshes: Int(arguments[4]) ?? 0)
        }
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "underway-race-\(ProcessInfo.processInfo.processIdentifier)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let result = try await run(
            folder: folder, refreshes: arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000)
        print(result)
        if result.torn > 0 || result.replaced == 0 { exit(1) }
    }
}
