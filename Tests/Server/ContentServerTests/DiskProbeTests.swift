import Foundation
import TestSupport
import Testing

@testable import ContentServer
@testable import ServerApplication

@Suite struct DiskProbeTests {
    /// A busy disk may take longer than a server waits.
    private func probe(_ folder: String) -> DiskProbe {
        DiskProbe(folder: folder, patience: .seconds(600))
    }

    @Test func aFolderThatCanBeWrittenIs() async throws {
        let folder = try TemporaryFolder()
        #expect(await probe(folder.path).isWritable())
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left == [])
    }

    @Test func aFolderThatIsGoneIsNot() async throws {
        let folder = try TemporaryFolder()
        #expect(!(await probe(folder.path + "/none").isWritable()))
    }

    #if os(Linux)
    /// `/dev/full` takes no byte: "no space left on device".
    @Test func aFullDiskIsNotWritableAndIsAskedAgainAfterAWhile() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/.ready-probe", withDestinationPath: "/dev/full")
        let probe = probe(folder.path)
        let now = ContinuousClock.now
        #expect(!(await probe.isWritable(now: now)))
        // The probe removed the link, which is as if there were room again.
        #expect(!(await probe.isWritable(now: now.advanced(by: .seconds(4)))))
        #expect(await probe.isWritable(now: now.advanced(by: .seconds(6))))
    }
    #endif
}
