import Foundation
import Glibc
import TestSupport
import Testing

/// Where `-o` and `--html` write: through what is no plain file, and to what a link names.
@Suite struct OutputFileTests {
    private let folder: TemporaryFolder
    private var exam: String { folder.path + "/content/exams/int/demo" }

    init() throws {
        folder = try TemporaryFolder()
        try folder.writeContent(["es"])
    }

    private func attributes(_ name: String) throws -> [FileAttributeKey: Any] {
        try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
    }

    private func kind(_ name: String) throws -> FileAttributeType? {
        try attributes(name)[.type] as? FileAttributeType
    }

    /// What a command wrote into a pipe that stands as a file.
    private func piped(_ words: (String) -> [String]) async throws -> String {
        let pipe = folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let descriptor = open(pipe, O_RDWR | O_NONBLOCK)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let result = try await Tool.run(words(pipe))
        #expect(result.status == 0, "\(result.errors)")
        // Foundation has no name for pipes.
        #expect(try kind("pipe") == FileAttributeType.typeUnknown)
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    @Test func anExportGoesThroughAPipe() async throws {
        let text = try await piped { ["export", exam, "-o", $0, "--format", "csv"] }
        #expect(text.contains("stem"), "\(text)")
    }

    @Test func aPackageGoesThroughAPipe() async throws {
        let text = try await piped { ["export", exam, "-o", $0, "--format", "qti3"] }
        #expect(text.hasPrefix("PK"))
    }

    @Test func aReportGoesThroughAPipe() async throws {
        try folder.write("person,question,answer,key\na,q,x,x\nb,q,y,x\n", to: "answers.csv")
        let text = try await piped { ["analyse", folder.path + "/answers.csv", "--html", $0] }
        #expect(text.contains("<html"), "\(text.prefix(200))")
    }

    @Test func aLinkStaysAndItsTargetIsReplaced() async throws {
        try folder.write("old", to: "deep/target.csv")
        try #require(chmod(folder.path + "/deep/target.csv", 0o600) == 0)
        try #require(symlink("deep/target.csv", folder.path + "/link.csv") == 0)
        let result = try await Tool.run(["export", exam, "-o", folder.path + "/link.csv"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(try kind("link.csv") == FileAttributeType.typeSymbolicLink)
        #expect(try folder.text("deep/target.csv").contains("stem"))
        let mode = try attributes("deep/target.csv")[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
    }
}
