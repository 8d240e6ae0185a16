package import ContentModel
import Foundation
import QuestionEngine

/// The corrections of keys in a release directory's current release, read by the rules of a device.
package struct ReleaseCorrections: Sendable {
    /// A bank with corrections.
    package struct Bank: Sendable {
        /// The bank: a language, or a region and an exam separated by a slash.
        package var name: String
        /// The bank's content.
        package var blueprint: Blueprint

        package init(name: String, blueprint: Blueprint) {
            self.name = name
            self.blueprint = blueprint
        }
    }

    /// The release's number.
    package let release: Int
    /// The banks that have corrections, in the order of names.
    package let banks: [Bank]
    /// The banks with corrections, or `nil` without, by checksum, so that the next release reads only new banks.
    private var known: [Checksum: Bank?] = [:]

    package init(release: Int, banks: [Bank]) {
        self.release = release
        self.banks = banks.sorted { $0.name < $1.name }
    }

    /// Reads the banks of a release directory; banks without corrections are not parsed.
    ///
    /// - Parameters:
    ///   - directory: The release directory.
    ///   - former: The previous release, whose unchanged banks are reused.
    /// - Throws: `ReviewError` `unreadableRelease`.
    package init(directory: String, after former: ReleaseCorrections? = nil) throws {
        let manifest = try Self.manifest(of: directory)
        var known: [Checksum: Bank?] = [:]
        var banks: [Bank] = []
        for document in manifest.eagerDocuments
        where document.kind == .blueprint || document.kind == .exam {
            let bank = try former?.known[document.checksum] ?? Self.bank(document, directory)
            known[document.checksum] = .some(bank)
            if let bank, bank.name == document.key { banks.append(bank) }
        }
        self.init(release: manifest.release, banks: banks)
        self.known = known
    }

    private static func bank(_ document: EagerDocument, _ directory: String) throws -> Bank? {
        let path = directory + "/" + ReleasePath.object(document.checksum).text
        let data = try read(path)
        guard data.range(of: Data("\"corrections\"".utf8)) != nil else { return nil }
        let bytes = Array(data)
        guard Checksum(of: bytes) == document.checksum else {
            throw ReviewError(
                .unreadableRelease,
                "\(path) is damaged. `underway publish --verify` restores it.")
        }
        // A document that devices refuse corrects nothing.
        guard let blueprint = try? ReleaseReader.document(document, bytes).blueprint,
            !blueprint.corrections.isEmpty
        else { return nil }
        return Bank(name: document.key, blueprint: blueprint)
    }

    private static func manifest(of directory: String) throws -> Manifest {
        let path = directory + "/" + ReleasePath.manifest.text
        do {
            return try Manifest(Array(try read(path)))
        } catch let error as ManifestError {
            throw ReviewError(.unreadableRelease, "\(path) cannot be read: \(error)")
        }
    }

    private static func read(_ path: String) throws -> Data {
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw ReviewError(.unreadableRelease, "\(path) is missing or cannot be read.")
        }
    }

    /// The corrections in the form for regrading stored answers.
    package var served: ServedCorrections {
        let corrections = Dictionary(
            banks.map { ($0.name, GradeCorrections($0.blueprint)) }, uniquingKeysWith: { $1 })
        let entries = corrections.flatMap { bank, corrections in
            corrections.versions.map { place in
                let version = ServedCorrections.Version(
                    bank: bank, question: place.question, version: place.version)
                let question = corrections.question(place.question, version: place.version)
                // Which options there are decides about grades, too.
                let key =
                    [question?.keyLabel ?? ""] + (question?.options.map(\.id) ?? [])
                return (version: version, key: key.joined(separator: "\0"))
            }
        }
        return ServedCorrections(release: release, entries: entries) { version, response, grade in
            corrections[version.bank]?.grade(version, response, grade)
        }
    }
}

extension GradeCorrections {
    /// Grades a response again.
    ///
    /// A server does not know the scoring policy of the session. A credit that is not the one of the usual policy stays
    /// while the answer stays right or wrong, and otherwise becomes that of the usual policy.
    fileprivate func grade(
        _ version: ServedCorrections.Version, _ response: [String], _ grade: ServedCorrections.Grade
    ) -> ServedCorrections.Grade? {
        guard let question = question(version.question, version: version.version),
            let new = Self.usual(response, to: question)
        else { return nil }
        let wrong = correction(of: version.question, version: version.version)?.was
        let former = wrong.flatMap { question.withKey($0) }.flatMap { Self.usual(response, to: $0) }
        if new.isCorrect == grade.isCorrect, former?.credit != grade.credit { return nil }
        return new
    }

    private static func usual(
        _ response: [String], to question: Question
    ) -> ServedCorrections.Grade? {
        guard !response.isEmpty,
            let grade = try? Grading.grade(
                QuestionResponse(texts: response), to: question, policy: ScoringPolicy(),
                timeTaken: 0)
        else { return nil }
        return ServedCorrections.Grade(isCorrect: grade.isCorrect, credit: grade.credit)
    }
}
