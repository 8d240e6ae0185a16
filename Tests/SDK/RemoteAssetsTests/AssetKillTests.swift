import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// A process that keeps an asset, killed at random moments and run anew under changing versions.
@Suite struct AssetKillTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let program = URL(fileURLWithPath: CommandLine.arguments[0])
        .deletingLastPathComponent().appending(path: "AssetRace").path

    /// The lines that it said; killed after some microseconds, unless it ended before.
    private func run(_ command: [String], killedAfter moment: UInt32? = nil) async throws
        -> [String]
    {
        let pipe = Pipe()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardOutput = pipe
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        try process.run()
                        if let moment {
                            usleep(moment)
                            kill(process.processIdentifier, SIGKILL)
                        }
                        let said = pipe.fileHandleForReading.readDataToEndOfFile()
                        process.waitUntilExit()
                        return String(decoding: said, as: UTF8.self).split(separator: "\n").map(
                            String.init)
                    })
            }
        }
    }

    private func keep(_ version: Int, _ refreshes: Int, in folder: String) -> [String] {
        [Self.program, "keep", folder, "\(version)", "\(refreshes)"]
    }

    /// How long a process takes until it has kept something, in microseconds: on a busy machine longer
    /// than any fixed moment.
    private func startTime() async throws -> UInt32 {
        let other = try TemporaryFolder()
        var longest = Duration.zero
        for _ in 0..<3 {
            let start = ContinuousClock.now
            _ = try await run(keep(1, 1, in: other.path))
            longest = max(longest, ContinuousClock.now - start)
        }
        return UInt32(min(longest / .microseconds(1), 5_000_000))
    }

    @Test func aKillAtAnyMomentLeavesAWholeValueUnderItsOwnTag() async throws {
        var random = SeededGenerator(seed: 5)
        var (version, last, kills, resets) = (1, 0, 0, 0)
        let startTime = try await startTime()
        func isEnough() -> Bool { kills > 40 && resets > 1 && version > 5 }
        for round in 0..<400 where round < 60 || !isEnough() {
            if Bool.random(using: &random), Bool.random(using: &random) {
                (version, last) = (version + 1, 0)
            }
            let moment = UInt32.random(
                in: startTime / 3...startTime * 2 + 60_000, using: &random)
            let lines = try await run(
                keep(version, 1_000_000, in: folder.path), killedAfter: moment)
            // Killed before it said anything, it may have removed what another version kept.
            guard let start = lines.first?.split(separator: " ") else { continue }
            kills += 1
            #expect(start[1] == "whole", "seed 5: \(lines[0])")
            let number = Int(start[3]) ?? -1
            if last == 0 {
                resets += 1
            } else {
                // The newest that was said to be kept, or the one that was on its way.
                #expect((last...last + 1).contains(number), "seed 5: kept \(last), found \(number)")
            }
            let kept = lines.dropFirst().last { $0.hasPrefix("kept ") }.flatMap {
                Int($0.dropFirst(5))
            }
            last = kept ?? (start[2] == "downloaded" ? number : 0)
        }
        print("assets: \(kills) kills while an asset was kept, \(version) app versions")
        #expect(kills > 20 && resets > 1 && version > 5)
    }

    /// Bytes and a side file cannot change together, yet no kill shows one under the other's name.
    @Test func aKillWithoutAttributesLeavesAWholeValueToo() async throws {
        let startTime = Double(try await startTime()) / 1_000_000
        let pauses = (1...8).map { String(startTime * 0.6 + Double($0) * (startTime / 8 + 0.005)) }
        let script = """
            mount -t ramfs none '\(folder.path)' || exit 9
            for i in 1 2 3 4 5 6; do for pause in \(pauses.joined(separator: " ")); do
                "$@" & sleep $pause; kill -9 $!; wait $! 2>/dev/null
            done; done
            """
        let command = keep(1, 1_000_000, in: folder.path)
        let lines = try await run(
            ["/usr/bin/env", "unshare", "-rm", "sh", "-c", script, "sh"] + command)
        guard !lines.isEmpty else {
            print("SKIPPED: this machine lets nobody mount a file system in a name space")
            return
        }
        let starts = lines.filter { $0.hasPrefix("start ") }
        #expect(starts.count > 10)
        #expect(starts.allSatisfy { $0.hasPrefix("start whole ") }, "\(starts)")
    }

    /// A file system in memory that has no extended attributes, in a name space of its own.
    @Test func aFileSystemWithoutAttributesKeepsAnAssetToo() async throws {
        let script = """
            mount -t ramfs none '\(folder.path)' || exit 9
            "$@"; ls -A '\(folder.path)'; "$@"
            """
        let command = keep(1, 3, in: folder.path)
        let lines = try await run(
            ["/usr/bin/env", "unshare", "-rm", "sh", "-c", script, "sh"] + command)
        guard !lines.isEmpty else {
            print("SKIPPED: this machine lets nobody mount a file system in a name space")
            return
        }
        #expect(
            lines == [
                "start whole bundled 0", "kept 1", "kept 2", "kept 3", ".kept.json.attributes",
                "kept.json", "start whole downloaded 3", "kept 4", "kept 5", "kept 6",
            ])
    }
}
