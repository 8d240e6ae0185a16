import ContentModel
import Publishing
import TestSupport
import Testing

/// Images of announcements, which are assets: what one unit shows, another may remove.
@Suite struct AnnouncementImageTests {
    private let library: Library

    init() throws {
        library = try Library()
        try library.folder.write("image", to: "content/assets/a.png")
        try library.folder.write(
            """
            { identifier: 1, type: information, image: a.png,
              texts: { en: { title: T, content: C, imageLabel: L } } }
            """, to: "content/announcements/a.yaml")
        try library.publish()
    }

    private func refusal(_ steps: Set<PublishStep>) -> [String] {
        let publisher = Publisher(
            folder: library.content, releaseDirectory: library.release, steps: steps)
        let error = #expect(throws: PublishingError.self) {
            _ = try publisher.publish(nowSeconds: 2_000_000_000, generatedAt: "now")
        }
        return (error?.problems ?? []).map { "\($0.rule.rawValue) \($0.file)" }
    }

    @Test(arguments: [Set(PublishStep.allCases), [.assets], [.assets, .announcements]])
    func anImageThatIsShownCannotGo(steps: Set<PublishStep>) throws {
        let before = try library.manifest.release
        try library.folder.remove("content/assets/a.png")
        #expect(refusal(steps) == ["missing-media announcements/a.yaml"])
        #expect(try library.manifest.release == before)
        try library.folder.write("other image", to: "content/assets/a.png")
        #expect(try library.publish().changed == ["assets/a.png"])
        try library.expectWhole()
    }

    @Test func anImageThatIsShownCannotGoWithTheLastAsset() throws {
        try library.folder.remove("content/assets")
        try library.folder.remove("content/assets.yaml")
        #expect(refusal([.assets, .announcements]).contains("missing-media announcements/a.yaml"))
    }
}
