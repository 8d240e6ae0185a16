import AppUI
import Foundation
import OfflineStorage
import StudyModel
import SwiftUI

struct StudyApp: View {
    private enum app {
        static var content: OfflineStore { fatalError("as on the page") }
        static var userData: UserStore { fatalError("as on the page") }
    }

    // studyApp: start
    var body: some View {
        let services = StudyServices(content: app.content, userData: app.userData)
        let words = StudyText(language: StudyText.best(for: Locale.preferredLanguages))
        StudyAppView(services)
            .studyFormats(StudyFormats(words: words, calendar: services.calendar))
    }
    // studyApp: end
}
