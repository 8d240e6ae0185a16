import Foundation
import Hummingbird
import PageRendering
import StudyModel

/// A request for a page, with what all pages need of the app.
struct PageRequest {
    let request: Request
    let context: StudyContext
    let app: StudyWebApp
    /// The learner's choices on this device.
    let settings: StudySettings
    /// The words and formats of the learner's language.
    let formats: StudyFormats
    /// The form that was sent; its secret was compared.
    let form: FormFields

    /// True when the learner chose to rate right answers.
    var isRating: Bool { settings.ratesAnswers }

    var services: StudyServices { app.services }
    var words: StudyText { formats.words }

    /// Returns a part of the path by the name of its place.
    ///
    /// - Throws: `HTTPError` 404 without one.
    func part(_ name: String) throws -> String {
        guard let part = context.parameters.get(name)?.removingPercentEncoding else {
            throw HTTPError(.notFound)
        }
        return part
    }

    /// Returns a value of the query.
    func query(_ name: String) -> String? { FormFields(queryOf: request)[name] }
}
