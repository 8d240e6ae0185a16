import Foundation
import TestSupport
import Testing
import Underway
import UnderwayTesting

/// The file of an app's profile, as a test of the app writes and compares it.
@Suite struct DecoderProfileRecordingTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.url.appending(path: "Tests/../profiles/2.1.json")
    }

    @Test func theFirstRunWritesAndTheNextOneAgrees() throws {
        let profile = DecoderProfile.current(appVersion: "2.1")
        let error = #expect(throws: ProfileRecordError.self) {
            try profile.verify(recordedAt: file)
        }
        #expect(error?.code == .written)
        #expect(error?.localizedDescription.contains("profiles/2.1.json was written") == true)
        #expect(try folder.text("profiles/2.1.json") == profile.text)
        try profile.verify(recordedAt: file)
    }

    @Test func aDifferenceIsNamedAndTheFileStays() throws {
        var older = DecoderProfile.current(appVersion: "2.1")
        older.names["questionTypes"]?.remove("ordering")
        try folder.write(older.text, to: "profiles/2.1.json")
        let error = #expect(throws: ProfileRecordError.self) {
            try DecoderProfile.current(appVersion: "2.1").verify(recordedAt: file)
        }
        #expect(error?.code == .differs)
        #expect(error?.message.contains("questionTypes has ordering now") == true)
        #expect(error?.message.contains("If version 2.1 has shipped") == true)
        #expect(try folder.text("profiles/2.1.json") == older.text)
    }

    @Test func whatIsNoProfileIsNeitherWrittenNorCompared() throws {
        #expect(throws: ContentError.self) {
            try DecoderProfile.current(appVersion: "").verify(recordedAt: file)
        }
        #expect(!folder.exists("profiles"))
        try folder.write("{}", to: "profiles/2.1.json")
        #expect(throws: ContentError.self) {
            try DecoderProfile.current(appVersion: "2.1").verify(recordedAt: file)
        }
        #expect(try folder.text("profiles/2.1.json") == "{}")
    }

    /// Whatever the reader learns is to be written into the sample's profile of the version in development, and so
    /// comes to the mind of whoever adds it.
    @Test func theSampleHasTheProfileOfThisVersion() throws {
        let file = URL(filePath: #filePath)
            .appending(path: "../../../../Sample/content/profiles/2.0.json")
        try DecoderProfile.current(appVersion: "2.0").verify(recordedAt: file)
    }

    @Test func theSampleHasAnOlderVersionThatKnowsLess() throws {
        let file = URL(filePath: #filePath)
            .appending(path: "../../../../Sample/content/profiles/1.0.json").standardizedFileURL
        let older = try DecoderProfile([UInt8](Data(contentsOf: file)))
        #expect(older.appVersion == "1.0")
        #expect(older.names["questionTypes"]?.contains("numeric-entry") == false)
        #expect(older.fields["option"]?.contains("feedback") == false)
    }
}
