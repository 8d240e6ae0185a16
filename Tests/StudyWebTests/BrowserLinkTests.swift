import Foundation
import HTTPTypes
import StudyModel
import TestSupport
import Testing

@testable import StudyWeb

/// The host name and the secrets of the last run.
@Suite struct BrowserLinkTests {
    @Test func theNextRunReadsTheLinkThatOnlyThisUserCanRead() async throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path + "/link.json")
        var link = BrowserLink()
        link.port = 8_123
        try await DeviceFile(url, initial: BrowserLink()).change { [link] in $0 = link }

        #expect(await DeviceFile(url, initial: BrowserLink()).value == link)
        let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test(arguments: [
        ("cookie", ""), ("cookie", "guess"), ("form", "x"), ("host", "localhost"),
        ("host", "a.localhost"), ("host", "evil.example"), ("host", "127.0.0.1"), ("port", "0"),
    ])
    func aDamagedLinkIsNotRead(field: String, value: String) throws {
        var whole = try #require(
            JSONSerialization.jsonObject(with: JSONEncoder().encode(BrowserLink()))
                as? [String: Any])
        whole[field] = field == "port" ? 0 : value
        let data = try JSONSerialization.data(withJSONObject: whole)

        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(BrowserLink.self, from: data)
        }
    }

    @Test func eachDeviceHasANameOfItsOwn() {
        let names = (0..<20).map { _ in BrowserLink().host }
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.wholeMatch(of: /[a-z2-7]{20}\.localhost/) != nil })
        #expect(BrowserLink.numeric().host == "127.0.0.1")
    }

    /// A link that somebody put there, or could read, gives nobody an entrance.
    @Test(arguments: [0o644, 0o660, 0o602])
    func aLinkThatOthersMayKnowIsNotUsed(mode: Int) async throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path + "/link.json")
        let planted = BrowserLink()
        try await DeviceFile(url, initial: planted).change { $0.port = 8_123 }
        let file = DeviceFile(url, initial: BrowserLink(), isSecret: true)
        #expect(await file.value.port == 8_123)

        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)

        #expect(await file.value.port == nil)
        #expect(await file.value.cookie != planted.cookie)
    }

    @Test func aLinkElsewhereIsNotUsed() async throws {
        let folder = try TemporaryFolder()
        let target = URL(fileURLWithPath: folder.path + "/planted.json")
        let url = URL(fileURLWithPath: folder.path + "/link.json")
        try await DeviceFile(target, initial: BrowserLink()).change { $0.port = 8_123 }
        try FileManager.default.createSymbolicLink(at: url, withDestinationURL: target)

        #expect(await DeviceFile(url, initial: BrowserLink(), isSecret: true).value.port == nil)
    }

    /// A file of before that others can read and hold open is not written to.
    @Test func theFileIsNeverReadableByOthers() async throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path + "/link.json")
        let next = url.appendingPathExtension("new")
        _ = FileManager.default.createFile(
            atPath: next.path, contents: nil, attributes: [.posixPermissions: 0o666])
        let open = try FileHandle(forReadingFrom: next)
        try await DeviceFile(url, initial: BrowserLink()).change { $0.port = 8_123 }

        #expect(try open.readToEnd() ?? Data() == Data())
        let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test func aHeadTakesNoMessageAway() async throws {
        let browser = try StudyBrowser([])
        browser.app.toasts.show(.init(sentence: "Kept."))
        _ = try await browser.send(.head, "/")
        #expect(try await browser.get("/").body.contains("Kept."))
        #expect(try await !browser.get("/").body.contains("Kept."))
    }

    @Test func aHeadHasTheFieldsOfThePageAndNoBody() async throws {
        let browser = try StudyBrowser([])
        for path in ["/", "/library", "/settings", "/files/study.css", "/nothing"] {
            let page = try await browser.get(path)
            let head = try await browser.send(.head, path)
            #expect(head.status == page.status, "\(path)")
            #expect(head.headers[.contentType] == page.headers[.contentType], "\(path)")
            #expect(head.body.isEmpty && !page.body.isEmpty, "\(path)")
        }
        let stranger = try await browser.send(.head, "/", [.cookie: "x=y"])
        #expect(stranger.status == 403 && stranger.body.isEmpty)
    }
}
