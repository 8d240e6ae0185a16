import Foundation
public import Observation
import Underway

/// The subjects of the installed content.
public struct LibraryScreen: Sendable, Hashable {
    /// A subject in the list.
    public struct Row: Sendable, Hashable, Identifiable {
        /// The language or exam.
        public var subject: Subject
        /// The number of questions of an exam; `nil` for a language.
        public var questionCount: Int?
        /// True when the learner has answered one of its questions.
        public var isStarted: Bool
        /// The bytes of its audio or images; `nil` when it has none.
        public var fileBytes: Int?
        /// True when all of these files are on this device.
        public var hasFiles: Bool

        /// The subject's id.
        public var id: String { subject.id }
    }

    /// The search text; empty for all.
    public var search: String
    /// The exams, by title.
    public var exams: [Row]
    /// The languages: started ones first, then by code.
    public var languages: [Row]
}

/// The model of the library.
@MainActor @Observable
public final class LibraryModel {
    /// The screen; `nil` before the first ``load(search:)``.
    public private(set) var screen: LibraryScreen?
    /// The reason why the screen could not be loaded; `nil` after a success.
    public private(set) var problem: StudyProblem?
    @ObservationIgnored private let services: StudyServices
    /// The locale of the languages' names; `nil` for their own names only.
    @ObservationIgnored private var names: Locale?

    /// Creates the model.
    public init(_ services: StudyServices) { self.services = services }

    /// Loads the subjects.
    ///
    /// - Parameters:
    ///   - search: Words in a title, code or region, compared without case and accents.
    ///   - language: The code of the language in which the learner may also name the languages.
    ///   - region: The region whose exams come first, then international ones; `nil` for the order of the regions.
    public func load(
        search: String = "", language: String? = nil, region: String? = nil
    ) async {
        names = language.map { Locale(identifier: $0) }
        do {
            var found = try await read(search.trimmingCharacters(in: .whitespaces))
            if let region { found.exams = Self.sorted(found.exams, first: region.lowercased()) }
            screen = found
            problem = nil
        } catch let error as StoreError where error.code == .notFound {
            screen = LibraryScreen(search: search, exams: [], languages: [])
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }

    /// Sorts exams by their distance from a region; those of one distance stay in their order.
    private static func sorted(
        _ exams: [LibraryScreen.Row], first region: String
    ) -> [LibraryScreen.Row] {
        func distance(_ row: LibraryScreen.Row) -> Int {
            row.subject.region == region ? 0 : row.subject.region == "int" ? 1 : 2
        }
        return exams.enumerated().sorted {
            (distance($0.element), $0.offset) < (distance($1.element), $1.offset)
        }.map(\.element)
    }

    private func read(_ search: String) async throws -> LibraryScreen {
        let manifest = try await services.content.perform { try $0.manifest().value }
        let started = try await services.userData.perform {
            Set(try $0.progressByDomain().compactMap(\.bank))
        }
        var exams: [LibraryScreen.Row] = []
        for (key, entry) in manifest.exams.sorted(by: { $0.key < $1.key }) {
            guard let bank = QuestionFilter.Bank(name: "\(key)"),
                let blueprint = try? await services.content.perform({
                    try $0.blueprint(bank).value
                })
            else { continue }  // An exam that this version cannot read is not in the list.
            var row = try await row(Subject(blueprint, of: bank), entry.media, started)
            row.questionCount = blueprint.questions.count { !$0.isRetired }
            exams.append(row)
        }
        var languages: [LibraryScreen.Row] = []
        for (code, entry) in manifest.languages.sorted(by: { $0.key < $1.key })
        where entry.blueprint != nil {
            languages.append(
                try await row(Subject(language: "\(code)"), entry.audio, started))
        }
        return LibraryScreen(
            search: search, exams: exams.filter { matches($0, search) },
            languages: languages.filter(\.isStarted).filter { matches($0, search) }
                + languages.filter { !$0.isStarted && matches($0, search) })
    }

    private func row(
        _ subject: Subject, _ files: FileList?, _ started: Set<String>
    ) async throws -> LibraryScreen.Row {
        let hasFiles = try await services.content.perform { [now = services.clock()] content in
            try (files?.files ?? []).allSatisfy {
                try content.lazyFile($0.checksum, now: now) != nil
            }
        }
        return LibraryScreen.Row(
            subject: subject, questionCount: nil, isStarted: started.contains(subject.id),
            fileBytes: files.map { $0.files.reduce(0) { $0 + ($1.size ?? 0) } },
            hasFiles: hasFiles)
    }

    private func matches(_ row: LibraryScreen.Row, _ search: String) -> Bool {
        let subject = row.subject
        let name = subject.language.flatMap { names?.localizedString(forIdentifier: $0) }
        let region = subject.region.flatMap { names?.localizedString(forRegionCode: $0) }
        let texts = [subject.title, subject.id, subject.region, name, region].compactMap(\.self)
        return search.split(separator: " ").allSatisfy { word in
            texts.contains {
                $0.range(of: word, options: [.caseInsensitive, .diacriticInsensitive]) != nil
            }
        }
    }
}
