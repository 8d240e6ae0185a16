import Foundation
public import Observation
import Underway

/// The model of the first screen.
@MainActor @Observable
public final class TodayModel {
    /// The screen; `nil` before the first ``load()``.
    public private(set) var screen: TodayScreen?
    /// The reason why the screen could not be loaded; `nil` after a success.
    public private(set) var problem: StudyProblem?
    @ObservationIgnored private let services: StudyServices

    /// Creates the model.
    public init(_ services: StudyServices) { self.services = services }

    /// Loads the due questions, sessions and exam dates.
    public func load() async {
        do {
            screen = try await TodayLoader(services).screen()
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }

    /// Records that the learner viewed a corrected result, so that it is announced once.
    public func see(_ corrected: TodayScreen.Corrected.ID) async {
        do {
            try await CorrectionLoader(services).see(corrected)
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }
}
