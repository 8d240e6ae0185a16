import ContentModel
import Foundation
import OfflineStorage
import TestSupport

/// A store in a temporary folder, and releases made in memory.
struct StoreFixture {
    let folder: TemporaryFolder
    let store: OfflineStore
    let now = Date(timeIntervalSince1970: 1_800_000_000)

    init(appVersion: String = "1") throws {
        folder = try TemporaryFolder()
        store = try OfflineStore(
            folder: folder.url.appending(path: "store"), appVersion: appVersion)
    }

    func reopened(appVersion: String = "1") throws -> OfflineStore {
        try OfflineStore(folder: folder.url.appending(path: "store"), appVersion: appVersion)
    }

    static func blueprint(_ id: String = "es", key: Int = 0) -> Blueprint {
        let isExam = id.contains("/")
        return Blueprint(
            kind: isExam ? .exam : .placement, id: id, title: "Test of \(id)", version: "1",
            domains: isExam ? [Domain(id: "net", title: "Net", weight: 1)] : [],
            questions: (1...6).map { number in
                Question(
                    id: "\(id.replacing("/", with: "-"))-\(number)", type: .singleChoice,
                    domain: isExam ? "net" : nil, difficulty: number % 3 + 1,
                    stem: "Question \(number)?",
                    options: [.init(id: "a", text: "x"), .init(id: "b", text: "y")],
                    correct: [number == 1 ? key : 0])
            })
    }

    /// A release of documents; every blob is staged unless left out.
    @discardableResult
    func stage(
        release: Int, _ blueprints: [Blueprint], leavingOut: Set<String> = [],
        replacing: [String: [UInt8]] = [:]
    ) throws -> [UInt8] {
        var manifest = Manifest(release: release)
        for blueprint in blueprints {
            let bytes = replacing[blueprint.id] ?? blueprint.json.canonicalBytes
            let reference = ContentReference(
                checksum: Checksum(of: bytes), size: bytes.count)
            if blueprint.kind == .exam {
                manifest.exams[blueprint.id] = ExamEntry(blueprint: reference)
            } else {
                manifest.languages[blueprint.id] = LanguageEntry(blueprint: reference)
            }
            if !leavingOut.contains(blueprint.id) {
                try store.stage(bytes, as: reference.checksum)
            }
        }
        return manifest.canonicalBytes
    }

    /// A bundle of one document beside the store.
    func writeBundle(release: Int, _ blueprint: Blueprint) throws -> ContentBundle {
        let bytes = blueprint.json.canonicalBytes
        let checksum = Checksum(of: bytes)
        let reference = ContentReference(checksum: checksum, size: bytes.count)
        let manifest = Manifest(
            release: release, languages: [blueprint.id: LanguageEntry(blueprint: reference)])
        let name = "bundle\(release)"
        try folder.write(manifest.canonicalBytes, to: "\(name)/manifest.json")
        try folder.write(bytes, to: "\(name)/objects/\(checksum.hex.prefix(2))/\(checksum.hex)")
        return ContentBundle(folder: folder.url.appending(path: name))
    }

    func key(_ language: String = "es") throws -> String? {
        try store.blueprint(.placement(language: language)).value.questions.first?
            .correctOptionIDs.first
    }
}

extension OfflineStore {
    /// Verifies and installs a manifest as a download.
    func install(verifying bytes: [UInt8], now: Date) throws {
        try install(VerifiedManifest(verifying: bytes), source: .downloaded, now: now)
    }
}
