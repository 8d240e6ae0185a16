public import Observation
public import Underway

/// The model of a subject's audio or pictures: fetches them, and removes them again.
///
/// A fetch belongs to the task that calls ``fetch()``: cancel that to stop it; what arrived stays.
@MainActor @Observable
public final class SubjectFilesModel {
    /// The files; `nil` before the first ``load()``, and for a subject without any.
    public private(set) var files: SubjectFiles?
    /// True while files are fetched.
    public private(set) var isFetching = false
    /// The reason for which the last step failed; `nil` after one that did not.
    public private(set) var problem: StudyProblem?

    /// The bank of the subject.
    public nonisolated let bank: QuestionFilter.Bank
    @ObservationIgnored private let services: StudyServices

    /// Creates the model of a bank's files.
    public nonisolated init(_ services: StudyServices, bank: QuestionFilter.Bank) {
        self.services = services
        self.bank = bank
    }

    /// Reads which files are on the device; it also shows the progress of a fetch.
    public func load() async {
        do {
            files = try await SubjectFilesLoader(services).files(of: bank)
        } catch {
            problem = StudyProblem(error)
        }
    }

    /// Fetches the files that are not on the device; does nothing while a fetch is under way.
    public func fetch() async {
        guard !isFetching else { return }
        isFetching = true
        problem = nil
        defer { isFetching = false }
        do {
            guard let sync = services.sync else { throw StudyProblem(.offline) }
            _ = try await sync.files(bank.fileGroup)
        } catch let error as SyncError where error.code == .cancelled {
            // The learner's own wish is no problem.
        } catch {
            problem = StudyProblem(error)
        }
        await load()
    }

    /// Removes the files from the device; those that another subject uses too, and those that came with the
    /// app, stay.
    public func remove() async {
        do {
            problem = nil
            try await SubjectFilesLoader(services).remove(of: bank)
        } catch {
            problem = StudyProblem(error)
        }
        await load()
    }
}
