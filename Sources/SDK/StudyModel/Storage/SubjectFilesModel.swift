public import Observation
public import Underway

/// The model of a subject's audio or pictures, which fetches and removes them.
///
/// A fetch belongs to the task that calls ``fetch()``: cancel the task to stop it; fetched files remain.
@MainActor @Observable
public final class SubjectFilesModel {
    /// The files; `nil` before the first ``load()``, and for a subject without any.
    public private(set) var files: SubjectFiles?
    /// True while files are fetched.
    public private(set) var isFetching = false
    /// The reason why the last step failed; `nil` after a success.
    public private(set) var problem: StudyProblem?

    /// The bank of the subject.
    public nonisolated let bank: QuestionFilter.Bank
    @ObservationIgnored private let services: StudyServices

    /// Creates the model of a bank's files.
    public nonisolated init(_ services: StudyServices, bank: QuestionFilter.Bank) {
        self.services = services
        self.bank = bank
    }

    /// Loads the files that are on the device; call it also for the progress of a fetch.
    public func load() async {
        do {
            files = try await SubjectFilesLoader(services).files(of: bank)
        } catch {
            problem = StudyProblem(error)
        }
    }

    /// Fetches the files that are not on the device; it has no effect while a fetch is under way.
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

    /// Returns the bytes of a file that is on the device; `nil` for another one, and for one that is too large.
    public func bytes(of checksum: Checksum) async -> [UInt8]? {
        await QuestionFiles(services).bytes(checksum)
    }

    /// Removes the files from the device, except those that another subject also uses and those in the app's bundle.
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
