import ContentModel
import Foundation
import HTTPTransport
import OfflineStore
import SyncClient
import TestSupport
import Testing

@Suite struct IntegrationExampleTests {
    /// The lines of docs/app-developers.md, compiled and run.
    @Test func tenLinesBringContentIntoAnApp() async throws {
        let fleet = try Fleet()
        let documents = fleet.folder.url
        let bundleFolder = fleet.folder.url.appending(path: "bundle")
        _ = try Tool.run(["bundle", bundleFolder.path, "--release", fleet.release])
        try fleet.edit(key: 1)
        try await withServer(fleet.release) { address in
            // example: start
            let store = try OfflineStore(folder: documents.appending(path: "content"))
            _ = try store.beginStart(now: Date())
            try store.installBundle(ContentBundle(folder: bundleFolder), now: Date())
            let test = try store.blueprint(.placement(language: "es"))
            print(test.value.title, test.freshness.source, test.value.questions.count)
            try store.confirmStart()

            let sync = ContentSync(store: store, transport: HTTPTransport(), baseURL: address)
            let report = await sync.run()
            print(report.outcome, report.tally.bodyBytes)
            // example: end
            #expect(test.freshness.source == .bundled)
            #expect(report.outcome == .installed(release: 2))
        }
        let page = try String(
            contentsOf: root.appending(path: "docs/app-developers.md"), encoding: .utf8)
        let example = try exampleLines()
        #expect(page.contains(example), "docs/app-developers.md does not show:\n\(example)")
        #expect(example.split(separator: "\n").count <= 10)
    }

    private var root: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../..").standardizedFileURL
    }

    private func exampleLines() throws -> String {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.hasSuffix("// example: start") })
        let end = try #require(lines.firstIndex { $0.hasSuffix("// example: end") })
        return lines[start + 1..<end].map { $0.replacing(/^ {12}/, with: "") }
            .joined(separator: "\n")
    }
}
