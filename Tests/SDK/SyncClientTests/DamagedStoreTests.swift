import ContentModel
import Foundation
import OfflineStorage
import Publishing
import TestSupport
import Testing

@testable import SyncClient

/// Stores whose files were damaged at random: content is always shown, and the next sync heals them.
@Suite struct DamagedStoreTests {
    /// `UNDERWAY_DAMAGED_STORES` says how many.
    private static let count = TestRun.count("UNDERWAY_DAMAGED_STORES", orElse: 50)
    private static let languages = ["de", "en", "es", "fi", "fr"]

    /// A device with a bundle and two releases on top, as a template.
    private struct Template {
        let voyage: Voyage
        let bundle: ContentBundle
        /// For each document the checksums of all its versions.
        private(set) var versions: [String: Set<Checksum>] = [:]

        init() async throws {
            voyage = try Voyage(DamagedStoreTests.languages)
            let folder = voyage.folder
            _ = try BundleWriter.write(
                releaseDirectory: folder.path + "/release", to: folder.path + "/bundle",
                audio: .none)
            bundle = ContentBundle(folder: folder.url.appending(path: "bundle"))
            try voyage.store.installBundle(bundle, now: voyage.clock.now)
            try note()
            for key in 1...2 {
                for language in DamagedStoreTests.languages { try voyage.edit(language, key: key) }
                try folder.write("{\"link\": \(key)}", to: "content/assets/links.json")
                try voyage.publish()
                #expect(await voyage.run().tally.requests > 0)
                try note()
            }
        }

        private mutating func note() throws {
            for document in try Manifest(voyage.folder.read("release/manifest.json")).eagerDocuments
            {
                versions[Self.name(document), default: []].insert(document.checksum)
            }
        }

        static func name(_ document: EagerDocument) -> String { "\(document.kind) \(document.key)" }

        /// A copy of the template's store: all in its database, or in the write-ahead log as after a crash.
        func copy(_ number: Int) throws -> URL {
            let target = voyage.folder.url.appending(path: "store-\(number)")
            try FileManager.default.copyItem(
                at: voyage.folder.url.appending(path: "store"), to: target)
            // The next process makes it anew.
            try? FileManager.default.removeItem(at: target.appending(path: "content.sqlite-shm"))
            // Whoever closes a database last moves its log into it.
            if number % 4 < 2 { _ = try OfflineStore(folder: target) }
            return target
        }
    }

    /// What a store shows of a document, by its checksum.
    private func shown(_ document: EagerDocument, in store: OfflineStore) throws -> (
        checksum: Checksum, freshness: ContentFreshness
    ) {
        switch document.kind {
        case .blueprint, .exam:
            let parts = document.key.split(separator: "/").map(String.init)
            let bank: QuestionFilter.Bank =
                parts.count == 2
                ? .exam(region: parts[0], exam: parts[1]) : .placement(language: document.key)
            let found = try store.blueprint(bank)
            let questions = try store.questions(QuestionFilter(bank))
            if questions.freshness == found.freshness {
                #expect(questions.value == found.value.questions)
            }
            return (Checksum(of: found.value.json.canonicalBytes), found.freshness)
        case .localization:
            let found = try store.localization(language: document.key)
            return (document.checksum, found.freshness)
        case .announcements:
            return (document.checksum, try store.announcements().freshness)
        case .asset:
            let found = try store.asset(document.key)
            return (Checksum(of: found.value), found.freshness)
        }
    }

    @Test func contentIsAlwaysShownAndTheNextSyncHeals() async throws {
        let template = try await Template()
        let documents = try Manifest(template.voyage.folder.read("release/manifest.json"))
            .eagerDocuments
        var kinds: [String: Int] = [:]
        for number in 0..<Self.count {
            var random = SeededGenerator(seed: UInt64(number))
            let folder = try template.copy(number)
            defer { try? FileManager.default.removeItem(at: folder) }
            // Half of the stores are damaged while they are open.
            let early = number % 2 == 0 ? nil : try opened(folder, template)
            let damage = try StoreDamage.random(using: &random).apply(to: folder, using: &random)
            kinds[damage, default: 0] += 1
            let comment: Comment = "seed \(number), \(damage)"
            let store = try early ?? opened(folder, template)
            try expectShown(documents, in: store, template, comment)
            var outcome = await sync(store, template).sync().outcome
            if isNotDue(outcome) {
                // Nothing was damaged that could be seen: a log that breaks off is an older whole state.
                try expectShown(documents, in: store, template, comment)
                outcome = await sync(store, template).sync(force: true).outcome
            }
            if case .failed(let failure) = outcome { Issue.record("\(failure): \(comment)") }
            for document in documents {
                let after = try shown(document, in: store)
                #expect(after.checksum == document.checksum, comment)
                #expect(!after.freshness.isFallback, comment)
            }
            #expect(!store.needsRepair, comment)
            // What a new process finds is whole as well.
            let again = try opened(folder, template)
            for document in documents {
                #expect(try shown(document, in: again).checksum == document.checksum, comment)
            }
            // A page that the first process had in memory may be damaged on the disk.
            let last = await sync(again, template).sync().outcome
            #expect(isNotDue(last) || wasRepaired(last), comment)
            #expect(!again.needsRepair, comment)
        }
        print("damaged stores: seeds 0..<\(Self.count), \(kinds.sorted { $0.key < $1.key })")
    }

    /// Every document is shown, in one of the versions that were published.
    private func expectShown(
        _ documents: [EagerDocument], in store: OfflineStore, _ template: Template,
        _ comment: Comment
    ) throws {
        for document in documents {
            let found = try shown(document, in: store).checksum
            #expect(template.versions[Template.name(document)]?.contains(found) == true, comment)
        }
    }

    private func isNotDue(_ outcome: SyncOutcome) -> Bool {
        if case .notDue = outcome { true } else { false }
    }

    private func wasRepaired(_ outcome: SyncOutcome) -> Bool {
        switch outcome {
        case .installed, .repaired, .upToDate: true
        default: false
        }
    }

    private func opened(_ folder: URL, _ template: Template) throws -> OfflineStore {
        let store = try OfflineStore(folder: folder)
        try store.installBundle(template.bundle, now: template.voyage.clock.now)
        return store
    }

    private func sync(_ store: OfflineStore, _ template: Template) -> ContentSync {
        let clock = template.voyage.clock
        return ContentSync(
            store: store, transport: template.voyage.host, releaseURL: "http://host",
            clock: { clock.now })
    }
}
