package import ContentModel
import Foundation

/// A release directory as the source of the tables.
package struct PublishedRelease: Sendable {
    /// The directory.
    let directory: String
    /// The current manifest.
    package let manifest: Manifest
    /// The checksum of the manifest's bytes.
    let checksum: Checksum

    /// Reads the manifest.
    ///
    /// - Throws: `ContentDatabaseError` `unreadableRelease`.
    package init(directory: String) throws {
        self.directory = directory
        let bytes = try Self.read(directory + "/" + ReleasePath.manifest.text)
        do {
            manifest = try Manifest(bytes)
        } catch {
            throw ContentDatabaseError(
                .unreadableRelease, "The manifest of \(directory) cannot be read: \(error)")
        }
        checksum = Checksum(of: bytes)
    }

    /// Reads the bank of an exam by the rules of a device: a question of a later type is left out.
    ///
    /// - Throws: `ContentDatabaseError` `unreadableRelease` when the object is missing, damaged or
    ///   no bank of that exam.
    func bank(
        of exam: ExamKey, _ reference: ContentReference
    ) throws -> (bank: Blueprint, leftOut: [Problem]) {
        let path = ReleasePath.object(reference.checksum).text
        let bytes = try Self.read(directory + "/" + path)
        guard Checksum(of: bytes) == reference.checksum else {
            throw ContentDatabaseError(
                .unreadableRelease,
                "The bank of \(exam) is damaged: \(path) has another checksum."
                    + " `underway publish --verify` restores it.")
        }
        do throws(ContentError) {
            let read = try ReleaseReader.document(
                EagerDocument(
                    kind: .exam, key: exam.description, checksum: reference.checksum,
                    size: reference.size), bytes)
            guard let bank = read.blueprint else { throw ContentError(problems: read.leftOut) }
            return (bank, read.leftOut)
        } catch {
            throw ContentDatabaseError(
                .unreadableRelease, "The bank of \(exam) cannot be read: \(error)")
        }
    }

    /// The exams with a bank, and its checksum.
    package var exams: [ExamKey: Checksum] {
        var exams: [ExamKey: Checksum] = [:]
        for (name, exam) in manifest.exams {
            if let key = ExamKey(name) { exams[key] = exam.blueprint?.checksum }
        }
        return exams
    }

    /// Reads the difficulty of each question of an exam, by id.
    ///
    /// - Throws: `ContentDatabaseError` `unreadableRelease`.
    package func difficulties(of exam: ExamKey) throws -> [String: Int] {
        guard let reference = reference(of: exam) else { return [:] }
        return Dictionary(
            try bank(of: exam, reference).bank.questions.map { ($0.id, $0.difficulty) },
            uniquingKeysWith: { $1 })
    }

    /// Returns the reference to the bank of an exam; `nil` if the release has none.
    package func reference(of exam: ExamKey) -> ContentReference? {
        manifest.exams[exam.description]?.blueprint
    }

    /// Reads the bank of an exam, for requests without a database.
    ///
    /// - Returns: The bank; `nil` if the release has no such exam.
    /// - Throws: `ContentDatabaseError` `unreadableRelease`.
    package func publishedBank(of exam: ExamKey) throws -> PublishedBank? {
        guard let reference = reference(of: exam) else { return nil }
        let stated = manifest.exams[exam.description]?.contentUpdatedAt ?? manifest.generatedAt
        return PublishedBank(
            try bank(of: exam, reference).bank, of: exam, checksum: reference.checksum,
            updatedAt: stated.flatMap { Moment(rfc3339: $0) } ?? Moment(microseconds: 0))
    }

    private static func read(_ path: String) throws -> [UInt8] {
        do {
            return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw ContentDatabaseError(
                .unreadableRelease, "The release cannot be read: \(path) is missing or unreadable.")
        }
    }
}
