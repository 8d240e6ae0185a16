import Testing

@testable import ServiceAPI

@Suite struct InstalledContentTests {
    @Test(arguments: InstalledContent.Obstacle.allCases.map(Optional.some) + [nil])
    func aFieldIsReadAsItWasWritten(obstacle: InstalledContent.Obstacle?) {
        for release in [0, 1, 17, 999_999_999_999_999] {
            let content = InstalledContent(release: release, obstacle: obstacle)
            #expect(InstalledContent(field: content.field) == content)
        }
    }

    @Test func theFieldIsShort() {
        #expect(InstalledContent(release: 17).field == "release=17")
        #expect(
            InstalledContent(release: 17, obstacle: .storage).field
                == "release=17, obstacle=storage")
    }

    @Test func whatALaterVersionSaysIsPassedOver() {
        #expect(
            InstalledContent(field: "channel=beta,  obstacle=cosmicRays ,release=3")
                == InstalledContent(release: 3, obstacle: .other))
    }

    @Test(arguments: [
        "", "release", "release=", "release=-1", "release=+1", "release=1.5", "release=1e3",
        "release=٣", "obstacle=storage", "release=1000000000000000", "release=1; drop", "=1", ",",
        "release=1, " + String(repeating: "x=y,", count: 40), "release = ", "release=0x10",
    ])
    func whatCannotBeReadCountsAsNoField(field: String) {
        #expect(InstalledContent(field: field) == nil)
    }
}
