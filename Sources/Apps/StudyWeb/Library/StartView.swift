import Foundation
import HTTPTypes
import Hummingbird
import StudyModel

/// The values of the first page of a new learner: the subjects to choose from.
struct StartView {
    var list: LibraryView

    /// Returns true for a learner who has answered nothing and planned nothing.
    static func isShown(for screen: TodayScreen) -> Bool {
        !screen.hasStarted && screen.booked.isEmpty
    }

    /// Returns the region of the learner: that of the first language with one that the browser asks for (RFC 9110,
    /// section 12.5.4), else that of this device.
    static func region(of request: Request) -> String? {
        let tags = (request.headers[.acceptLanguage] ?? "").split(separator: ",").prefix(10)
        let regions = tags.compactMap { tag in
            tag.split(separator: ";").first.flatMap {
                Locale.Language.Components(
                    identifier: $0.trimmingCharacters(in: .whitespaces)
                ).region?.identifier
            }
        }
        return regions.first ?? Locale.current.region?.identifier
    }
}
