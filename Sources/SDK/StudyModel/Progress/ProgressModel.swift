public import Observation
import Underway

/// The progress page.
///
/// ```swift
/// let model = ProgressModel(services)
/// await model.load()
/// if let screen = model.screen { print(screen.figures.dueToday, screen.streak) }
/// ```
@MainActor @Observable
public final class ProgressModel {
    /// The figures of the last load that succeeded; `nil` before.
    public private(set) var screen: ProgressScreen?
    /// The reason for which the last load failed; `nil` when it succeeded.
    public private(set) var problem: StudyProblem?

    private let services: StudyServices

    /// Prepares the page.
    public init(_ services: StudyServices) {
        self.services = services
    }

    /// Reads the figures anew; on an error the last ones stay.
    ///
    /// Cost: O(questions) of all subjects. All answers are read of the selected subject, and of the exam whose
    /// forecast is not cached (``ForecastCache``).
    /// - Parameter subject: The name of the bank to show; `nil`, or a bank without answers, for all.
    public func load(subject: String? = nil) async {
        do {
            screen = try await ProgressLoader(services).screen(of: subject)
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }
}
