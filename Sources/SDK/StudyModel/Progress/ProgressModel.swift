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
    /// The figures of the last successful load; `nil` before.
    public private(set) var screen: ProgressScreen?
    /// The reason why the last load failed; `nil` after a success.
    public private(set) var problem: StudyProblem?

    private let services: StudyServices

    /// Creates the model of the page.
    public init(_ services: StudyServices) {
        self.services = services
    }

    /// Loads the figures; after an error the last ones remain.
    ///
    /// Cost: O(questions) of all subjects. It reads all answers of the selected subject, and of an exam whose forecast
    /// is not cached (``ForecastCache``).
    /// - Parameter subject: The name of the bank to show; `nil`, or a bank without answers, for all.
    public func load(subject: String? = nil) async {
        do {
            try await services.readDay()
            screen = try await ProgressLoader(services).screen(of: subject)
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }
}
