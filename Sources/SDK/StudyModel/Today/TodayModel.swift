import Foundation
public import Observation
import Underway

/// The model of the first screen.
@MainActor @Observable
public final class TodayModel {
    /// The screen; `nil` before the first ``load()``.
    public private(set) var screen: TodayScreen?
    /// The reason for which the screen could not be read; `nil` when it was.
    public private(set) var problem: StudyProblem?
    @ObservationIgnored private let services: StudyServices

    /// Creates the model.
    public init(_ services: StudyServices) { self.services = services }

    /// Reads what is there to do.
    public func load() async {
        do {
            screen = try await TodayLoader(services).screen()
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }

    /// Notes that the learner looks at a corrected result, so that it is announced once.
    public func see(_ corrected: TodayScreen.Corrected.ID) async {
        do {
            try await CorrectionLoader(services).see(corrected)
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }
}
