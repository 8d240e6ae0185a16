import Foundation
import TestSupport
import Testing

@testable import Publishing

/// Which folders a publish takes for a release directory.
@Suite struct ReleasePlaceTests {
    private let library: Library

    init() throws { library = try Library(["es"]) }

    private func names() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: library.folder.path).sorted()
    }

    private func refused(_ release: String) throws -> String {
        let before = try names()
        let publisher = Publisher(folder: library.content, releaseDirectory: release)
        let error = #expect(throws: PublishingError.self, "\(release)") {
            try publisher.publish(nowSeconds: 1, generatedAt: "t")
        }
        #expect(error?.code == .invalidRequest)
        #expect(try names() == before)
        return error?.message ?? ""
    }

    @Test(arguments: ["content", "content/", "content/release/new", ".", "./content/../content"])
    func aReleaseApartFromTheContentIsDemanded(place: String) throws {
        #expect(try refused(library.folder.path + "/" + place).contains("content folder"))
    }

    @Test func aLinkToTheContentIsNoWayRound() throws {
        try FileManager.default.createSymbolicLink(
            atPath: library.folder.path + "/link", withDestinationPath: "content")
        #expect(try refused(library.folder.path + "/link").contains("content folder"))
        #expect(try refused(library.folder.path + "/link/below").contains("content folder"))
    }

    @Test func aFolderOfOtherThingsIsNoRelease() throws {
        try library.folder.write("mine", to: "photos/2024.txt")
        #expect(try refused(library.folder.path + "/photos").contains("is no release"))
    }

    @Test func namesThatOnlyBeginAlikeAreApart() throws {
        for place in ["content-release", "con", "new/deep/release"] {
            let release = library.folder.path + "/" + place
            _ = try Publisher(folder: library.content, releaseDirectory: release)
                .publish(nowSeconds: 1, generatedAt: "t")
            #expect(library.folder.exists(place + "/manifest.json"))
        }
    }

    @Test func anEmptyVolumeAndAReleaseWithoutRecordsAreTaken() throws {
        try library.folder.write("", to: "volume/lost+found/.keep")
        let volume = Publisher(
            folder: library.content, releaseDirectory: library.folder.path + "/volume")
        #expect(try volume.publish(nowSeconds: 1, generatedAt: "t").isNew)
        try library.folder.remove("volume/.underway")
        #expect(try volume.publish(nowSeconds: 2, generatedAt: "t").drifted.isEmpty)
    }
}
