package import ContentModel
import Foundation

/// A currently served bank, for the review of its keys.
package struct ReviewedBank: Sendable {
    /// The bank: a language, or a region and an exam separated by a slash.
    package var name: String
    /// Its questions.
    package let questions: [Question]
    /// The version of each question, by id; the first of two with the same id counts.
    package let versions: [String: String]
    /// Earlier versions of a question with the same question and key, by id; answers to them still count.
    package private(set) var earlierVersions: [String: [String]] = [:]
    /// The checksum of the bank's bytes; `nil` for one that was made in memory.
    fileprivate var checksum: Checksum?

    /// The most earlier versions of a question that are remembered.
    private static let earlierMax = 32

    /// Creates the review data of a bank.
    ///
    /// - Parameters:
    ///   - name: The bank's name.
    ///   - questions: Its questions.
    ///   - former: The same bank in the previous release.
    package init(name: String, questions: [Question], after former: ReviewedBank? = nil) {
        self.name = name
        self.questions = questions
        versions = Dictionary(
            questions.map { ($0.id, $0.contentVersion) }, uniquingKeysWith: { first, _ in first })
        guard let former else { return }
        let before = Dictionary(
            former.questions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for question in questions {
            guard let old = before[question.id], let version = versions[question.id],
                let oldVersion = former.versions[question.id], old.asked == question.asked
            else { continue }
            let known = [oldVersion] + (former.earlierVersions[question.id] ?? [])
            earlierVersions[question.id] = Array(
                known.filter { $0 != version }.prefix(Self.earlierMax))
        }
    }

    /// Returns true for the served version of a question, and for earlier versions with the same question and key.
    package func asksTheSame(_ question: String, _ version: String) -> Bool {
        versions[question] == version || earlierVersions[question]?.contains(version) == true
    }
}

/// The banks of a release.
package struct ReviewedRelease: Sendable {
    /// The release's number.
    package var number: Int
    /// The banks, in the order of names.
    package var banks: [ReviewedBank]
    /// True while a staged rollout withholds the release from some devices, which stay on the previous release.
    package var isStaged: Bool

    package init(number: Int, banks: [ReviewedBank], isStaged: Bool = false) {
        self.number = number
        self.banks = banks
        self.isStaged = isStaged
    }

    /// Reads the banks of a release directory by the rules of a device: placement tests and exams.
    ///
    /// - Parameters:
    ///   - directory: The release directory.
    ///   - former: The previous release, whose unchanged banks are reused.
    /// - Throws: `ReviewError` `unreadableRelease` for an unreadable manifest, or a missing or damaged object.
    package init(directory: String, after former: ReviewedRelease? = nil) throws {
        let manifest = try Self.manifest(directory + "/" + ReleasePath.manifest.text)
        let before = former ?? Self.kept(directory, before: manifest.release)
        try self.init(manifest, directory, after: before)
    }

    /// The most kept releases that are read at the start of a process.
    private static let keptMax = 10

    /// Returns the newest kept release before one, with what those before it say of its questions' versions.
    ///
    /// It only adds evidence, so a release that cannot be read is passed over.
    private static func kept(_ directory: String, before release: Int) -> ReviewedRelease? {
        let names = try? FileManager.default.contentsOfDirectory(atPath: directory + "/releases")
        let kept = (names ?? []).compactMap { Int($0) }.filter { $0 > 0 && $0 < release }.sorted()
        var former: ReviewedRelease?
        for number in kept.suffix(keptMax) {
            guard let path = ReleasePath.history(release: number)?.text,
                let manifest = try? manifest(directory + "/" + path),
                let next = try? ReviewedRelease(manifest, directory, after: former)
            else { continue }
            former = next
        }
        return former
    }

    private init(
        _ manifest: Manifest, _ directory: String, after former: ReviewedRelease?
    ) throws {
        var banks: [ReviewedBank] = []
        for document in manifest.eagerDocuments
        where document.kind == .blueprint || document.kind == .exam {
            let known = former?.banks.first { $0.name == document.key }
            if let known, known.checksum == document.checksum {
                banks.append(known)
                continue
            }
            let path = directory + "/" + ReleasePath.object(document.checksum).text
            let bytes = try Self.read(path)
            guard Checksum(of: bytes) == document.checksum else {
                throw ReviewError(
                    .unreadableRelease,
                    "\(path) is damaged. `underway publish --verify` restores it.")
            }
            // A document that devices refuse has no answers to review.
            guard let read = try? ReleaseReader.document(document, bytes).blueprint else {
                continue
            }
            var bank = ReviewedBank(
                name: document.key, questions: read.questions, after: known)
            bank.checksum = document.checksum
            banks.append(bank)
        }
        self.init(
            number: manifest.release, banks: banks.sorted { $0.name < $1.name },
            isStaged: manifest.rollout.map { !$0.isComplete } ?? false)
    }

    private static func manifest(_ path: String) throws -> Manifest {
        let bytes = try read(path)
        do {
            return try Manifest(bytes)
        } catch {
            throw ReviewError(.unreadableRelease, "\(path) cannot be read: \(error)")
        }
    }

    private static func read(_ path: String) throws -> [UInt8] {
        do {
            return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw ReviewError(.unreadableRelease, "\(path) is missing or cannot be read.")
        }
    }

    /// Returns a question of a bank; `nil` if the release has no such question.
    package func question(_ id: String, of bank: String) -> Question? {
        banks.first { $0.name == bank }?.questions.first { $0.id == id }
    }
}
