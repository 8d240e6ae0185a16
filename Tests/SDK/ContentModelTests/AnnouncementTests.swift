import ContentModel
import Testing

@Suite struct AnnouncementTests {
    private func announcement(
        _ start: String? = nil, _ end: String? = nil, from: String? = nil, to: String? = nil
    ) -> Announcement {
        Announcement(
            identifier: 1, type: .information,
            texts: ["en": AnnouncementText(title: "T", content: "C")], start: start, end: end,
            minimumAppVersion: from, maximumAppVersion: to)
    }

    @Test func writtenAndReadBackIsTheSame() throws {
        var original = announcement("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", from: "1.2")
        original.image = "icon.png"
        original.link = "https://example.org"
        original.texts["en"]?.buttons = ["open": "Open"]
        original.languages = ["en"]
        let report = DecodingReport(file: "a.json", strictness: .released)
        let node = try JSONParser.parse(original.json.canonicalBytes)
        #expect(try report.result(Announcement.read(node, report: report)) == original)
    }

    @Test(
        arguments: [
            ("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "2026-02-01T00:00:00Z", nil, false),
            ("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "2026-01-15T00:00:00Z", nil, true),
            (nil, nil, nil, nil, true),
            (nil, "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", nil, false),
        ] as [(String?, String?, String?, String?, Bool)])
    func timesThatOverlapCompete(
        start: String?, end: String?, otherStart: String?, otherEnd: String?, expected: Bool
    ) {
        let first = announcement(start, end)
        let second = announcement(otherStart, otherEnd)
        #expect(first.competes(with: second) == expected)
        #expect(second.competes(with: first) == expected)
    }

    @Test func versionsCompareNumberByNumber() {
        let old = announcement(to: "1.9")
        let new = announcement(from: "1.10")
        #expect(!old.competes(with: new))
        #expect(announcement(to: "1.10").competes(with: announcement(from: "1.9")))
    }

    @Test(
        arguments: [
            (["de"], ["en"], false), (["de"], ["de-AT"], true), (["de-CH"], ["de-AT"], false),
            (["de", "en"], ["en-GB"], true), (["de"], nil, true), (nil, nil, true),
            (["den"], ["de"], false),
        ] as [([String]?, [String]?, Bool)])
    func languagesPartAudiences(_ some: [String]?, _ others: [String]?, expected: Bool) {
        var (first, second) = (announcement(), announcement())
        (first.languages, second.languages) = (some, others)
        #expect(first.competes(with: second) == expected)
        #expect(second.competes(with: first) == expected)
    }
}
